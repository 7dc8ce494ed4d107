import { importEntries } from "../import/import-entries.ts";
import type { ImportFailure } from "../import/import-stats.ts";
import type { Journal, JournalLine } from "../import/journal/journal.ts";
import { startProgress } from "../import/progress.ts";
import type { Entry } from "../manifest/entry.ts";
import { type FindOptions, findReady, type Pass, type ReadyRecording } from "./find-ready.ts";
import type { Failure } from "./marks.ts";
import { openResults, type ResultOptions } from "./results.ts";

/** Turns a recording into an entry, using its sidecar and name. "skipped": the mapping skips it. */
export interface Plan {
  read(ready: ReadyRecording, line: number): Promise<Entry | Failure | "skipped">;
}

export interface PassOptions extends FindOptions, ResultOptions {
  readonly plan: Plan;
  readonly cancel: AbortSignal;
}

/** Scans the folder once and imports complete recordings. */
export async function importPass(options: PassOptions): Promise<Pass & { readonly ready: number }> {
  const { client, concurrency, plan, cancel } = options;
  // A fatal error of one recording stops the pass.
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const pass: Pass = { waiting: 0, failed: 0, complete: true, problem: undefined };
  const inFlight = new Map<number, { readonly ready: ReadyRecording; readonly entry: Entry }>();
  const finishing = new Set<Promise<void>>();
  const results = openResults(options);
  let ready = 0;

  async function* entries(): AsyncGenerator<Entry> {
    try {
      yield* found();
    } catch (error) {
      // A network file system may come back.
      if (!(error instanceof Error && "errno" in error)) throw error;
      Object.assign(pass, { complete: false, problem: `cannot read the folder: ${error.message}` });
    }
  }

  async function* found(): AsyncGenerator<Entry> {
    for await (const recording of findReady(options, pass)) {
      const entry = await plan.read(recording, ++ready);
      if (entry === "skipped") results.skipped(recording);
      else if ("code" in entry) await results.failed(recording, entry);
      else {
        inFlight.set(ready, { ready: recording, entry });
        yield entry;
      }
    }
  }

  function settle(line: number, work: (ready: ReadyRecording, entry: Entry) => Promise<void>): void {
    const known = inFlight.get(line);
    inFlight.delete(line);
    if (!known) return;
    const task = work(known.ready, known.entry)
      .catch((error) => stopping.abort(error))
      .finally(() => finishing.delete(task));
    finishing.add(task);
  }

  const journal = openNullJournal((line) => settle(line.line, (found) => results.done(found, line)));
  const onFailure = (failure: ImportFailure) =>
    settle(failure.line, (found, entry) => results.refused(found, entry, failure));
  const progress = startProgress({ phase: "importing", total: 0, totalBytes: 0 }, concurrency);
  const importing = importEntries({
    client,
    concurrency,
    journal,
    progress,
    entries: entries(),
    signal,
    cancel,
    onFailure,
  });
  await importing.catch(() => {});
  await Promise.all(finishing);
  if (stopping.signal.aborted && !options.signal.aborted) throw stopping.signal.reason;
  await importing;
  return { ...pass, ready };
}

/** A journal without storage: the markers and the service hold the state. */
const openNullJournal = (onAdd: (line: JournalLine) => void): Journal => ({
  file: "",
  size: 0,
  reserve: () => {},
  find: () => undefined,
  read: () => undefined,
  add: onAdd,
  close: async () => {},
});
