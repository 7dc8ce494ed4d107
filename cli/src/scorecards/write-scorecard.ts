import { refuseToOverwrite, writeFileAtomically } from "../terminal/write-file.ts";
import { formatDocument } from "./format-document.ts";
import { requireKnownExtension } from "./read-file.ts";

/** Throws if the file cannot be written: before any request is sent. */
export async function checkTarget(file: string, force: boolean): Promise<void> {
  requireKnownExtension(file);
  await refuseToOverwrite(file, { force });
}

/** Writes a document as YAML or JSON, by the extension of the file. */
export async function writeScorecard(
  document: unknown,
  file: string,
  options: { readonly force: boolean; readonly signal: AbortSignal },
): Promise<void> {
  await writeFileAtomically(file, oneChunk(formatDocument(document, file)), options);
}

async function* oneChunk(text: string) {
  yield Buffer.from(text);
}
