import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { newObjectKey } from "../../calls/objects/object-key.ts";
import { keepStaged, restageAndDiscard, stageObjects } from "../../calls/objects/staged-objects.ts";
import { storeObject } from "../../calls/objects/store-object.ts";
import type { CallRef } from "../../calls/prepare/call-step.ts";
import { decryptAesGcm, encryptAesGcm } from "../../platform/aes-gcm.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { storageUnavailable } from "../../platform/errors.ts";
import { ObjectMissing } from "../../platform/storage/types.ts";
import type { HeardWord } from "../engine/engine.ts";
import { lockStep } from "./lock-step.ts";

/*
 * What an engine has answered for a call so far. The words are not masked yet, so they are encrypted with a key that is only in
 * the object store: neither the database nor the bucket alone shows them. The key's object is staged and never claimed, so the
 * sweeper deletes it if nobody continues the run.
 */

export interface TranscriptionRun {
  /** The words of a stretch that was answered before. `about` must be the same as when they were saved. */
  heard(number: number, about: string): readonly HeardWord[] | undefined;
  /** Notes that a stretch is about to be sent. */
  sending(number: number): Promise<void>;
  save(number: number, about: string, answer: Answer): Promise<void>;
}

interface Answer {
  readonly words: readonly HeardWord[];
  readonly speechMs: number;
}

/** The run was ended by another worker, or the call was erased. */
export class RunEnded extends Error {
  override name = "RunEnded";
}

const keyBytes = 32;
/** How often the sweeper's delay for the key restarts. */
const keepMs = 10 * 60_000;

/** Continues the run of a call, or begins one. */
export async function openRun(app: App, call: CallRef): Promise<TranscriptionRun> {
  const { workspaceId, id } = call;
  const { keyObject, key } = (await findKey(app, call)) ?? (await begin(app, call));
  const stored = await inWorkspace(app, workspaceId, (tx) =>
    tx
      .selectFrom("transcriptStretch")
      .select(["number", "encryptedWords"])
      .where("workspaceId", "=", workspaceId)
      .where("callId", "=", id)
      .execute(),
  );
  const answered = new Map(stored.map(({ number, encryptedWords }) => [number, encryptedWords]));
  let keptAt = performance.now();
  return {
    heard(number, about) {
      const encrypted = answered.get(number);
      return encrypted ? decrypt(encrypted, key, `${id}/${number}/${about}`) : undefined;
    },
    async sending(number) {
      if (performance.now() - keptAt > keepMs) {
        await keepStaged(app.db, keyObject);
        keptAt = performance.now();
      }
      await change(app, call, number, null);
    },
    async save(number, about, { words, speechMs }) {
      const encrypted = encrypt(words, key, `${id}/${number}/${about}`);
      await change(app, call, number, encrypted, (tx) => addUsage(tx, workspaceId, { speechMs }));
    },
  };
}

/** Writes a stretch of a run that has not ended. */
async function change(
  app: App,
  { workspaceId, id }: CallRef,
  number: number,
  encryptedWords: Buffer | null,
  also?: (tx: Db) => Promise<void>,
): Promise<void> {
  await inWorkspace(app, workspaceId, async (tx) => {
    const { numAffectedRows = 0n } = await sql`
      insert into transcript_stretch (workspace_id, call_id, number, encrypted_words)
      select workspace_id, call_id, ${number}, ${encryptedWords}::bytea from transcript_run
      where workspace_id = ${workspaceId} and call_id = ${id}
      on conflict (workspace_id, call_id, number) do update
        set encrypted_words = coalesce(excluded.encrypted_words, transcript_stretch.encrypted_words),
        sent = transcript_stretch.sent + (excluded.encrypted_words is null)::int`.execute(tx);
    if (numAffectedRows === 0n) throw new RunEnded("the run has ended");
    await also?.(tx);
  });
}

/** Adds to what the workspace has used today. */
export async function addUsage(
  tx: Db,
  workspaceId: string,
  { speechMs = 0, calls = 0 }: { speechMs?: number; calls?: number },
): Promise<void> {
  await sql`
    insert into transcription_usage as used (workspace_id, day, calls, speech_ms)
    values (${workspaceId}, (now() at time zone 'UTC')::date, ${calls}, ${Math.round(speechMs)})
    on conflict (workspace_id, day) do update
      set calls = used.calls + excluded.calls, speech_ms = used.speech_ms + excluded.speech_ms`.execute(tx);
}

