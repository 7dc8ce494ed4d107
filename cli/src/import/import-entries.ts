import { setImmediate } from "node:timers/promises";
import { type CallsFoundBody, type Client, ServiceError } from "@hearback/sdk";
import type { Entry } from "../manifest/entry.ts";
import { openBuffers } from "./buffers.ts";
import { EntryError } from "./entry-error.ts";
import { entryKey } from "./entry-key.ts";
import { explainFailure, fixes } from "./explain-failure.ts";
import { openGate } from "./gate.ts";
import type { Journal } from "./journal.ts";
import type { Pace } from "./pace.ts";
import { keptBytes, readRecording } from "./read-recording.ts";
import { concernsAll, openStopping, type StopOptions } from "./stopping.ts";
import { type ImportCounts, openTally, type TallyOptions } from "./tally.ts";
import { fingerprintOf, type Prepared, uploadEntry } from "./upload-entry.ts";

/** What is read ahead of the uploads: enough for whole look-ups, and no more memory than this. */
const ahead = { entries: 400, bytes: 20 * 1024 * 1024, readers: 4 };
/** How many are looked up at once: at most, and at least while more are being read. Large ones are not waited for. */
const lookUps = { most: 200, least: 20, leastBytes: 2 * 1024 * 1024 };
/** After so many entries that need nothing, others get a turn: signals, a progress bar. */
const breathAfter = 500;

export interface ImportOptions extends TallyOptions, StopOptions {
  /** Its retries should be off (`attempts: 1`): the pace does it for all requests together. */
  readonly client: Client;
  /** Read as it is needed, a few hundred ahead. It should end when `signal` is aborted. */
  readonly entries: AsyncIterable<Entry>;
  readonly journal: Journal;
  readonly pace: Pace;
}

type Found = CallsFoundBody["calls"][number];

/**
 * Makes sure that every entry is a call of the service: what is there already is not sent, the rest is uploaded, what
 * cannot be is told to `onFailure`. Throws ImportStopped when it cannot go on; run again, it continues.
 */
export async function importEntries(options: ImportOptions): Promise<ImportCounts> {
  const { client, pace, journal } = options;
  const stopping = openStopping(options);
  const tally = openTally(options);
  const gate = openGate();
  const hashed: Prepared[] = [];
  const missing: Prepared[] = [];
  const buffers = openBuffers(ahead.bytes);
  const held = { entries: 0, bytes: 0 };
  const ended = { reading: false, lookingUp: false };
  let skipped = 0;
  let reading = 0;
  stopping.gently.addEventListener("abort", gate.wake);

  const stopped = () => stopping.gently.aborted;
  const heldBy = (entry: Entry) => (entry.bytes <= keptBytes ? entry.bytes : 0);

  function letGo(entry: Entry): void {
    held.entries--;
    held.bytes -= heldBy(entry);
    gate.wake();
  }

  /** For what went wrong with one entry, and perhaps with all of them. */
  function failed(entry: Entry, error: unknown): void {
    if (stopped() && !(error instanceof EntryError)) return;
    if (!(error instanceof EntryError) && concernsAll(error)) stopping.stop(error);
    else tally.failed(entry, error);
  }

  async function prepare(entry: Entry): Promise<void> {
    const key = entryKey(entry);
    const known = journal.find(key);
    if (known) {
      tally.earlier(entry, known);
      if (++skipped % breathAfter === 0) await setImmediate();
      return;
    }
    const fits = () => held.entries < ahead.entries && (held.bytes === 0 || held.bytes + heldBy(entry) <= ahead.bytes);
    await gate.until(() => stopped() || fits());
    if (stopped()) return;
    held.entries++;
    held.bytes += heldBy(entry);
    reading++;
    try {
      hashed.push({ entry, key, read: await readRecording(entry, buffers) });
    } catch (error) {
      failed(entry, error);
      letGo(entry);
    }
    reading--;
    gate.wake();
  }

  async function read(iterator: AsyncIterator<Entry>): Promise<void> {
    for (let next = await iterator.next(); !next.done && !stopped(); next = await iterator.next())
      await prepare(next.value);
  }

  async function readAll(): Promise<void> {
    const iterator = options.entries[Symbol.asyncIterator]();
    await Promise.all(Array.from({ length: ahead.readers }, () => read(iterator)));
    if (stopped()) await iterator.return?.();
    ended.reading = true;
    gate.wake();
  }

  function settle(prepared: Prepared, found: Found | undefined): void {
    const { entry, key, read } = prepared;
    if (found && found.status !== "missing") {
      tally.settled({ entry, key, sha256: read.sha256, id: found.id, result: found.status });
      read.free();
      letGo(entry);
    } else if (found?.reason === "agent_not_found" || found?.reason === "campaign_not_found") {
      tally.failed(entry, undefined, whyMissing(entry, found.reason));
      letGo(entry);
    } else missing.push(prepared);
  }

  async function lookUpAll(): Promise<void> {
    // Not as soon as anything is hashed: a few large look-ups cost the service less than many small ones.
    const many = () => hashed.length >= lookUps.least || sumOf(hashed) >= lookUps.leastBytes || reading === 0;
    const worthIt = () => hashed.length >= lookUps.most || (hashed.length > 0 && missing.length <= pace.most && many());
    for (;;) {
      await gate.until(() => stopped() || worthIt() || (ended.reading && hashed.length === 0));
      if (stopped() || hashed.length === 0) break;
      const batch = hashed.splice(0, lookUps.most);
      const ask = () => client.calls.lookUp(batch.map(fingerprintOf), { signal: stopping.atOnce });
      const found = await pace.run(ask, { signal: stopping.gently }).catch(notAnswered);
      for (const [at, prepared] of batch.entries()) settle(prepared, found[at]);
      gate.wake();
    }
    ended.lookingUp = true;
    gate.wake();
  }

  async function lane(): Promise<void> {
    for (;;) {
      await gate.until(() => stopped() || missing.length > 0 || ended.lookingUp);
      if (stopped() || (missing.length === 0 && ended.lookingUp)) return;
      const prepared = missing.shift();
      // Another lane was faster.
      if (!prepared) continue;
      await uploadEntry(prepared, { client, pace, stopping, tally }).catch((error) => failed(prepared.entry, error));
      letGo(prepared.entry);
    }
  }

  // Whatever breaks one part must not leave the others waiting.
  const safely = (part: Promise<void>) => part.catch((error) => stopping.stop(error));
  await Promise.all([readAll(), lookUpAll(), ...Array.from({ length: pace.most }, lane)].map(safely));
  stopping.end();
  return tally.counts;
}

const sumOf = (items: readonly Prepared[]) => items.reduce((sum, { entry }) => sum + entry.bytes, 0);

/** A look-up that is refused as a whole says nothing about each: then each is uploaded, and answered for itself. */
function notAnswered(error: unknown): readonly Found[] {
  if (error instanceof ServiceError && !concernsAll(error)) return [];
  throw error;
}

function whyMissing(entry: Entry, code: "agent_not_found" | "campaign_not_found") {
  const reason =
    code === "agent_not_found"
      ? `There is no agent "${entry.agentEmail}" in this workspace.`
      : `There is no campaign "${entry.campaignId}" in this workspace, or the key is not for it.`;
  return { code, reason, fix: fixes[code] ?? explainFailure(undefined).fix };
}
