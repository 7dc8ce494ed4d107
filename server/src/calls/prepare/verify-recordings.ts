import { createHash } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { keysetPages } from "../../platform/database/pages.ts";
import { ObjectMissing } from "../../platform/storage/types.ts";
import { listWorkspaces } from "../../workspaces/list-workspaces.ts";
import type { RestoreObject } from "../objects/restore-object.ts";
import { restageAndDiscard } from "../objects/staged-objects.ts";
import { isLostRecording } from "./recording-fault.ts";
import { resetPreparation } from "./reset-preparation.ts";
import { queueTranscription } from "./transcription-job.ts";

const pageSize = 200;
/** Calls verified at a time: most of the time is the latency of the object store. */
const concurrency = 8;

export interface Damage {
  readonly workspaceId: string;
  readonly callId: string;
  readonly problem: "differs" | "missing";
}

export interface VerifyOptions {
  readonly workspace?: string;
  /** Resume after this call id. */
  readonly after?: string;
  /** Where lost objects of calls are restored from. */
  readonly restore?: RestoreObject;
  readonly onProgress?: (checked: number) => void;
}

export interface VerifyReport {
  readonly checked: number;
  /** Objects that were restored: recordings, playback copies, waveforms and transcripts. */
  readonly restored: number;
  /** Calls that are prepared again: their playback copy or waveform was lost, or they had failed while the recording was. */
  readonly preparedAgain: number;
  /** Calls that are transcribed again, because their transcript was lost. */
  readonly transcribedAgain: number;
  /** Calls whose recording is damaged or missing, or whose copies are, if the original recording was erased. */
  readonly damaged: readonly Damage[];
}

/**
 * Reads every recording and compares its SHA-256 with the one from the import. Flags damaged recordings on the call, so that
 * POST /calls/lookup reports them as lost and the next import replaces them. Prepares calls again that have their recording but
 * lost an object that was made from it, and transcribes them again if they lost their transcript.
 */
export async function verifyRecordings(app: App, options: VerifyOptions): Promise<VerifyReport> {
  const workspaces = options.workspace ? [options.workspace] : (await listWorkspaces(app.db)).map(({ id }) => id);
  const report = { checked: 0, restored: 0, preparedAgain: 0, transcribedAgain: 0, damaged: [] as Damage[] };
  const verify = async (workspaceId: string, call: VerifiedCall) => {
    const { problem, restored, isPreparedAgain, isTranscribedAgain } = await verifyCall(
      app,
      workspaceId,
      call,
      options.restore,
    );
    if (problem) report.damaged.push({ workspaceId, callId: call.id, problem });
    report.restored += restored;
    report.preparedAgain += Number(isPreparedAgain);
    report.transcribedAgain += Number(isTranscribedAgain);
    report.checked += 1;
    options.onProgress?.(report.checked);
  };
  for (const workspaceId of workspaces) {
    for await (const calls of pagesOfCalls(app, workspaceId, options.after)) {
      for (let at = 0; at < calls.length; at += concurrency)
        await Promise.all(calls.slice(at, at + concurrency).map((call) => verify(workspaceId, call)));
    }
  }
  return report;
}

async function verifyCall(app: App, workspaceId: string, call: VerifiedCall, restore: RestoreObject | undefined) {
  const restored = (key: string) => restoreObject(app, workspaceId, call, key, restore);
  let count = 0;
  const stillLost = async (objects: readonly SizedObject[]) => {
    const lost: string[] = [];
    for (const key of await findLost(app, objects)) {
      if (await restored(key)) count += 1;
      else lost.push(key);
    }
    return lost;
  };
  const ref = { workspaceId, id: call.id };
  if (call.originalErasedAt) {
    // What was made of it cannot be made again.
    const lost = await stillLost([...copiesOf(call), ...transcriptOf(call)]);
    const problem: Damage["problem"] | undefined = lost.length > 0 ? "missing" : undefined;
    return { problem, restored: count, isPreparedAgain: false, isTranscribedAgain: false };
  }
  const found = await findDamage(app, call);
  const problem = found && (await restored(call.recordingKey)) ? await findDamage(app, call) : found;
  if ((problem ?? null) !== call.recordingDamage) await saveDamage(app, workspaceId, call, problem ?? null);
  if (problem) return { problem, restored: 0, isPreparedAgain: false, isTranscribedAgain: false };

  const lostCopies = await stillLost(copiesOf(call));
  const isIncomplete = lostCopies.length > 0 || isLostRecording(call.failureCode);
  const isPreparedAgain = isIncomplete && (await resetPreparation(app, ref, call.playbackKey));
  const isTranscribedAgain = (await stillLost(transcriptOf(call))).length > 0;
  if (isTranscribedAgain) await inWorkspace(app, workspaceId, (tx) => queueTranscription(tx, ref));
  return { problem, restored: count + Number(found !== undefined), isPreparedAgain, isTranscribedAgain };
}

