import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { StoredCall } from "../../calls/call/find-call.ts";
import { newObjectKey } from "../../calls/objects/object-key.ts";
import {
  claimObjects,
  restageAndDiscard,
  stageFormerObjects,
  stageObjects,
} from "../../calls/objects/staged-objects.ts";
import { piecesOf, storeObject } from "../../calls/objects/store-object.ts";
import type { CallRef } from "../../calls/prepare/call-step.ts";
import { discardPrepared, type PreparedObjects, replacePrepared } from "../../calls/prepare/store-prepared.ts";
import { indexWords } from "../../calls/search/index-words.ts";
import { system } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { Run } from "../../platform/media/analysis/speech.ts";
import { newUuidV7 } from "../../platform/uuid-v7.ts";
import { lockHolds } from "../../privacy/holds/legal-holds-sql.ts";
import type { SensitivePart } from "../masking/find-sensitive.ts";
import { textsOfSides } from "../spoken-sides.ts";
import { addUsage } from "../steps/transcription-run.ts";
import { endTranscription, TranscriptionOutdated, type WantedTranscription } from "../steps/transcription-step.ts";
import { makeTurns, type SideWord } from "../transcript.ts";
import { eraseOriginal } from "./erase-original.ts";
import { encodeTranscript } from "./transcript-object.ts";

/** Version of our processing: changes when a transcript made of the same words would be different. */
const processingVersion = 1;

export interface FinishedTranscript {
  readonly language: string;
  readonly engine: string;
  readonly model: string;
  /** Masked, in order of time. */
  readonly words: readonly SideWord[];
  readonly parts: readonly SensitivePart[];
  /** Parts of the sound that are silent in the playback copy. */
  readonly muted: readonly Run[];
}

interface StoreOptions {
  /** The call that was transcribed. */
  readonly call: Pick<StoredCall, "recordingKey" | "playbackKey" | "drawingKey">;
  /** The playback copy with these parts muted; undefined if they are the same as before. */
  readonly copy: PreparedObjects | undefined;
  readonly wanted: WantedTranscription;
}

/** Stores a transcript in place of a former one and announces it, unless another run did so first or the call was erased. */
export async function storeTranscript(
  app: App,
  ref: CallRef,
  transcript: FinishedTranscript,
  { call, copy, wanted }: StoreOptions,
): Promise<void> {
  const { workspaceId } = ref;
  const objectKey = newObjectKey("transcripts", workspaceId);
  const turns = makeTurns(transcript.words);
  const bytes = await encodeTranscript(turns);
  await stageObjects(app.db, [objectKey]);
  await storeObject(app, { key: objectKey, owner: workspaceId }, piecesOf(bytes));
  const id = newUuidV7();
  async function discard(): Promise<void> {
    await restageAndDiscard(app, [objectKey]);
    if (copy) await discardPrepared(app, copy);
  }
  const stored = inWorkspace(app, workspaceId, async (tx) => {
    const erasesOriginal = wanted.erasesOriginals && transcript.muted.length > 0;
    // Before the lock on the call, as an erasure does.
    if (erasesOriginal) await lockHolds(tx, workspaceId, "erase");
    const ended = await endTranscription(tx, ref, { id, wanted, call });
    if (!ended) return undefined;
    await claimObjects(tx, [objectKey]);
    if (copy) await replacePrepared(tx, ref, call, copy);
    const original = erasesOriginal ? await eraseOriginal(tx, ref) : undefined;
    await replaceRow(tx, ref, { id, objectKey, objectBytes: bytes.length, ...transcript });
    await addUsage(tx, workspaceId, { calls: 1 });
    await indexWords(tx, { workspaceId, callId: ref.id, language: transcript.language, sides: textsOfSides(turns) });
    if (original)
      await recordAuditEntry(tx, workspaceId, {
        actor: system,
        action: "call.original_erased",
        subject: { type: "call", id: ref.id },
      });
    return [ended.keyObject, original];
  });
  const ended = await stored.catch(async (error) => {
    // Its words may not be masked as they should be. After other errors, the transcript may be stored.
    if (error instanceof TranscriptionOutdated) await discard();
    throw error;
  });
  if (!ended) return discard();
  app.metrics.transcriptions.inc({ outcome: "transcribed" });
  const done = ended.filter((key) => key !== undefined);
  await restageAndDiscard(app, done);
}

interface NewRow extends FinishedTranscript {
  readonly id: string;
  readonly objectKey: string;
  readonly objectBytes: number;
}

/** Corrections belong to the former transcript. */
async function replaceRow(tx: Db, { workspaceId, id: callId }: CallRef, row: NewRow): Promise<void> {
  const { id, objectKey, objectBytes, language, engine, model, words, parts, muted } = row;
  const former = await tx
    .selectFrom("transcript")
    .select("objectKey")
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", callId)
    .executeTakeFirst();
  if (former) await stageFormerObjects(tx, callId, [former.objectKey]);
  await tx
    .deleteFrom("transcriptCorrection")
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", callId)
    .execute();
  const spoken = words.filter(({ mask }) => !mask);
  const values = {
    id,
    objectKey,
    objectBytes,
    language,
    engine,
    model,
    version: processingVersion,
    words: JSON.stringify(countBy(spoken, ({ channel }) => channel)),
    masked: JSON.stringify(countBy(parts, ({ kind }) => kind)),
    muted: muted.length > 0 ? JSON.stringify(muted) : null,
    createdAt: new Date(),
  };
  await tx
    .insertInto("transcript")
    .values({ workspaceId, callId, ...values })
    .onConflict((conflict) => conflict.columns(["workspaceId", "callId"]).doUpdateSet(values))
    .execute();
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
}
