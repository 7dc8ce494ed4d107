import { toSlug } from "@hearback/scoring/slug";
import { saveFile } from "../ui/save-file.ts";

/** Downloads a scorecard document as a JSON file. */
export function downloadDocument(document: object, name: string): void {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  saveFile(`${toSlug(name).replaceAll("_", "-")}.json`, new Blob([text], { type: "application/json" }));
}
