import type { Preflight } from "../../preflight/preflight.ts";
import { preflightJson } from "../../preflight/preflight-json.ts";
import { CommandError } from "../../terminal/command-error.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { promptYesNo } from "../../terminal/prompt.ts";
import { pluralize } from "../../terminal/units.ts";
import { countInvalidRows } from "./preflight.ts";
import { type ImportState, isJson } from "./state.ts";

/** Returns if the import may start. Throws if rows are invalid and not skipped, or if the user declines. */
export async function confirmImport(run: ImportState, found: Preflight): Promise<void> {
  const { context, options } = run;
  const wrong = countInvalidRows(found);
  const valid = pluralize(found.importable, "call");
  const ask = async (question: string) =>
    isJson(run)
      ? "unasked"
      : promptYesNo({ input: context.stdin, output: context.stderr, signal: context.signal }, question);
  const refuse = (message: string, code: string, fix?: string) => {
    if (isJson(run)) context.print(JSON.stringify(preflightJson(found)));
    return new CommandError(`Nothing was imported${message}`, { exitCode: exitCodes.usage, code, fix });
  };

  if (found.blocked) throw refuse(": fix the errors in the manifest first.", "manifest_unusable");
  if (found.importable === 0 && wrong > 0)
    throw refuse(": no row is valid.", "nothing_importable", "Fix the rows and run the command again.");
  if (wrong > 0 && !options.skipInvalid) {
    const question = `${pluralize(wrong, "row")} will be skipped. Import the other ${valid}?`;
    if (!options.yes && (await ask(question)) === "yes") return;
    const fix = `Fix them, or add --skip-invalid to import the other ${valid}.`;
    throw refuse(`: ${pluralize(wrong, "row")} cannot be imported.`, "rows_wrong", fix);
  }
  if (options.yes || found.importable === 0) return;
  if ((await ask(`Import ${valid}?`)) === "no") throw refuse(".", "not_wanted");
}
