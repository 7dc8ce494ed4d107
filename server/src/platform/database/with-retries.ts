import { setTimeout as sleep } from "node:timers/promises";
import { isConflict, serializationFailure } from "./errors.ts";

const backoffsMs = [10, 50, 200, 500];

/** Retries a transaction that was rolled back because of a conflict with another one. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (const backoffMs of backoffsMs) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error)) throw error;
      await sleep(backoffMs * (0.5 + Math.random()));
    }
  }
  return work();
}

/** Thrown to retry the transaction: what was read before a lock changed before the lock was taken. */
export class ChangedMeanwhile extends Error {
  override name = "ChangedMeanwhile";
  readonly code = serializationFailure;
}
