import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { createAgents } from "../import/create-agents.ts";
import { type Failures, openFailures } from "../import/failures.ts";
import { importEntries } from "../import/import-entries.ts";
import { ImportStopped } from "../import/import-stopped.ts";
import { openJournal } from "../import/journal.ts";
import { openPace, type Pace } from "../import/pace.ts";
import { type Progress, startProgress } from "../import/progress.ts";
import { reconcile } from "../import/reconcile.ts";
import type { Difference, Reconciliation } from "../import/reconciliation-report.ts";
import type { Manifest } from "../manifest/open-manifest.ts";
import { type Survey, survey } from "../survey/survey.ts";
import { surveyJson } from "../survey/survey-json.ts";
import { surveyWords } from "../survey/survey-words.ts";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { showProgress } from "../terminal/progress-bar.ts";
import { askYesNo } from "../terminal/question.ts";
import { type ImportSummary, tellSummary } from "../terminal/summary.ts";
import { harmless } from "../terminal/text-width.ts";
import { counted } from "../terminal/units.ts";
import { type Context, globalOptions } from "./context.ts";
import { type ManifestOptions, openChosenManifest, stateFolder } from "./manifest-options.ts";
import { summaryJson } from "./summary-json.ts";

export interface ImportOptions extends ManifestOptions {
  readonly dryRun?: boolean;
  readonly createAgents?: boolean;
  readonly skipWrong?: boolean;
  readonly yes?: boolean;
  readonly atOnce: number;
  readonly patience: number;
  readonly proof: boolean;
}

/** Everything that the parts of one run share. */
interface Run {
  readonly context: Context;
  readonly command: Command;
  readonly options: ImportOptions;
  readonly manifest: Manifest;
  readonly folder: string;
  readonly failures: Failures;
  readonly seconds: { reading: number; importing: number; reconciling: number };
}

/** Reads, says what was found, imports, proves. */
export async function runImport(
  context: Context,
  command: Command,
  path: string | undefined,
  options: ImportOptions,
): Promise<void> {
  const manifest = await openChosenManifest(path, options, context.stdin);
  const folder = stateFolder(path, options);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const failures = openFailures({ file: join(folder, "failures.csv"), columns: manifest.columns });
  const seconds = { reading: 0, importing: 0, reconciling: 0 };
  const run: Run = { context, command, options, manifest, folder, failures, seconds };
  try {
    const found = await lookAtAll(run);
    if (options.dryRun) return endDryRun(run, found, await failures.close());
    await agreeToImport(run, found);
    await importAndProve(run, found);
  } finally {
    await failures.close();
    await manifest.close();
  }
}

const mostTold = 20;

const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const began = performance.now();
  return [await work(), (performance.now() - began) / 1000];
};

function watch({ context, command }: Run, read: () => Readonly<Progress>) {
  const { quiet } = globalOptions(command);
  return showProgress({ read, output: context.stderr, env: context.env, quiet });
}

const say = ({ context, command }: Run, lines: readonly string[]) => {
  if (!globalOptions(command).json) context.print(lines.join("\n"));
};

/** The first look at everything: nothing is changed. */
async function lookAtAll(run: Run): Promise<Survey> {
  const { context, command, manifest, options, failures } = run;
  // Nobody looks on: a service that is being restarted is waited for. Whoever looks on wants to know at once.
  const { client } = await context.connect(command, context.stderr.isTTY ? {} : { retries: {} });
  const counts = { done: 0, doneBytes: 0, sentBytes: 0, imported: 0, present: 0, failed: 0 };
  const progress: Progress = { phase: "reading", total: 0, totalBytes: 0, ...counts, atOnce: 0, waiting: undefined };
  const view = watch(run, () => progress);
  try {
    const [found, seconds] = await timed(() =>
      survey(manifest, {
        client,
        createAgents: options.createAgents ?? false,
        signal: context.signal,
        onProgress({ rows, bytes }) {
          progress.done = rows;
          progress.doneBytes = bytes;
        },
        onFinding({ level, line, code, detail, fix, cells, file }) {
          if (level === "error" && line !== undefined && cells)
            failures.add({ line, file: file ?? "", code, reason: detail, fix, cells });
        },
      }),
    );
    run.seconds.reading = seconds;
    if (found.unknownAgents.size > 0) await failUnknownAgents(run, found);
    await failures.publish();
    view.stop();
    say(run, surveyWords(found, { style: context.style, findingsFile: join(run.folder, "failures.csv") }));
    return found;
  } finally {
    view.stop();
    client.close();
  }
}

