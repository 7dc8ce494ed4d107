import { open } from "node:fs/promises";
import { extname } from "node:path";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { parseDocument } from "@hearback/scoring/parse-document";
import type { Parsed, Problem } from "@hearback/scoring/problem";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { formatLimit } from "../terminal/units.ts";
import { type FileContent, invalid, type Place, parseText } from "./parse-text.ts";

/** A document has at most 200 KB as JSON. A file also has comments and indentation. */
const maxBytes = 400_000;

const extensions = [".yaml", ".yml", ".json"];

/** Throws unless the extension of a scorecard file says its format. */
export function requireKnownExtension(file: string): void {
  if (extensions.includes(extname(file).toLowerCase())) return;
  throw new CommandError(`${file} is neither a YAML nor a JSON file.`, {
    exitCode: exitCodes.usage,
    code: "file_format_unknown",
    fix: `Use a file name that ends with ${extensions.join(", ")}.`,
  });
}

/** Reads a YAML or JSON file. */
export async function readContent(file: string, limit = maxBytes): Promise<Parsed<FileContent>> {
  requireKnownExtension(file);
  const bytes = await readUpTo(file, limit);
  if (!bytes) {
    const rest = "Remove what does not belong to it, or split it.";
    return invalid(`The file is larger than ${formatLimit(limit)}`, rest);
  }
  const text = decode(bytes);
  return text === undefined ? invalid("The file is not UTF-8 text", "Save it as UTF-8.") : parseText(text, file);
}

/** Never reads more than the limit, whatever the size says: the file may be a pipe. */
async function readUpTo(path: string, limit: number): Promise<Buffer | undefined> {
  const file = await open(path);
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of file.createReadStream({ autoClose: false, end: limit })) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
    }
    return size > limit ? undefined : Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A scorecard file: its document, or what is wrong with it. */
export interface ScorecardFile {
  readonly file: string;
  readonly parsed: Parsed<ScorecardDocument>;
  placeOf(pointer: string): Place | undefined;
}

export async function readScorecard(file: string): Promise<ScorecardFile> {
  const content = await readContent(file);
  if (!content.ok) return { file, parsed: content, placeOf: () => undefined };
  return { file, parsed: parseDocument(content.value.data), placeOf: content.value.placeOf };
}

/** Reads a scorecard and throws if it is not valid. */
export async function requireScorecard(file: string): Promise<ScorecardDocument> {
  const { parsed } = await readScorecard(file);
  return requireValid(parsed, file, "a valid scorecard");
}

const maxListed = 10;

/** The value, or an error that lists the problems of the file. */
export function requireValid<Value>(parsed: Parsed<Value>, file: string, what: string): Value {
  if (parsed.ok) return parsed.value;
  const listed = parsed.problems.slice(0, maxListed).map(describeProblem);
  const rest = parsed.problems.length - listed.length;
  throw new CommandError([`${file} is not ${what}.`, ...listed, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n"), {
    exitCode: exitCodes.usage,
    code: "file_invalid",
  });
}

const describeProblem = ({ path, message, fix }: Problem) => `${path === "" ? "" : `${path}: `}${message} ${fix}`;
