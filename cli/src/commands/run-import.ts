import type { Command } from "commander";
import { openFailures } from "../import/failures.ts";
import { ImportStopped } from "../import/import-stopped.ts";
import { openJournal } from "../import/journal.ts";
import { openLineSet } from "../import/line-set.ts";
import type { Survey } from "../survey/survey.ts";
import { surveyJson } from "../survey/survey-json.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { type ImportSummary, tellSummary } from "../terminal/summary.ts";
import { counted } from "../terminal/units.ts";
import { agreeToImport } from "./agree-to-import.ts";
import type { Context } from "./context.ts";
import { type ImportOutcome, importAndProve } from "./import-and-prove.ts";
import { type ImportOptions, type ImportRun, inJson } from "./import-run.ts";
import { openChosenManifest, stateFolder } from "./manifest-options.ts";
import { summaryJson } from "./summary-json.ts";
import { surveyManifest, wrongRows } from "./survey-manifest.ts";

/** Reads, says what was found, imports, proves. */
export async function runImport(
  context: Context,
  command: Command,
  path: string | undefined,
  options: ImportOptions,
): Promise<void> {
  const manifest = await openChosenManifest(path, options, context.stdin);
  try {
    const folder = stateFolder(path, options);
    const run = { context, command, options, manifest };
    await (options.dryRun ? lookOnly(run, folder) : importAll(run, folder));
  } finally {
    await manifest.close();
  }
}

type Opened = Pick<ImportRun, "context" | "command" | "options" | "manifest">;

const openRun = (opened: Opened, folder: string, name: string): ImportRun => ({
  ...opened,
  failures: openFailures({ folder, name, columns: opened.manifest.columns, separator: opened.manifest.separator }),
  failedLines: openLineSet(),
  seconds: { reading: 0, importing: 0, reconciling: 0 },
});

async function lookOnly(opened: Opened, folder: string): Promise<void> {
  const run = openRun(opened, folder, "dry-run");
  const { context, failures } = run;
  try {
    const found = await surveyManifest(run);
    const failuresFile = await failures.close();
    if (inJson(run)) context.print(JSON.stringify({ ...surveyJson(found), failures_file: failuresFile ?? null }));
    else context.print("\nNothing was imported: this was a dry run.");
    if (found.blocked) context.endWith(exitCodes.usage);
    else if (wrongRows(found) > 0) context.endWith(exitCodes.someFailed);
  } finally {
    await failures.close();
  }
}

async function importAll(opened: Opened, folder: string): Promise<void> {
  const { context, command } = opened;
  const { client, url, apiKey } = await context.connect(command);
  client.close();
  // Before anything is written: another run may be at work in this folder.
  const journal = await openJournal({ folder, service: url, apiKey });
  const run = { ...openRun(opened, folder, "failures"), journal };
  try {
    const found = await surveyManifest(run);
    if (journal.size > 0) context.note(command, `${counted(journal.size, "call")} of runs before are noted as done.`);
    await agreeToImport(run, found);
    journal.expect(found.importable);
    const outcome = await importAndProve(run, found);
    // What was done is told also if it could not be noted.
    const unnoted = await journal.close().then(() => undefined, toStopped);
    const stopped = outcome.stopped ?? unnoted;
    const failuresFile = await run.failures.close();
    tell(run, found, { ...outcome, stopped, failuresFile });
  } finally {
    await run.failures.close();
    await journal.close().catch(() => {});
  }
}

function toStopped(error: unknown): ImportStopped {
  if (error instanceof ImportStopped) return error;
  throw error;
}

function tell(run: ImportRun, found: Survey, outcome: ImportOutcome & { failuresFile: string | undefined }): void {
  const { context, seconds } = run;
  const { imported, stopped, proof, agentsCreated, erased, failuresFile } = outcome;
  const wrong = wrongRows(found);
  const total = found.importable + wrong;
  const summary: ImportSummary = {
    ended: !stopped ? "done" : stopped.exitCode === exitCodes.stopped ? "stopped" : "broken-off",
    reason: stopped?.message,
    total,
    imported: imported.imported,
    present: imported.present - erased,
    failed: imported.failed + wrong,
    erased,
    agentsCreated,
    sentBytes: imported.sentBytes,
    durationMs: seconds.importing * 1000,
    failuresFile,
    byPattern: run.options.pattern !== undefined,
    proof: proof && {
      rows: total,
      found: proof.present + proof.erased,
      missing: proof.missing + proof.notImportable,
    },
  };
  if (inJson(run)) context.print(JSON.stringify(summaryJson(summary, { seconds, proof })));
  else context.print(tellSummary(summary, context.style));
  if (stopped) context.endWith(stopped.exitCode);
  else if (isIncomplete(summary)) context.endWith(exitCodes.different);
  else if (summary.failed > 0) context.endWith(exitCodes.someFailed);
}

/** Rows that neither failed nor are there. */
function isIncomplete({ total, imported, present, erased, failed, proof }: ImportSummary): boolean {
  return imported + present + erased + failed !== total || (proof !== undefined && proof.found + failed !== total);
}