const wrongRows = ({ rows, skipped, importable }: Survey) => rows - skipped - importable;

function endDryRun({ context, command }: Run, found: Survey, failuresFile: string | undefined): void {
  if (globalOptions(command).json)
    context.print(JSON.stringify({ ...surveyJson(found), failures_file: failuresFile ?? null }));
  else context.print("\nNothing was imported: this was a dry run.");
  if (found.blocked) context.endWith(exitCodes.usage);
  else if (wrongRows(found) > 0) context.endWith(exitCodes.someFailed);
}

/** Whether to go on, when something is wrong or somebody can be asked. */
async function agreeToImport({ context, command, options }: Run, found: Survey): Promise<void> {
  const wrong = wrongRows(found);
  const refuse = (message: string, code: string, fix?: string) =>
    new CommandError(message, { exitCode: exitCodes.usage, code, fix });
  if (globalOptions(command).json && (found.blocked || (wrong > 0 && !options.skipWrong)))
    context.print(JSON.stringify(surveyJson(found)));
  if (found.blocked) throw refuse("Nothing was imported: the manifest cannot be used as it is.", "manifest_unusable");
  if (found.importable === 0 && wrong > 0)
    throw refuse("Nothing was imported: no row can be.", "nothing_importable", "Mend the rows, and run it again.");
  if (wrong > 0 && !options.skipWrong) {
    const question = `${counted(wrong, "row")} would be left out. Import the other ${counted(found.importable, "call")}?`;
    if (!options.yes && (await ask(context, question)) === "yes") return;
    const fix = `Mend them; or add --skip-wrong to import the other ${counted(found.importable, "call")}.`;
    throw refuse(`Nothing was imported: ${counted(wrong, "row")} cannot be.`, "rows_wrong", fix);
  }
  if (options.yes || found.importable === 0) return;
  const answer = await ask(context, `Import ${counted(found.importable, "call")}?`);
  if (answer === "no") throw refuse("Nothing was imported.", "not_wanted");
}

const ask = ({ stdin, stderr, signal }: Context, question: string) =>
  askYesNo({ input: stdin, output: stderr, signal }, question);

/** The entries that the first look found to be right. */
async function* importable({ manifest, context }: Run, found: Survey) {
  for await (const item of manifest.entries(context.signal)) {
    if (!("code" in item) && found.isImportable(item)) yield item;
  }
}

async function importAndProve(run: Run, found: Survey): Promise<void> {
  const { context, command, options, folder } = run;
  // The pace repeats what has to be repeated, for all requests together.
  const { client, url, apiKey } = await context.connect(command, { retries: { attempts: 1 } });
  const pace = openPace({ most: options.atOnce, patienceMs: options.patience * 60_000 });
  const work = { total: found.importable, totalBytes: found.importableBytes };
  let progress = startProgress({ phase: "importing", ...work }, pace);
  const journal = await openJournal({ folder, service: url, apiKey, expected: found.importable });
  const view = watch(run, () => progress);
  const outcome = { agentsCreated: 0, erased: 0, proof: undefined as Reconciliation | undefined };
  let stopped: ImportStopped | undefined;
  const imported = progress;
  try {
    outcome.agentsCreated = await createMissing(run, found, { client, pace, say: view.say });
    const [counts, importing] = await timed(() =>
      importEntries({
        ...{ client, journal, pace, progress },
        entries: importable(run, found),
        signal: context.signal,
        onFailure(failure) {
          run.failures.add(failure);
          view.say(`line ${failure.line}: ${harmless(failure.reason)}`);
        },
      }),
    );
    run.seconds.importing = importing;
    outcome.erased = counts.erased;
    if (options.proof) {
      progress = startProgress({ phase: "reconciling", ...work }, pace);
      const entries = importable(run, found);
      const onDifference = tellFirst(view.say);
      const [proof, seconds] = await timed(() =>
        reconcile({ client, journal, pace, progress, entries, onDifference, signal: context.signal }),
      );
      outcome.proof = proof;
      run.seconds.reconciling = seconds;
    }
  } catch (error) {
    if (!(error instanceof ImportStopped)) throw error;
    stopped = error;
  } finally {
    view.stop();
    await journal.close();
    client.close();
  }
  await tell(run, found, { ...outcome, imported, stopped });
}

