/** Where an event stands in the order of all events of its workspace. */
export interface Position {
  readonly epoch: number;
  readonly xid: number;
  readonly seq: number;
}

const form = /^evt_(0|[1-9]\d*)-(0|[1-9]\d*)-(0|[1-9]\d*)$/;
const largestEpoch = 2 ** 31 - 1;

export const toEventId = ({ epoch, xid, seq }: Position): string => `evt_${epoch}-${xid}-${seq}`;

/** Undefined: not an id of ours. */
export function parseEventId(id: string): Position | undefined {
  const [epoch = Number.NaN, xid = Number.NaN, seq = Number.NaN] = form.exec(id)?.slice(1).map(Number) ?? [];
  const whole = Number.isSafeInteger(epoch) && Number.isSafeInteger(xid) && Number.isSafeInteger(seq);
  return whole && epoch <= largestEpoch ? { epoch, xid, seq } : undefined;
}

/** Negative, zero or positive, as `a` stands before, at or behind `b`. */
export const comparePositions = (a: Position, b: Position): number =>
  a.epoch - b.epoch || a.xid - b.xid || a.seq - b.seq;
