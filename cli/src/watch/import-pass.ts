import { importEntries } from "../import/import-entries.ts";
import type { Journal, JournalLine } from "../import/journal.ts";
import { startProgress } from "../import/progress.ts";
import type { ImportFailure } from "../import/tally.ts";
import type { Entry } from "../manifest/entry.ts";
import { type FindOptions, findReady, type Pass, type Ready } from "./find-ready.ts";
import type { Failure } from "./marks.ts";
import { openResults, type ResultOptions } from "./results.ts";

/** How a recording becomes an entry: by its sidecar, by its name. "left out": the mapping does not want it. */
export interface Plan {
  read(ready: Ready, line: number): Promise<Entry | Failure | "left out">;
}

export interface PassOptions extends FindOptions, ResultOptions {
  readonly plan: Plan;
  readonly cancel: AbortSignal;
}

/** Goes through the folder once and imports what is complete. */
export async function importPass(options: PassOptions): Promise<Pass & { readonly ready: number }> {
  const { client, pace, plan, cancel } = options;
  // What goes wrong with one recording in a way that concerns all ends the pass.
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const pass: Pass = { waiting: 0, failed: 0, complete: true, trouble: undefined };
  const underWay = new Map<number, { readonly ready: Ready; readonly entry: Entry }>();
  const finishing = new Set<Promise<void>>();
  const results = openResults(options);
  let ready = 0;

  async function* entries(): AsyncGenerator<Entry> {
    try {
      yield* found();
    } catch (error) {
      // A network file system that is away comes back.
      if (!(error instanceof Error && "errno" in error)) throw error;
      Object.assign(pass, { complete: false, trouble: `the folder cannot be read: ${error.message}` });
    }
  }

  async function* found(): AsyncGenerator<Entry> {
    for await (const one of findReady(options, pass)) {
      const entry = await plan.read(one, ++ready);
      if (entry === "left out") results.leftOut(one);
      else if ("code" in entry) await results.failed(one, entry);
      else {
        underWay.set(ready, { ready: one, entry });
        yield entry;
      }
    }
  }

  function settle(line: number, work: (ready: Ready, entry: Entry) => Promise<void>): void {
    const known = underWay.get(line);
    underWay.delete(line);
    if (!known) return;
    const task = work(known.ready, known.entry)
      .catch((error) => stopping.abort(error))
      .finally(() => finishing.delete(task));
    finishing.add(task);
  }

  const journal = openForgetfulJournal((line) => settle(line.line, (found) => results.done(found, line)));
  const onFailure = (failure: ImportFailure) =>
    settle(failure.line, (found, entry) => results.refused(found, entry, failure));
  const progress = startProgress({ phase: "importing", total: 0, totalBytes: 0 }, pace);
  const importing = importEntries({ client, pace, journal, progress, entries: entries(), signal, cancel, onFailure });
  await importing.catch(() => {});
  await Promise.all(finishing);
  if (stopping.signal.aborted && !options.signal.aborted) throw stopping.signal.reason;
  await importing;
  return { ...pass, ready };
}

/** The marks beside the recordings, and the service, are all that has to be remembered. */
const openForgetfulJournal = (onAdd: (line: JournalLine) => void): Journal => ({
  file: "",
  size: 0,
  expect: () => {},
  find: () => undefined,
  read: () => undefined,
  add: onAdd,
  close: async () => {},
});