interface RunKey {
  readonly keyObject: string;
  readonly key: Buffer;
}

async function findKey(app: App, call: CallRef): Promise<RunKey | undefined> {
  const keyObject = await keepRun(app, call);
  if (keyObject === undefined) return undefined;
  const key = await readKey(app, keyObject);
  return key && { keyObject, key };
}

/** Restarts the sweeper's delay for the key of a run. Returns its object, or undefined if the run has ended or its key is gone. */
export async function keepRun(app: App, { workspaceId, id }: CallRef): Promise<string | undefined> {
  const run = await inWorkspace(app, workspaceId, (tx) =>
    tx
      .selectFrom("transcriptRun")
      .select("keyObject")
      .where("workspaceId", "=", workspaceId)
      .where("callId", "=", id)
      .executeTakeFirst(),
  );
  return run && (await keepStaged(app.db, run.keyObject)) ? run.keyObject : undefined;
}

async function readKey(app: App, keyObject: string): Promise<Buffer | undefined> {
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await app.storage.get(keyObject)) chunks.push(chunk);
    const key = Buffer.concat(chunks);
    return key.length === keyBytes ? key : undefined;
  } catch (error) {
    if (error instanceof ObjectMissing) return undefined;
    throw storageUnavailable(error);
  }
}

/** Begins a run, unless the call was erased meanwhile. What an earlier run has heard is lost with its key. */
async function begin(app: App, { workspaceId, id }: CallRef): Promise<RunKey> {
  const keyObject = newObjectKey("transcripts", workspaceId);
  const key = randomBytes(keyBytes);
  await stageObjects(app.db, [keyObject]);
  await storeObject(
    app,
    { key: keyObject, owner: workspaceId },
    (async function* () {
      yield key;
    })(),
  );
  const begun = await inWorkspace(app, workspaceId, async (tx) => {
    if (!(await lockStep(tx, { workspaceId, id }))) return false;
    await removeRun(tx, { workspaceId, id });
    await tx.insertInto("transcriptRun").values({ workspaceId, callId: id, keyObject }).execute();
    return true;
  });
  if (begun) return { keyObject, key };
  await restageAndDiscard(app, [keyObject]);
  throw new RunEnded("the call was erased or transcribed meanwhile");
}

export async function hasRun(tx: Db, { workspaceId, id }: CallRef): Promise<boolean> {
  const run = await tx
    .selectFrom("transcriptRun")
    .select("callId")
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", id)
    .executeTakeFirst();
  return run !== undefined;
}

/** Whether stretches were answered since this was last asked, or since the run began. */
export async function hasProgressed(tx: Db, { workspaceId, id }: CallRef): Promise<boolean> {
  const { rows } = await sql`
    update transcript_run as run set answered = now.answered
    from (select count(*)::int as answered from transcript_stretch
      where workspace_id = ${workspaceId} and call_id = ${id} and encrypted_words is not null) as now
    where workspace_id = ${workspaceId} and call_id = ${id} and now.answered > run.answered
    returning run.call_id`.execute(tx);
  return rows.length > 0;
}

/** Removes a run and its stretches. Returns the key's object, which the caller deletes after the commit. */
export async function removeRun(tx: Db, { workspaceId, id }: CallRef): Promise<string | undefined> {
  const removed = await tx
    .deleteFrom("transcriptRun")
    .where("workspaceId", "=", workspaceId)
    .where("callId", "=", id)
    .returning("keyObject")
    .executeTakeFirst();
  return removed?.keyObject;
}

/** `about` is authenticated: an answer is only read again for the same part of the same call. */
const encrypt = (words: readonly HeardWord[], key: Buffer, about: string): Buffer =>
  encryptAesGcm(key, JSON.stringify(words), about);

/** Undefined: heard from other sound, or in another language. */
function decrypt(bytes: Buffer, key: Buffer, about: string): HeardWord[] | undefined {
  const opened = decryptAesGcm(key, bytes, about);
  return opened && (JSON.parse(opened.toString()) as HeardWord[]);
}
