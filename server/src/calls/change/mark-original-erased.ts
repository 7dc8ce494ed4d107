import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";

interface Original {
  readonly recordingKey: string;
  readonly recordingBytes: number;
}

/** Marks the original recording of a call as erased, once. `unless` is a condition on `call`. */
export async function markOriginalErased(
  tx: Db,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  { unless }: { readonly unless: RawBuilder<boolean> },
): Promise<Original | undefined> {
  return tx
    .updateTable("call")
    .set({ originalErasedAt: sql<Date>`now()`, recordingDamage: null })
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .where("originalErasedAt", "is", null)
    .where((eb) => eb.not(unless))
    .returning(["recordingKey", "recordingBytes"])
    .executeTakeFirst();
}