interface VerifiedCall {
  readonly id: string;
  readonly recordingKey: string;
  readonly sha256: Buffer;
  readonly recordingDamage: string | null;
  readonly failureCode: string | null;
  readonly originalErasedAt: Date | null;
  readonly playbackKey: string | null;
  readonly playbackBytes: number | null;
  readonly drawingKey: string | null;
  readonly drawingBytes: number | null;
  readonly transcriptKey: string | null;
  readonly transcriptBytes: number | null;
}

async function saveDamage(app: App, workspaceId: string, call: VerifiedCall, damage: string | null): Promise<void> {
  await inWorkspace(app, workspaceId, (tx) =>
    tx
      .updateTable("call")
      .set({ recordingDamage: damage })
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", call.id)
      // Skip if an import has replaced the recording meanwhile.
      .where("recordingKey", "=", call.recordingKey)
      .execute(),
  );
}

function pagesOfCalls(app: App, workspaceId: string, after?: string): AsyncGenerator<VerifiedCall[]> {
  const read = (last: string, limit: number) =>
    inWorkspace(app, workspaceId, (tx) =>
      tx
        .selectFrom("call")
        .leftJoin("transcript", (join) =>
          join.onRef("transcript.workspaceId", "=", "call.workspaceId").onRef("transcript.callId", "=", "call.id"),
        )
        .select(["call.id", "recordingKey", "sha256", "recordingDamage", "failureCode", "originalErasedAt"])
        .select(["playbackKey", "playbackBytes", "drawingKey", "drawingBytes"])
        .select(["objectKey as transcriptKey", "objectBytes as transcriptBytes"])
        .where("call.workspaceId", "=", workspaceId)
        .where("call.id", ">", last)
        .orderBy("call.id")
        .limit(limit)
        .execute(),
    );
  return keysetPages({ read, keyOf: ({ id }) => id, pageSize, after });
}

async function findDamage(app: App, call: VerifiedCall): Promise<Damage["problem"] | undefined> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of await app.storage.get(call.recordingKey)) hash.update(chunk);
  } catch (error) {
    if (error instanceof ObjectMissing) return "missing";
    throw error;
  }
  return hash.digest().equals(call.sha256) ? undefined : "differs";
}

interface SizedObject {
  readonly key: string | null;
  readonly bytes: number | null;
}

const copiesOf = (call: VerifiedCall): SizedObject[] => [
  { key: call.playbackKey, bytes: call.playbackBytes },
  { key: call.drawingKey, bytes: call.drawingBytes },
];
const transcriptOf = (call: VerifiedCall): SizedObject[] => [{ key: call.transcriptKey, bytes: call.transcriptBytes }];

/** Keys of objects that are missing or of the wrong length. */
async function findLost(app: App, objects: readonly SizedObject[]): Promise<string[]> {
  const lost: string[] = [];
  for (const { key, bytes } of objects) if (key && (await app.storage.size(key)) !== bytes) lost.push(key);
  return lost;
}

/** Restores an object of a call. If the call was erased or changed meanwhile, the object is deleted again. */
async function restoreObject(
  app: App,
  workspaceId: string,
  { id }: VerifiedCall,
  key: string,
  restore: RestoreObject | undefined,
): Promise<boolean> {
  if (!(await restore?.(key))) return false;
  const call = await inWorkspace(app, workspaceId, (tx) =>
    tx
      .selectFrom("call")
      .leftJoin("transcript", (join) =>
        join.onRef("transcript.workspaceId", "=", "call.workspaceId").onRef("transcript.callId", "=", "call.id"),
      )
      .select(["recordingKey", "playbackKey", "drawingKey", "objectKey"])
      .where("call.workspaceId", "=", workspaceId)
      .where("call.id", "=", id)
      .executeTakeFirst(),
  );
  if (call && Object.values(call).includes(key)) return true;
  await restageAndDiscard(app, [key]);
  return false;
}
