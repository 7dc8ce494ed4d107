import type { CallNoteBody } from "@hearback/contract";
import type { Selectable } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import type { CallNote } from "../../platform/database/tables.ts";
import { isUuid } from "../../platform/is-uuid.ts";
import { noteNotFound } from "../errors.ts";

export type NoteRow = Selectable<CallNote>;

/** A call has at most so many notes. */
export const maxNotes = 500;

export const toNoteBody = (note: NoteRow): CallNoteBody => ({
  id: note.id,
  call_id: note.callId,
  position_ms: note.positionMs,
  text: note.text,
  author: { type: note.authorType as "user" | "key", id: note.authorId },
  created_at: note.createdAt.toISOString(),
  changed_at: note.changedAt?.toISOString() ?? null,
});

/** Lists the notes of a call by position. */
export const listNotes = (tx: Db, workspaceId: string, callId: string): Promise<NoteRow[]> =>
  tx
    .selectFrom("callNote")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", callId)
    .orderBy("positionMs")
    .orderBy("id")
    .limit(maxNotes)
    .execute();

/** Locks a note of a call until the transaction ends. */
export async function lockNote(tx: Db, workspaceId: string, { callId, id }: { callId: string; id: string }) {
  const found = isUuid(id)
    ? await tx
        .selectFrom("callNote")
        .selectAll()
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", id)
        .where("callId", "=", callId)
        .forUpdate()
        .executeTakeFirst()
    : undefined;
  if (!found) throw noteNotFound();
  return found;
}
