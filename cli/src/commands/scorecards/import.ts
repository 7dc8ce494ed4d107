import { importAmazonConnect } from "@hearback/scoring/import-amazon-connect";
import { importGenesys } from "@hearback/scoring/import-genesys";
import type { Command } from "commander";
import { readContent, requireValid } from "../../scorecards/read-file.ts";
import { checkTarget, writeScorecard } from "../../scorecards/write-scorecard.ts";
import { marks } from "../../terminal/style.ts";
import { sanitize } from "../../terminal/text-width.ts";
import { pluralize } from "../../terminal/units.ts";
import { type Context, globalOptions } from "../context.ts";

const importers = { connect: importAmazonConnect, genesys: importGenesys } as const;

interface ImportOptions {
  readonly product: keyof typeof importers;
  readonly form: string;
  readonly file: string;
  readonly force?: boolean | undefined;
}

/** Forms of other products contain much that is left out. */
const maxFormBytes = 4_000_000;

/** Converts a form of another product and reports what has no equivalent. */
export async function importForm(context: Context, command: Command, options: ImportOptions): Promise<void> {
  const { product, form, file, force = false } = options;
  await checkTarget(file, force);
  const content = requireValid(await readContent(form, maxFormBytes), form, "a valid file");
  const imported = importers[product](content.data);
  const { document, notes } = requireValid(
    imported.ok ? { ok: true, value: imported } : imported,
    form,
    "a form that can be converted",
  );
  await writeScorecard(document, file, { force, signal: context.signal });
  if (globalOptions(command).json) {
    for (const note of notes) context.print(JSON.stringify(note));
    return;
  }
  const { good, warning } = marks(context.style);
  for (const { where, what, instead } of notes) {
    context.print(`${warning} ${sanitize(`${where} ${what}`.trim())}`);
    context.print(`    ${sanitize(instead)}`);
  }
  context.print(
    `${good} ${file}: "${sanitize(document.name)}", ${pluralize(notes.length, "difference")} from the form`,
  );
  context.note(command, `Next: hearback scorecards lint ${file}`);
}
