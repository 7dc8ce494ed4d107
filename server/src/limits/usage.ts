import type { Limits } from "../platform/config.ts";
import type { Db } from "../platform/database/database.ts";

const dayMs = 24 * 3600 * 1000;

/** What a workspace has, as far as it is counted. */
export interface Usage {
  readonly calls: number;
  readonly bytes: number;
  /** The day (UTC) that `dayCalls` is about. */
  readonly day: Date;
  readonly dayCalls: number;
}

/** What was imported and is not in the count yet. */
export interface Imported {
  readonly calls: number;
  readonly bytes: number;
}

/** The beginning of the day (UTC). */
export const dayOf = (nowMs: number) => new Date(nowMs - (nowMs % dayMs));
export const secondsToTomorrow = (nowMs: number) => Math.ceil((dayMs - (nowMs % dayMs)) / 1000);

/** Counting costs little, and is done only where somebody wants to know. */
export const isCounted = ({ workspace }: Limits) => workspace.callsPerDay !== null || workspace.storedBytes !== null;

export async function findUsage(tx: Db, workspaceId: string): Promise<Usage | undefined> {
  return tx
    .selectFrom("workspaceUsage")
    .select(["calls", "bytes", "day", "dayCalls"])
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
}

/** Adds what a process imported, and gives what there is now. */
export async function addUsage(tx: Db, workspaceId: string, { calls, bytes }: Imported, day: Date): Promise<Usage> {
  return tx
    .insertInto("workspaceUsage")
    .values({ workspaceId, calls, bytes, day, dayCalls: calls })
    .onConflict((conflict) =>
      conflict.column("workspaceId").doUpdateSet((eb) => {
        const kept = eb
          .case()
          .when("workspaceUsage.day", "=", day)
          .then(eb.ref("workspaceUsage.dayCalls"))
          .else(0)
          .end();
        return {
          calls: eb("workspaceUsage.calls", "+", eb.ref("excluded.calls")),
          bytes: eb("workspaceUsage.bytes", "+", eb.ref("excluded.bytes")),
          day,
          dayCalls: eb(kept, "+", eb.ref("excluded.dayCalls")),
        };
      }),
    )
    .returning(["calls", "bytes", "day", "dayCalls"])
    .executeTakeFirstOrThrow();
}
