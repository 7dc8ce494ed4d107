import type { Client } from "@hearback/sdk";
import { type AdaptiveConcurrency, openAdaptiveConcurrency } from "../../import/concurrency/adaptive-concurrency.ts";
import { createAgents } from "../../import/create-agents.ts";
import { importEntries } from "../../import/import-entries.ts";
import { ImportStopped } from "../../import/import-stopped.ts";
import { type Progress, startProgress } from "../../import/progress.ts";
import { reconcile } from "../../import/reconcile.ts";
import type { Difference, Reconciliation } from "../../import/reconciliation-report.ts";
import type { Preflight } from "../../preflight/preflight.ts";
import { sanitize } from "../../terminal/text-width.ts";
import {
  importableEntries,
  joinDetails,
  recordFailure,
  timed,
  type WritingImportState,
  watchProgress,
} from "./state.ts";

/** Result of importing the rows that passed the preflight. */
export interface ImportOutcome {
  readonly agentsCreated: number;
  readonly erased: number;
  readonly imported: Progress;
  /** undefined: skipped or not reached. */
  readonly reconciliation: Reconciliation | undefined;
  readonly stopped: ImportStopped | undefined;
}

interface Work {
  readonly run: WritingImportState;
  readonly found: Preflight;
  readonly client: Client;
  readonly concurrency: AdaptiveConcurrency;
  readonly say: (line: string) => void;
}

export async function importAndReconcile(run: WritingImportState, found: Preflight): Promise<ImportOutcome> {
  const { context, command, options } = run;
  // Retries are off in the client: AdaptiveConcurrency retries for all requests together.
  const { client } = await context.connect(command, { retries: { attempts: 1 } });
  const concurrency = openAdaptiveConcurrency({ max: options.concurrency, giveUpAfterMs: options.maxWait * 60_000 });
  const total = { total: found.importable, totalBytes: found.importableBytes };
  const imported = startProgress({ phase: "importing", ...total }, concurrency);
  let progress = imported;
  const view = watchProgress(run, () => progress);
  const work: Work = { run, found, client, concurrency, say: view.say };
  const outcome = { agentsCreated: 0, erased: 0, reconciliation: undefined as Reconciliation | undefined };
  let stopped: ImportStopped | undefined;
  try {
    const { created, failed } = await createMissingAgents(work);
    outcome.agentsCreated = created;
    outcome.erased = await importAll(work, imported, failed);
    if (options.reconcile) {
      progress = startProgress({ phase: "reconciling", ...total }, concurrency);
      outcome.reconciliation = await reconcileAll(work, progress);
    }
  } catch (error) {
    if (!(error instanceof ImportStopped)) throw error;
    stopped = error;
  } finally {
    view.stop();
    client.close();
  }
  return { ...outcome, imported, stopped };
}

const createMissingAgents = ({ run, found, client, concurrency, say }: Work) =>
  createAgents({
    client,
    concurrency,
    agents: found.newAgents,
    signal: run.context.signal,
    onFailure: ({ email, reason }) => say(`${sanitize(email)} could not be created: ${sanitize(reason)}`),
  });

/** Returns how many entries were skipped because their calls were erased on request. */
async function importAll(
  { run, found, client, concurrency, say }: Work,
  progress: Progress,
  agentProblems: ReadonlyMap<string, string>,
): Promise<number> {
  const { journal, failures, failedLines, context } = run;
  const report = (line: number, file: string, reason: string) =>
    say(`line ${line}, ${sanitize(file)}: ${sanitize(reason)}`);
  const entries = importableEntries(run, found, (row, findings) => {
    recordFailure(run, row, findings);
    progress.failed++;
    progress.done++;
    report(row.line, row.file ?? "", joinDetails(findings));
  });
  const [{ erased }, seconds] = await timed(() =>
    importEntries({
      client,
      journal,
      concurrency,
      progress,
      entries,
      agentProblems,
      signal: context.signal,
      onFailure(failure) {
        failedLines.add(failure.line);
        const { line, file, cells } = failure;
        failures.add({ line, file, cells, problems: [failure] });
        report(failure.line, failure.file, failure.reason);
      },
    }),
  );
  run.seconds.importing = seconds;
  return erased;
}

/** Compares every row that did not fail with the service. */
async function reconcileAll(
  { run, found, client, concurrency, say }: Work,
  progress: Progress,
): Promise<Reconciliation> {
  const { journal, context } = run;
  const onDifference = reportFirst(say);
  let gone = 0;
  const entries = importableEntries(run, found, ({ line, file = "" }, findings) => {
    gone++;
    onDifference({ line, file, kind: "not_importable", id: null, detail: joinDetails(findings) });
  });
  const [reconciliation, seconds] = await timed(() =>
    reconcile({ client, journal, concurrency, progress, entries, onDifference, signal: context.signal }),
  );
  run.seconds.reconciling = seconds;
  return {
    ...reconciliation,
    rows: reconciliation.rows + gone,
    notImportable: reconciliation.notImportable + gone,
    complete: reconciliation.complete && gone === 0,
  };
}

const maxReported = 20;

/** Prints the first rows that are missing. `hearback reconcile` prints all of them. */
function reportFirst(say: (line: string) => void): (difference: Difference) => void {
  let reported = 0;
  return ({ line, file, kind, detail }) => {
    if (kind !== "missing" && kind !== "not_importable") return;
    if (++reported <= maxReported) say(`line ${line}, ${sanitize(file)}: ${sanitize(detail)}`);
    else if (reported === maxReported + 1)
      say("… and more. To list all of them, run hearback reconcile with the same options.");
  };
}
