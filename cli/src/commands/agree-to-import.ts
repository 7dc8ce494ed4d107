import type { Survey } from "../survey/survey.ts";
import { surveyJson } from "../survey/survey-json.ts";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { askYesNo } from "../terminal/question.ts";
import { counted } from "../terminal/units.ts";
import { type ImportRun, inJson } from "./import-run.ts";
import { wrongRows } from "./survey-manifest.ts";

/** Comes back if the import may begin: nothing is wrong, or it was agreed to leave that out, and nobody said no. */
export async function agreeToImport(run: ImportRun, found: Survey): Promise<void> {
  const { context, options } = run;
  const wrong = wrongRows(found);
  const others = counted(found.importable, "call");
  const ask = (question: string) =>
    askYesNo({ input: context.stdin, output: context.stderr, signal: context.signal }, question);
  const refuse = (message: string, code: string, fix?: string) => {
    if (inJson(run)) context.print(JSON.stringify(surveyJson(found)));
    return new CommandError(`Nothing was imported${message}`, { exitCode: exitCodes.usage, code, fix });
  };

  if (found.blocked) throw refuse(": the manifest cannot be used as it is.", "manifest_unusable");
  if (found.importable === 0 && wrong > 0)
    throw refuse(": no row can be.", "nothing_importable", "Mend the rows, and run it again.");
  if (wrong > 0 && !options.skipWrong) {
    const question = `${counted(wrong, "row")} would be left out. Import the other ${others}?`;
    if (!options.yes && (await ask(question)) === "yes") return;
    const fix = `Mend them; or add --skip-wrong to import the other ${others}.`;
    throw refuse(`: ${counted(wrong, "row")} cannot be.`, "rows_wrong", fix);
  }
  if (options.yes || found.importable === 0) return;
  if ((await ask(`Import ${others}?`)) === "no") throw refuse(".", "not_wanted");
}
