import type { Client } from "@hearback/sdk";
import { createAgents } from "../import/create-agents.ts";
import { importEntries } from "../import/import-entries.ts";
import { ImportStopped } from "../import/import-stopped.ts";
import { openPace, type Pace } from "../import/pace.ts";
import { type Progress, startProgress } from "../import/progress.ts";
import { reconcile } from "../import/reconcile.ts";
import type { Difference, Reconciliation } from "../import/reconciliation-report.ts";
import type { Survey } from "../survey/survey.ts";
import { harmless } from "../terminal/text-width.ts";
import { failRow, rightEntries, timed, type WritingRun, watchProgress } from "./import-run.ts";

/** What became of the rows that the survey found to be right. */
export interface ImportOutcome {
  readonly agentsCreated: number;
  readonly erased: number;
  readonly imported: Progress;
  /** undefined: it was left out, or not reached. */
  readonly proof: Reconciliation | undefined;
  readonly stopped: ImportStopped | undefined;
}

/** The parts of an import that change as it goes on. */
interface Work {
  readonly run: WritingRun;
  readonly found: Survey;
  readonly client: Client;
  readonly pace: Pace;
  readonly say: (line: string) => void;
}

export async function importAndProve(run: WritingRun, found: Survey): Promise<ImportOutcome> {
  const { context, command, options } = run;
  // The pace repeats what has to be repeated, for all requests together.
  const { client } = await context.connect(command, { retries: { attempts: 1 } });
  const pace = openPace({ most: options.atOnce, patienceMs: options.patience * 60_000 });
  const total = { total: found.importable, totalBytes: found.importableBytes };
  const imported = startProgress({ phase: "importing", ...total }, pace);
  let progress = imported;
  const view = watchProgress(run, () => progress);
  const work: Work = { run, found, client, pace, say: view.say };
  const outcome = { agentsCreated: 0, erased: 0, proof: undefined as Reconciliation | undefined };
  let stopped: ImportStopped | undefined;
  try {
    const { created, failed } = await createMissingAgents(work);
    outcome.agentsCreated = created;
    outcome.erased = await importAll(work, imported, failed);
    if (options.proof) {
      progress = startProgress({ phase: "reconciling", ...total }, pace);
      outcome.proof = await proveAll(work, progress);
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

const createMissingAgents = ({ run, found, client, pace, say }: Work) =>
  createAgents({
    ...{ client, pace, agents: found.newAgents, signal: run.context.signal },
    onFailure: ({ email, reason }) => say(`${harmless(email)} could not be created: ${harmless(reason)}`),
  });

/** Gives how many were erased on request. */
async function importAll(
  { run, found, client, pace, say }: Work,
  progress: Progress,
  agentProblems: ReadonlyMap<string, string>,
): Promise<number> {
  const { journal, failures, failedLines, context } = run;
  const tell = (line: number, reason: string) => say(`line ${line}: ${harmless(reason)}`);
  const entries = rightEntries(run, found, (finding) => {
    failRow(run, finding);
    progress.failed++;
    progress.done++;
    tell(finding.line, finding.detail);
  });
  const [{ erased }, seconds] = await timed(() =>
    importEntries({
      ...{ client, journal, pace, progress, entries, agentProblems, signal: context.signal },
      onFailure(failure) {
        failedLines.add(failure.line);
        failures.add(failure);
        tell(failure.line, failure.reason);
      },
    }),
  );
  run.seconds.importing = seconds;
  return erased;
}

/** Compares every row that did not fail with the service. */
async function proveAll({ run, found, client, pace, say }: Work, progress: Progress): Promise<Reconciliation> {
  const { journal, context } = run;
  const onDifference = tellFirst(say);
  let gone = 0;
  const entries = rightEntries(run, found, ({ line, detail, file = "" }) => {
    gone++;
    onDifference({ line, file, kind: "not_importable", id: null, detail });
  });
  const [proof, seconds] = await timed(() =>
    reconcile({ client, journal, pace, progress, entries, onDifference, signal: context.signal }),
  );
  run.seconds.reconciling = seconds;
  return {
    ...proof,
    rows: proof.rows + gone,
    notImportable: proof.notImportable + gone,
    complete: proof.complete && gone === 0,
  };
}

const mostTold = 20;

/** Names the first rows that the service does not have; `hearback reconcile` names all of them. */
function tellFirst(say: (line: string) => void): (difference: Difference) => void {
  let told = 0;
  return ({ line, kind, detail }) => {
    if (kind !== "missing" && kind !== "not_importable") return;
    if (++told <= mostTold) say(`line ${line}: ${harmless(detail)}`);
    else if (told === mostTold + 1) say("… and more; hearback reconcile, with the same options, names all of them.");
  };
}
