import type { AuditAction } from "@hearback/contract";
import { sql } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Caller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { newUuidV7 } from "../../platform/uuid-v7.ts";
import { lockVisibleCall } from "../call/find-call.ts";
import { noteLimitReached, notYourNote } from "../errors.ts";
import { listNotes, lockNote, maxNotes, type NoteRow } from "./find-notes.ts";

export interface NewNote {
  readonly callId: string;
  readonly positionMs: number;
  readonly text: string;
  readonly author: Actor;
}

/** Adds a note to a call. */
export async function createNote(app: App, caller: Caller, note: NewNote): Promise<NoteRow> {
  const { workspaceId } = caller;
  return inWorkspace(app, workspaceId, async (tx) => {
    // Locked, so that the call cannot be erased meanwhile.
    const { id: callId } = await lockVisibleCall(tx, caller, note.callId);
    if ((await listNotes(tx, workspaceId, callId)).length >= maxNotes) throw noteLimitReached();
    const created = await tx
      .insertInto("callNote")
      .values({
        workspaceId,
        id: newUuidV7(),
        callId,
        positionMs: note.positionMs,
        text: note.text,
        authorType: note.author.type,
        authorId: note.author.id ?? "",
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordNote(tx, "note.created", created, note.author);
    return created;
  });
}

interface NoteRef {
  readonly callId: string;
  readonly id: string;
  readonly author: Actor;
}

export async function changeNote(
  app: App,
  caller: Caller,
  { callId, id, author }: NoteRef,
  change: { readonly positionMs?: number | undefined; readonly text?: string | undefined },
): Promise<NoteRow> {
  const { workspaceId } = caller;
  return inWorkspace(app, workspaceId, async (tx) => {
    await lockVisibleCall(tx, caller, callId);
    const note = await lockNote(tx, workspaceId, { callId, id });
    if (note.authorId !== author.id) throw notYourNote();
    const { positionMs = note.positionMs, text = note.text } = change;
    const changed = await tx
      .updateTable("callNote")
      .set({ positionMs, text, changedAt: sql<Date>`now()` })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordNote(tx, "note.changed", changed, author);
    return changed;
  });
}

/** Deletes a note. `mayDeleteAny`: supervisors delete notes of others, too. */
export async function deleteNote(
  app: App,
  caller: Caller,
  { callId, id, author, mayDeleteAny }: NoteRef & { readonly mayDeleteAny: boolean },
): Promise<void> {
  const { workspaceId } = caller;
  await inWorkspace(app, workspaceId, async (tx) => {
    await lockVisibleCall(tx, caller, callId);
    const note = await lockNote(tx, workspaceId, { callId, id });
    if (note.authorId !== author.id && !mayDeleteAny) throw notYourNote();
    await tx.deleteFrom("callNote").where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
    await recordNote(tx, "note.deleted", note, author);
  });
}

const recordNote = (
  tx: Db,
  action: Extract<AuditAction, `note.${string}`>,
  { workspaceId, callId, id }: NoteRow,
  actor: Actor,
) => recordAuditEntry(tx, workspaceId, { actor, action, subject: { type: "call", id: callId }, data: { note_id: id } });
