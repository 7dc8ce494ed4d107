import { existsSync } from "node:fs";
import { join } from "node:path";
import { addModel } from "../transcripts/models/add-model.ts";
import { knownModels } from "../transcripts/models/catalogue.ts";

const name = "moonshine-base-en";
const folder = join(import.meta.dirname, "../../../.data/models", name);

/** Folder of the speech model, which is fetched once. It is there completely or not at all. */
export async function speechModel(): Promise<string> {
  const model = knownModels[name];
  if (model && !existsSync(folder)) await addModel(folder, model);
  return folder;
}
