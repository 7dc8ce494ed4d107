import { refuseToOverwrite, writeFileAtomically } from "../terminal/write-file.ts";
import { formatDocument } from "./format-document.ts";
import { requireKnownExtension } from "./read-file.ts";

/** Throws if the file cannot be written: before any request is sent. */
export async function checkTarget(file: string, force: boolean): Promise<void> {
  requireKnownExtension(file);
  await refuseToOverwrite(file, { force });
}

interface WriteOptions {
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/** Writes a document as YAML or JSON, by the extension of the file. */
export const writeScorecard = (document: unknown, file: string, options: WriteOptions): Promise<void> =>
  writeText(formatDocument(document, file), file, options);

export async function writeText(text: string, file: string, options: WriteOptions): Promise<void> {
  await writeFileAtomically(file, oneChunk(text), options);
}

async function* oneChunk(text: string) {
  yield Buffer.from(text);
}