/** Names the first rows that the service does not have; `hearback reconcile` names all of them. */
function tellFirst(say: (line: string) => void): (difference: Difference) => void {
  let told = 0;
  return ({ line, kind, detail }) => {
    if (kind !== "missing" && kind !== "not_importable") return;
    if (++told <= mostTold) say(`line ${line}: ${harmless(detail)}`);
    else if (told === mostTold + 1) say("… and more; hearback reconcile, with the same options, names all of them.");
  };
}

interface Agents {
  readonly client: Parameters<typeof createAgents>[0]["client"];
  readonly pace: Pace;
  readonly say: (line: string) => void;
}

async function createMissing({ context }: Run, { newAgents }: Survey, { client, pace, say }: Agents): Promise<number> {
  const { created } = await createAgents({
    ...{ client, pace, agents: newAgents, signal: context.signal },
    onFailure: ({ email, reason }) => say(`${harmless(email)} could not be created: ${harmless(reason)}`),
  });
  return created;
}

/** The first look named each agent once; the file of failures names each row. */
async function failUnknownAgents({ manifest, context, failures }: Run, { unknownAgents }: Survey): Promise<void> {
  for await (const item of manifest.entries(context.signal)) {
    if ("code" in item || !unknownAgents.has(item.agentEmail.toLowerCase())) continue;
    const reason = `There is no agent "${item.agentEmail}" in this workspace.`;
    const fix = "Correct the address, or add --create-agents.";
    failures.add({ line: item.line, file: item.file, code: "agent_unknown", reason, fix, cells: item.cells });
  }
}

interface Outcome {
  readonly agentsCreated: number;
  readonly erased: number;
  readonly proof: Reconciliation | undefined;
  readonly imported: Progress;
  readonly stopped: ImportStopped | undefined;
}

async function tell(run: Run, found: Survey, outcome: Outcome): Promise<void> {
  const { context, command, seconds, failures } = run;
  const { imported, stopped, proof, agentsCreated, erased } = outcome;
  const wrong = wrongRows(found);
  const failuresFile = await failures.close();
  const summary: ImportSummary = {
    ended: !stopped ? "done" : stopped.exitCode === exitCodes.stopped ? "stopped" : "given-up",
    total: found.importable + wrong,
    imported: imported.imported,
    present: imported.present - erased,
    failed: imported.failed + wrong,
    erased,
    agentsCreated,
    sentBytes: imported.sentBytes,
    durationMs: seconds.importing * 1000,
    failuresFile,
    proof: proof && { rows: proof.rows, found: proof.present + proof.erased, missing: proof.missing },
  };
  if (globalOptions(command).json) context.print(JSON.stringify(summaryJson(summary, { seconds, proof })));
  else context.print(tellSummary(summary, context.style));
  if (stopped) {
    if (stopped.exitCode !== exitCodes.stopped) context.note(command, harmless(stopped.message));
    return context.endWith(stopped.exitCode);
  }
  if (proof && !proof.complete && summary.failed === 0) context.endWith(exitCodes.different);
  else if (summary.failed > 0) context.endWith(exitCodes.someFailed);
}
