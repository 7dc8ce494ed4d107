import type { Command } from "commander";
import { openFailures } from "../../import/failures.ts";
import { ImportStopped } from "../../import/import-stopped.ts";
import { openJournal } from "../../import/journal/journal.ts";
import { openLineSet } from "../../import/journal/line-set.ts";
import type { Preflight } from "../../preflight/preflight.ts";
import { preflightJson } from "../../preflight/preflight-json.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { formatSummary, type ImportSummary } from "../../terminal/summary.ts";
import { pluralize } from "../../terminal/units.ts";
import type { Context } from "../context.ts";
import { openSelectedManifest, stateFolder } from "../manifest-options.ts";
import { summaryJson } from "../summary-json.ts";
import { confirmImport } from "./confirm.ts";
import { countInvalidRows, preflightManifest } from "./preflight.ts";
import { type ImportOutcome, importAndReconcile } from "./reconcile.ts";
import { type ImportOptions, type ImportState, isJson } from "./state.ts";

/** Runs the import: preflight, confirmation, upload, reconciliation. */
export async function runImport(
  context: Context,
  command: Command,
  path: string | undefined,
  options: ImportOptions,
): Promise<void> {
  const manifest = await openSelectedManifest(path, options, context.stdin);
  try {
    const folder = stateFolder(path, options);
    const run = { context, command, options, manifest };
    await (options.dryRun ? dryRunImport(run, folder) : importAll(run, folder));
  } finally {
    await manifest.close();
  }
}

type Opened = Pick<ImportState, "context" | "command" | "options" | "manifest">;

const openRun = (opened: Opened, folder: string, name: string): ImportState => ({
  ...opened,
  failures: openFailures({ folder, name, columns: opened.manifest.columns, separator: opened.manifest.separator }),
  failedLines: openLineSet(),
  seconds: { reading: 0, importing: 0, reconciling: 0 },
});

async function dryRunImport(opened: Opened, folder: string): Promise<void> {
  const run = openRun(opened, folder, "dry-run");
  const { context, failures } = run;
  try {
    const found = await preflightManifest(run);
    const failuresFile = await failures.close();
    if (isJson(run)) context.print(JSON.stringify({ ...preflightJson(found), failures_file: failuresFile ?? null }));
    else context.print("\nDry run: nothing was imported.");
    if (found.blocked) context.setExitCode(exitCodes.usage);
    else if (countInvalidRows(found) > 0) context.setExitCode(exitCodes.someFailed);
  } finally {
    await failures.close();
  }
}

async function importAll(opened: Opened, folder: string): Promise<void> {
  const { context, command } = opened;
  const { client, url, apiKey } = await context.connect(command);
  client.close();
  // Takes the lock before anything is written: another run may use this folder.
  const journal = await openJournal({ folder, service: url, apiKey });
  const run = { ...openRun(opened, folder, "failures"), journal };
  try {
    const found = await preflightManifest(run);
    if (journal.size > 0) context.note(command, `${pluralize(journal.size, "call")} already imported by earlier runs.`);
    await confirmImport(run, found);
    journal.reserve(found.importable);
    const outcome = await importAndReconcile(run, found);
    // Print the summary even if the journal cannot be written.
    const journalError = await journal.close().then(() => undefined, toStopped);
    const stopped = outcome.stopped ?? journalError;
    const failuresFile = await run.failures.close();
    report(run, found, { ...outcome, stopped, failuresFile });
  } finally {
    await run.failures.close();
    await journal.close().catch(() => {});
  }
}

function toStopped(error: unknown): ImportStopped {
  if (error instanceof ImportStopped) return error;
  throw error;
}

function report(
  run: ImportState,
  found: Preflight,
  outcome: ImportOutcome & { failuresFile: string | undefined },
): void {
  const { context, seconds } = run;
  const { imported, stopped, reconciliation, agentsCreated, erased, failuresFile } = outcome;
  const wrong = countInvalidRows(found);
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
    reconciliation: reconciliation && {
      rows: total,
      found: reconciliation.present + reconciliation.erased,
      missing: reconciliation.missing + reconciliation.notImportable,
    },
  };
  if (isJson(run)) context.print(JSON.stringify(summaryJson(summary, { seconds, reconciliation })));
  else context.print(formatSummary(summary, context.style));
  if (stopped) context.setExitCode(stopped.exitCode);
  else if (isIncomplete(summary)) context.setExitCode(exitCodes.different);
  else if (summary.failed > 0) context.setExitCode(exitCodes.someFailed);
}

/** Some rows neither failed nor exist on the service. */
function isIncomplete({ total, imported, present, erased, failed, reconciliation }: ImportSummary): boolean {
  return (
    imported + present + erased + failed !== total ||
    (reconciliation !== undefined && reconciliation.found + failed !== total)
  );
}
