import type { Selectable } from "kysely";
import { type CallViewer, findVisibleCall, type StoredCall } from "../../calls/call/find-call.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { Transcript } from "../../platform/database/tables.ts";
import { storageUnavailable } from "../../platform/errors.ts";
import { ObjectMissing } from "../../platform/storage/types.ts";
import { transcriptNotFound } from "../errors.ts";
import { decodeTranscript } from "../store/transcript-object.ts";
import type { TranscriptTurn } from "../transcript.ts";
import { applyCorrections, type CorrectedTurn, readCorrections } from "./corrections.ts";
import { explainMissing } from "./explain-missing.ts";

export type TranscriptRow = Selectable<Transcript>;

export interface FoundTranscript {
  readonly call: StoredCall;
  readonly transcript: TranscriptRow;
  /** What the engine understood. */
  readonly heard: readonly TranscriptTurn[];
  /** The same with corrections. */
  readonly turns: readonly CorrectedTurn[];
}

/** Finds the transcript of a call that the viewer may see. Throws `transcript_not_found` with the reason if it has none. */
export async function findTranscript(app: App, viewer: CallViewer, callId: string): Promise<FoundTranscript> {
  const { workspaceId } = viewer;
  const { call, transcript, corrections } = await inWorkspace(app, workspaceId, async (tx) => {
    const call = await findVisibleCall(tx, viewer, callId);
    const transcript = await findRow(tx, call);
    if (!transcript) throw transcriptNotFound(await explainMissing(app, tx, call));
    const corrections = await readCorrections(tx, { workspaceId, callId: call.id, transcriptId: transcript.id });
    return { call, transcript, corrections };
  });
  const heard = await readWords(app, transcript);
  return { call, transcript, heard, turns: applyCorrections(heard, corrections) };
}

export const findRow = (
  tx: Db,
  { workspaceId, id }: Pick<StoredCall, "workspaceId" | "id">,
): Promise<TranscriptRow | undefined> =>
  tx
    .selectFrom("transcript")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", id)
    .executeTakeFirst();

/** Reads the words as the engine understood them. Throws `transcript_not_found` if they are lost. */
export async function readWords(app: App, { objectKey }: Pick<TranscriptRow, "objectKey">): Promise<TranscriptTurn[]> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of await app.storage.get(objectKey)) chunks.push(chunk);
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw storageUnavailable(error);
    throw transcriptNotFound(
      "its words are missing from the object store. Request it again with POST /calls/{id}/transcribe.",
    );
  }
  return decodeTranscript(Buffer.concat(chunks));
}
