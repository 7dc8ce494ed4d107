import { CallNoteBody, CallNoteListBody, ChangeNoteBody, CreateNoteBody } from "@hearback/contract";
import { actorOf } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import { type Caller, reviewers } from "../../platform/caller.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { findVisibleCall } from "../call/find-call.ts";
import { callNotFound, noteLimitReached, noteNotFound, notYourNote } from "../errors.ts";
import { listNotes, toNoteBody } from "./find-notes.ts";
import { changeNote, createNote, deleteNote } from "./write-note.ts";

const tag = "Calls";
const written = { tag, access: ["review"], roles: reviewers, campaignKeys: true } as const;

/** Whether the caller may delete notes of others. */
const mayDeleteAny = (caller: Caller) => caller.kind === "key" || caller.role !== "reviewer";

export function noteRoutes(api: Api, app: App): void {
  route(api, {
    tag,
    access: ["read", "review"],
    roles: reviewers,
    campaignKeys: true,
    method: "GET",
    path: "/calls/:id/notes",
    id: "listNotes",
    summary: "List the notes of a call",
    description: "Lists the notes of a call by their position in the recording. Agents do not see them.",
    answers: { 200: [CallNoteListBody, "The notes."] },
    errors: [callNotFound],
  }).handle(({ caller, params: { id } }) =>
    inWorkspace(app, caller.workspaceId, async (tx) => {
      await findVisibleCall(tx, caller, id);
      return { notes: (await listNotes(tx, caller.workspaceId, id)).map(toNoteBody) };
    }),
  );

  route(api, {
    ...written,
    method: "POST",
    path: "/calls/:id/notes",
    id: "createNote",
    summary: "Add a note to a call",
    description: "Adds a note at a position of the recording.",
    body: CreateNoteBody,
    answers: { 201: [CallNoteBody, "Note added."] },
    errors: [callNotFound, noteLimitReached],
  }).handle(async ({ caller, params: { id: callId }, body: { position_ms: positionMs, text } }) =>
    toNoteBody(await createNote(app, caller, { callId, positionMs, text, author: actorOf(caller) })),
  );

  route(api, {
    ...written,
    method: "PATCH",
    path: "/calls/:id/notes/:note",
    id: "changeNote",
    summary: "Update a note",
    description: "Changes the text or the position of your note.",
    body: ChangeNoteBody,
    answers: { 200: [CallNoteBody, "The updated note."] },
    errors: [callNotFound, noteNotFound, notYourNote],
  }).handle(async ({ caller, params: { id: callId, note: id }, body: { position_ms: positionMs, text } }) =>
    toNoteBody(await changeNote(app, caller, { callId, id, author: actorOf(caller) }, { positionMs, text })),
  );

  route(api, {
    ...written,
    method: "DELETE",
    path: "/calls/:id/notes/:note",
    id: "deleteNote",
    summary: "Delete a note",
    description: "Deletes your note. Supervisors and administrators may delete every note.",
    answers: { 204: "The note is deleted." },
    errors: [callNotFound, noteNotFound, notYourNote],
  }).handle(({ caller, params: { id: callId, note: id } }) =>
    deleteNote(app, caller, { callId, id, author: actorOf(caller), mayDeleteAny: mayDeleteAny(caller) }),
  );
}
