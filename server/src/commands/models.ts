import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { addModel, hasModel } from "../transcripts/models/add-model.ts";
import { knownModels } from "../transcripts/models/catalogue.ts";
import { print, table } from "./support/output.ts";

interface Options {
  readonly dir: string;
  readonly from?: string;
  readonly json?: boolean;
}

function parseModel(name: string): string {
  if (!Object.hasOwn(knownModels, name))
    throw new InvalidArgumentError(`Known models: ${Object.keys(knownModels).join(", ")}.`);
  return name;
}

const defaultDir = "models";

export function modelCommands(program: Command): void {
  const models = program.command("models").description("manage speech models for transcription on this machine");

  models
    .command("add")
    .description("fetch a speech model, and check it")
    .argument("<name>", "the model, from `models list`", parseModel)
    .option("--dir <folder>", "folder of the models", defaultDir)
    .option("--from <folder>", "take the files from this folder instead of the network")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  hearback-server models add moonshine-base-en --dir /var/lib/hearback/models")
    .action(async (name: string, { dir, from, json }: Options) => {
      const folder = join(dir, name);
      const model = knownModels[name];
      if (!model) return;
      const isThere = await hasModel(folder, model);
      if (!isThere) await addModel(folder, model, from);
      print(
        { name, folder },
        `${folder} ${isThere ? "was complete already" : "is complete"}. To use it: TRANSCRIBER_MODEL_DIR=${folder}`,
        json,
      );
    });

  models
    .command("list")
    .description("list known models, and which of them are there")
    .option("--dir <folder>", "folder of the models", defaultDir)
    .option("--json", "print JSON")
    .action(async ({ dir, json }: Options) => {
      const found = await Promise.all(
        Object.entries(knownModels).map(async ([name, model]) => {
          const { languages, license } = model;
          return { name, languages, license, installed: await hasModel(join(dir, name), model) };
        }),
      );
      const rows = found.map(({ name, languages, license, installed }) => [
        name,
        languages,
        license,
        installed ? "yes" : "no",
      ]);
      print(found, table(["NAME", "LANGUAGES", "LICENCE", "THERE"], rows, "No models."), json);
    });
}
