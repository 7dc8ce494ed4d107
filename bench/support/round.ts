import { setTimeout as sleep } from "node:timers/promises";
import { cpuOfMachine } from "./cpu.ts";
import { clients, type Load, send } from "./load.ts";

/** One of the two that are compared. */
export interface Side {
  /** More requests than can be sent in these seconds, none of them ever sent before. */
  makeLoad(recording: Buffer, seconds: number): Load;
  /** CPU seconds used so far, by process. */
  readCpu(): Record<string, number>;
  /** How many calls are stored by now; the bare side knows none. */
  countCalls?(): Promise<number>;
}

export interface Round {
  readonly perSecond: number;
  /** CPU milliseconds a request, by process; `machine` is all of them, the kernel and whatever else is running. */
  readonly cpuMs: Readonly<Record<string, number>>;
}

export interface RoundOptions {
  readonly recording: Buffer;
  readonly seconds: number;
  readonly dir: string;
  readonly signal: AbortSignal;
}

/** Loads one side for some seconds. Throws unless every answer was 200 and the database has a call for each. */
export async function playRound(side: Side, { recording, seconds, dir, signal }: RoundOptions): Promise<Round> {
  const load = side.makeLoad(recording, seconds);
  const callsBefore = (await side.countCalls?.()) ?? 0;
  const cpuBefore = readCpu(side);
  const { answered, perSecond, cpuSeconds } = await send(load, { dir, seconds, signal });
  const calls = (await settle(side)) - callsBefore;
  const cpuAfter = readCpu(side);

  // wrk cuts off what is on its way when the time is over: some of that is stored although nobody read the answer.
  if (side.countCalls && (calls < answered || calls > answered + clients)) {
    throw new Error(`${answered} imports were answered with 200, but the database has ${calls} calls more than before`);
  }
  const cpuMs: Record<string, number> = { wrk: (cpuSeconds * 1000) / answered };
  for (const [name, after] of Object.entries(cpuAfter)) {
    cpuMs[name] = ((after - (cpuBefore[name] ?? 0)) * 1000) / answered;
  }
  return { perSecond, cpuMs };
}

const readCpu = (side: Side): Record<string, number> => ({ ...side.readCpu(), machine: cpuOfMachine() });

/** Waits until nothing of the last load is at work any more, and gives the number of calls. */
async function settle(side: Side): Promise<number> {
  for (let before = -1; ; ) {
    const calls = (await side.countCalls?.()) ?? 0;
    if (calls === before) return calls;
    before = calls;
    await sleep(100);
  }
}
