import { setTimeout as sleep } from "node:timers/promises";

/** Serialisation failure, deadlock, a lock not had in time: the transaction did nothing, and the next may succeed. */
const worthRepeating = new Set(["40001", "40P01", "55P03"]);
const pausesMs = [10, 50, 200, 500];

/** Runs a whole transaction again when PostgreSQL gave way to another one. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of pausesMs) {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (!worthRepeating.has(code)) throw error;
      await sleep(pause * (0.5 + Math.random()));
    }
  }
  return work();
}
