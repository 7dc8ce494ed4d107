import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { App } from "../platform/app.ts";
import { prepared } from "../platform/database/prepared.ts";
import { AppError, recordingTooLarge, storageUnavailable } from "../platform/errors.ts";
import { inBatches } from "../platform/in-batches.ts";
import { type RecordingFacts, recogniseRecording } from "../platform/media/recognise-recording.ts";
import { heldBytes } from "../platform/storage/types.ts";

/** A recording that arrived whole and can be heard. */
export interface KnownRecording extends RecordingFacts {
  readonly bytes: number;
  readonly sha256: Buffer;
}

/** The same, and where it is stored. */
export interface ReceivedRecording extends KnownRecording {
  readonly key: string;
}

/** A recording that is looked at while it passes, and not kept. */
export interface PassingRecording {
  write(chunk: Uint8Array): undefined;
  /** All of it came: what it is, or a refusal. */
  recognise(): KnownRecording;
}

/** A recording on its way in. Nobody knows yet whose call it is. */
export interface IncomingRecording {
  /** Takes a chunk. A promise means: read no more until it resolves. */
  write(chunk: Uint8Array): Promise<void> | undefined;
  /** All of it came: what it is, or a refusal. */
  recognise(): ReceivedRecording;
  /** Resolves when the bytes are durable in the object store. */
  store(): Promise<void>;
  /** The same for one that is known to be unclaimed: also what was stored after the sweeper had looked and gone on. */
  discardUnclaimed(): Promise<void>;
  /** Leaves nothing behind, unless a call claimed it. */
  discard(): Promise<void>;
}

/** Gives the function that begins to receive a recording. */
export function openRecordings(app: App): (workspaceId: string) => IncomingRecording {
  // The staged row is the right to delete the object: it is there before the first byte is stored.
  const stage = inBatches(async (keys: string[]) => {
    await prepared(
      app.db,
      "stage",
    )`insert into staged_object (key) select unnest(${keys}::text[]) on conflict do nothing`;
  });
  // Hundreds of clients that leave at once do not take the others' connections.
  const discard = inBatches((keys: string[]) => discardAbandoned(app, keys));
  return (workspaceId) => receiveRecording(app, { stage, discard }, workspaceId);
}

interface StagedRows {
  stage(key: string): Promise<void>;
  /** For what is not being uploaded any more. */
  discard(key: string): Promise<void>;
}

/** Measures, hashes and recognises a recording. Holds at most 64 KiB of it. */
export function lookAtRecording({ config }: App): PassingRecording {
  const { maxBytes } = config.recordings;
  const hash = createHash("sha256");
  const recogniser = recogniseRecording();
  let bytes = 0;
  return {
    write(chunk) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw recordingTooLarge(maxBytes);
      hash.update(chunk);
      recogniser.write(chunk);
      return undefined;
    },
    recognise() {
      const verdict = recogniser.end();
      if (!verdict.ok) throw new AppError(verdict.problem, verdict.detail);
      return { bytes, sha256: hash.digest(), ...verdict.facts };
    },
  };
}

function receiveRecording(app: App, { stage, discard }: StagedRows, workspaceId: string): IncomingRecording {
  const day = new Date().toISOString().slice(0, 10);
  const key = `recordings/${workspaceId}/${day}/${randomUUID()}`;
  const passing = lookAtRecording(app);
  const upload = app.storage.create(key, workspaceId);
  let bytes = 0;
  let staged: Promise<void> | undefined;
  let isStaged = false;
  /** The store gave no clear answer: something may still land there, and the sweeper will look. */
  let uncertain = false;

  function beginStaging(): Promise<void> {
    const begun = stage(key).then(() => {
      isStaged = true;
    });
    // Whoever waits for it sees its failure; until then it is not a rejection without a listener.
    begun.catch(() => {});
    return begun;
  }

  async function stored(work: () => Promise<void>): Promise<void> {
    await staged;
    try {
      await work();
    } catch (error) {
      uncertain = true;
      throw storageUnavailable(error);
    }
  }

  return {
    write(chunk) {
      passing.write(chunk);
      bytes += chunk.length;
      staged ??= beginStaging();
      const full = upload.write(chunk);
      if (full) return stored(() => full);
      // Before so much came that the engine stores something, the row must be there.
      return isStaged || bytes < heldBytes / 4 ? undefined : staged;
    },
    recognise: () => ({ key, ...passing.recognise() }),
    store: () => stored(() => upload.finish()),
    async discardUnclaimed() {
      await upload.abort();
      if (await discardStaged(app, key)) return;
      // With a row of our own the object is found again, should we not come to the end of this.
      await stage(key);
      await discardStaged(app, key);
    },
    async discard() {
      await upload.abort().catch(() => {
        uncertain = true;
      });
      if (!staged || uncertain) return;
      await staged;
      await discard(key);
    },
  };
}

/**
 * Removes a staged object unless a call claimed it. Condemned first, in a transaction of its own, so that from then on no call
 * can claim it; then the object; then the row. Stopped anywhere, it can be done again. False: there was no row, no right.
 */
export async function discardStaged(app: App, key: string): Promise<boolean> {
  const condemned = await condemn(app, [key]);
  if (condemned.length === 0) return false;
  await app.storage.delete(key);
  await forget(app, condemned);
  return true;
}

/** The same for many at once, none of which is still being uploaded. */
async function discardAbandoned(app: App, keys: readonly string[]): Promise<void> {
  const condemned = await condemn(app, keys);
  await app.storage.deleteWhole(condemned);
  await forget(app, condemned);
}

const isAmong = (keys: readonly string[]) => sql<boolean>`key = any(${[...keys]}::text[])`;

async function condemn({ db }: App, keys: readonly string[]): Promise<string[]> {
  const rows = await db
    .updateTable("stagedObject")
    .set((eb) => ({ condemnedAt: eb.fn.coalesce("condemnedAt", eb.fn<Date>("now")) }))
    .where(isAmong(keys))
    .returning("key")
    .execute();
  return rows.map(({ key }) => key);
}

async function forget({ db }: App, keys: readonly string[]): Promise<void> {
  await db.deleteFrom("stagedObject").where(isAmong(keys)).execute();
}
