import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Db } from "../platform/database/database.ts";

/** The position of an event in the total order of its workspace's events. */
export interface Position {
  readonly epoch: number;
  readonly xid: number;
  readonly seq: number;
}

/** Larger than the xid of any event. */
export const largestXid = 2 ** 44 - 1;
const largestEpoch = 2 ** 31 - 1;
const largestSeq = 2 ** 36 - 1;

const idPattern = /^evt_[0-9a-f]{32}$/;

/** True if the text has the format of an event id. */
export const looksLikeEventId = (id: string) => idPattern.test(id);

/** Converts between positions and the event ids of one workspace. */
export interface EventIds {
  toId(position: Position): string;
  /** Returns undefined if the id does not belong to this workspace. */
  toPosition(id: string): Position | undefined;
}

/**
 * An id is one encrypted AES block: 16 zero bits, epoch (32 bits), xid (44), seq (36). Encryption hides the database's counters
 * and is deterministic, so an event always has the same id. The zero bits identify ids of this workspace.
 */
export function openEventIds(key: Uint8Array): EventIds {
  const cipher = createCipheriv("aes-128-ecb", key, null).setAutoPadding(false);
  const decipher = createDecipheriv("aes-128-ecb", key, null).setAutoPadding(false);
  return {
    toId({ epoch, xid, seq }) {
      if (epoch > largestEpoch || xid > largestXid || seq > largestSeq)
        throw new RangeError("event position out of range");
      const block = (BigInt(epoch) << 80n) | (BigInt(xid) << 36n) | BigInt(seq);
      return `evt_${cipher.update(block.toString(16).padStart(32, "0"), "hex", "hex")}`;
    },
    toPosition(id) {
      if (!looksLikeEventId(id)) return undefined;
      const block = BigInt(`0x${decipher.update(id.slice("evt_".length), "hex", "hex")}`);
      const [epoch, xid, seq] = [block >> 80n, (block >> 36n) & BigInt(largestXid), block & BigInt(largestSeq)];
      return epoch > largestEpoch ? undefined : { epoch: Number(epoch), xid: Number(xid), seq: Number(seq) };
    },
  };
}

export async function readEventIds(tx: Db, workspaceId: string): Promise<EventIds> {
  const { key } = await tx
    .selectFrom("eventIdKey")
    .select("key")
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirstOrThrow();
  return openEventIds(key);
}

/** Comparator: negative if `a` comes before `b`. */
export const comparePositions = (a: Position, b: Position): number =>
  a.epoch - b.epoch || a.xid - b.xid || a.seq - b.seq;
