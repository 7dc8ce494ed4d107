import { existsSync } from "node:fs";
import type { Command } from "commander";
import { openAdaptiveConcurrency } from "../import/concurrency/adaptive-concurrency.ts";
import { openJournal } from "../import/journal/journal.ts";
import { startProgress } from "../import/progress.ts";
import { reconcile } from "../import/reconcile.ts";
import type { Difference, Reconciliation } from "../import/reconciliation-report.ts";
import { type InvalidRow, isInvalid } from "../manifest/entry.ts";
import type { Manifest } from "../manifest/open-manifest.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { showProgress } from "../terminal/live-progress.ts";
import { marks } from "../terminal/style.ts";
import { sanitize } from "../terminal/text-width.ts";
import { formatFound, formatNumber } from "../terminal/units.ts";
import { type Context, globalOptions } from "./context.ts";
import { joinDetails } from "./import/state.ts";
import { type ManifestOptions, openSelectedManifest, stateFolder } from "./manifest-options.ts";
import { reconciliationJson } from "./summary-json.ts";

export interface ReconcileOptions extends ManifestOptions {
  readonly rehash?: boolean;
}

/** Compares every row with the service and prints the differences. */
export async function runReconcile(
  context: Context,
  command: Command,
  path: string | undefined,
  options: ReconcileOptions,
): Promise<void> {
  const { stdin, stderr, env, signal } = context;
  const { json, quiet } = globalOptions(command);
  const manifest = await openSelectedManifest(path, options, stdin);
  const { client, url, apiKey } = await context.connect(command, { retries: { attempts: 1 } });
  const folder = stateFolder(path, options);
  // If the state folder does not exist, do not create it.
  const journal =
    options.rehash || !existsSync(folder) ? undefined : await openJournal({ folder, service: url, apiKey });
  const concurrency = openAdaptiveConcurrency({ max: 4, giveUpAfterMs: 10 * 60_000 });
  const progress = startProgress({ phase: "reconciling", total: 0, totalBytes: 0 }, concurrency);
  const view = showProgress({ read: () => progress, output: stderr, env, quiet });
  let wrong = 0;
  const report = (difference: Omit<Difference, "id" | "file"> & { readonly file?: string | undefined }) => {
    if (json) context.print(JSON.stringify(difference));
    else view.say(`line ${difference.line}, ${sanitize(difference.file ?? "")}: ${sanitize(difference.detail)}`);
  };
  try {
    const entries = validRows(manifest, signal, ({ line, file, findings }) => {
      wrong++;
      report({ line, file, kind: "not_importable", detail: joinDetails(findings) });
    });
    const reconciliation = await reconcile({
      client,
      journal,
      concurrency,
      progress,
      entries,
      signal,
      onDifference: report,
    });
    view.stop();
    end(context, command, reconciliation, wrong);
  } finally {
    view.stop();
    await journal?.close();
    await manifest.close();
    client.close();
  }
}

async function* validRows(manifest: Manifest, signal: AbortSignal, onInvalid: (row: InvalidRow) => void) {
  for await (const row of manifest.entries(signal)) {
    if (isInvalid(row)) onInvalid(row);
    else yield row;
  }
}

function end(context: Context, command: Command, reconciliation: Reconciliation, wrong: number): void {
  const { style } = context;
  const whole: Reconciliation = {
    ...reconciliation,
    rows: reconciliation.rows + wrong,
    notImportable: reconciliation.notImportable + wrong,
    complete: reconciliation.complete && wrong === 0,
  };
  if (!whole.complete) context.setExitCode(exitCodes.different);
  if (globalOptions(command).json) {
    context.print(JSON.stringify(reconciliationJson(whole)));
    return;
  }
  const there = whole.present + whole.erased;
  const { good, bad } = marks(style);
  context.print(`${whole.complete ? good : bad} ${style.bold(`${formatFound(there, whole.rows)}.`)}`);
  const kinds: readonly (readonly [number, string])[] = [
    [whole.missing, "missing: run the import again"],
    [whole.notImportable, "invalid: cannot be imported"],
    [whole.failed, "on the service, but preparation failed"],
    [whole.erased, "erased on request"],
    [whole.doubled, `duplicate ${whole.doubled === 1 ? "row" : "rows"}: the call is stored once`],
  ];
  for (const [count, label] of kinds) if (count > 0) context.print(`  ${formatNumber(count)} ${label}`);
  context.print(style.dim(`  Digest ${whole.digest}`));
}
