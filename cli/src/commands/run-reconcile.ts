import { existsSync } from "node:fs";
import type { Command } from "commander";
import { openJournal } from "../import/journal.ts";
import { openPace } from "../import/pace.ts";
import { startProgress } from "../import/progress.ts";
import { reconcile } from "../import/reconcile.ts";
import type { Difference, Reconciliation } from "../import/reconciliation-report.ts";
import type { Manifest } from "../manifest/open-manifest.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { showProgress } from "../terminal/progress-bar.ts";
import { marks } from "../terminal/style.ts";
import { harmless } from "../terminal/text-width.ts";
import { counted, inDigits } from "../terminal/units.ts";
import { type Context, globalOptions } from "./context.ts";
import { type ManifestOptions, openChosenManifest, stateFolder } from "./manifest-options.ts";
import { reconciliationJson } from "./summary-json.ts";

export interface ReconcileOptions extends ManifestOptions {
  readonly hashAgain?: boolean;
}

/** Compares every row with the service, and says where they differ. */
export async function runReconcile(
  context: Context,
  command: Command,
  path: string | undefined,
  options: ReconcileOptions,
): Promise<void> {
  const { stdin, stderr, env, signal } = context;
  const { json, quiet } = globalOptions(command);
  const manifest = await openChosenManifest(path, options, stdin);
  const { client, url, apiKey } = await context.connect(command, { retries: { attempts: 1 } });
  const folder = stateFolder(path, options);
  // Without one there is nothing to be read, and nothing is written.
  const journal =
    options.hashAgain || !existsSync(folder) ? undefined : await openJournal({ folder, service: url, apiKey });
  const pace = openPace({ most: 4, patienceMs: 10 * 60_000 });
  const progress = startProgress({ phase: "reconciling", total: 0, totalBytes: 0 }, pace);
  const view = showProgress({ read: () => progress, output: stderr, env, quiet });
  let wrong = 0;
  const tell = (difference: Omit<Difference, "id" | "file"> & Partial<Difference>) => {
    if (json) context.print(JSON.stringify(difference));
    else view.say(`line ${difference.line}: ${harmless(difference.detail)}`);
  };
  try {
    const entries = rightRows(manifest, signal, (line, detail) => {
      wrong++;
      tell({ line, kind: "not_importable", detail });
    });
    const proof = await reconcile({ client, journal, pace, progress, entries, signal, onDifference: tell });
    view.stop();
    end(context, command, proof, wrong);
  } finally {
    view.stop();
    await journal?.close();
    await manifest.close();
    client.close();
  }
}

async function* rightRows(manifest: Manifest, signal: AbortSignal, onWrong: (line: number, detail: string) => void) {
  for await (const item of manifest.entries(signal)) {
    if (!("code" in item)) yield item;
    else if (item.level === "error") onWrong(item.line ?? 0, item.detail);
  }
}

function end(context: Context, command: Command, proof: Reconciliation, wrong: number): void {
  const { style } = context;
  const whole: Reconciliation = {
    ...proof,
    rows: proof.rows + wrong,
    notImportable: proof.notImportable + wrong,
    complete: proof.complete && wrong === 0,
  };
  if (!whole.complete) context.endWith(exitCodes.different);
  if (globalOptions(command).json) {
    context.print(JSON.stringify(reconciliationJson(whole)));
    return;
  }
  const there = whole.present + whole.erased;
  const { good, bad } = marks(style);
  context.print(
    `${whole.complete ? good : bad} ${style.bold(`${inDigits(there)} of ${counted(whole.rows, "row")} are on the service.`)}`,
  );
  const kinds: readonly (readonly [number, string])[] = [
    [whole.missing, "missing: run the import again"],
    [whole.notImportable, "cannot be imported as they are"],
    [whole.failed, "there, but could not be prepared for playing"],
    [whole.erased, "erased on request"],
    [whole.doubled, "the same call as a row before; it is there once"],
  ];
  for (const [count, label] of kinds) if (count > 0) context.print(`  ${inDigits(count)} ${label}`);
  context.print(style.dim(`  Proof ${whole.digest}`));
}
