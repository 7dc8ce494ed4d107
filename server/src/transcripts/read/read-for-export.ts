import type { ExportedTranscript, ReadTranscripts } from "../../calls/search/exported-transcript.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { AppError } from "../../platform/errors.ts";
import { applyCorrections, readCorrections } from "./corrections.ts";
import { readWords, type TranscriptRow } from "./find-transcript.ts";
import { toPlainText } from "./format-transcript.ts";
import { speakerNames, toTranscriptBody } from "./transcript-body.ts";

/** Reads the transcripts of a few calls at a time for an export. */
export const openTranscriptReader =
  (app: App): ReadTranscripts =>
  async (workspaceId, calls) => {
    const found = await inWorkspace(app, workspaceId, async (tx) => {
      const rows = await findRows(
        tx,
        workspaceId,
        calls.map(({ id }) => id),
      );
      return Promise.all(
        rows.map(async (transcript) => {
          const { callId, id: transcriptId } = transcript;
          return { transcript, corrections: await readCorrections(tx, { workspaceId, callId, transcriptId }) };
        }),
      );
    });
    const read = found.map(async ({ transcript, corrections }): Promise<[string, ExportedTranscript][]> => {
      const call = calls.find(({ id }) => id === transcript.callId);
      const heard = await readWords(app, transcript).catch(ignoreLost);
      if (!call || !heard) return [];
      const turns = applyCorrections(heard, corrections);
      const text = toPlainText(turns, speakerNames(call));
      return [[call.id, { text, body: toTranscriptBody({ call, transcript, turns }) }]];
    });
    return new Map((await Promise.all(read)).flat());
  };

const findRows = (tx: Db, workspaceId: string, callIds: readonly string[]): Promise<TranscriptRow[]> =>
  tx
    .selectFrom("transcript")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("callId", "in", callIds)
    .execute();

/** A transcript that was lost, or erased meanwhile. An unavailable object store ends the export. */
function ignoreLost(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === "transcript_not_found")) throw error;
}
