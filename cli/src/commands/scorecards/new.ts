import { type TemplateLanguage, type TemplateName, template } from "@hearback/scoring/templates";
import type { Command } from "commander";
import { checkTarget, writeScorecard } from "../../scorecards/write-scorecard.ts";
import { marks } from "../../terminal/style.ts";
import { type Context, globalOptions } from "../context.ts";

interface NewOptions {
  readonly file: string;
  readonly template: TemplateName;
  readonly language: TemplateLanguage;
  readonly force?: boolean | undefined;
}

/** Writes a template to a file. */
export async function newScorecard(context: Context, command: Command, options: NewOptions): Promise<void> {
  const { file, template: name, language, force = false } = options;
  await checkTarget(file, force);
  await writeScorecard(template(name, language), file, { force, signal: context.signal });
  if (globalOptions(command).json) return context.print(JSON.stringify({ file, template: name, language }));
  context.print(`${marks(context.style).good} ${file}: template "${name}" (${language})`);
}
