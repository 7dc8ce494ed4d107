import { extname } from "node:path";
import type { Parsed, Problem } from "@hearback/scoring/problem";
import { type Document, isNode, LineCounter, parseDocument as parseYamlDocument, type YAMLError } from "yaml";

/** Where a value is in a file. Both start at 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The value of a YAML or JSON file. */
export interface FileContent {
  readonly data: unknown;
  /** The place of the value at a JSON pointer, or of the closest value around it. YAML only. */
  placeOf(pointer: string): Place | undefined;
  /** The text of the file with items added to a list. */
  append(list: string, items: readonly unknown[]): string;
}

export const isJsonFile = (file: string) => extname(file).toLowerCase() === ".json";

export const parseText = (text: string, file: string): Parsed<FileContent> =>
  isJsonFile(file) ? parseJson(text) : parseYaml(text);

// Enough for a person who uses anchors; far from what exhausts the memory.
const maxAliasCount = 100;

function parseYaml(text: string): Parsed<FileContent> {
  const lineCounter = new LineCounter();
  const document = parseYamlDocument(text, { version: "1.2", stringKeys: true, lineCounter });
  // The first one only: the others often follow from it.
  const [mistake] = [...document.errors, ...document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0]);
  if (mistake) return invalid(describe(mistake));
  try {
    const data: unknown = document.toJS({ maxAliasCount });
    const placeOf = (pointer: string) => findPlace(document, lineCounter, pointer);
    return { ok: true, value: { data, placeOf, append: (list, items) => appendTo(document, list, items) } };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    const isBomb = error.message.startsWith("Excessive alias count");
    return invalid(isBomb ? "It has too many aliases" : error.message, "Repeat the text instead of using an alias.");
  }
}

function describe({ code, message, linePos }: YAMLError): string {
  const [place] = linePos ?? [];
  const text =
    code === "MULTIPLE_DOCS"
      ? "The file has more than one document"
      : code === "RESOURCE_EXHAUSTION"
        ? "The values are nested too deeply"
        : message.replace(/ at line \d+, column \d+:.*$/s, "");
  return place ? `Line ${place.line}, column ${place.col}: ${text}` : text;
}

function appendTo(document: Document, list: string, items: readonly unknown[]): string {
  for (const item of items) document.addIn([list], document.createNode(item));
  return document.toString({ lineWidth: 120 });
}

function findPlace(document: Document, lineCounter: LineCounter, pointer: string): Place | undefined {
  const path = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (!isNode(node) || !node.range) continue;
    const { line, col } = lineCounter.linePos(node.range[0]);
    return { line, column: col };
  }
  return undefined;
}

function parseJson(text: string): Parsed<FileContent> {
  try {
    const data = JSON.parse(text) as Record<string, unknown>;
    const append = (list: string, items: readonly unknown[]) =>
      `${JSON.stringify({ ...data, [list]: [...(data[list] as unknown[]), ...items] }, null, 2)}\n`;
    return { ok: true, value: { data, placeOf: () => undefined, append } };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(error.message) ?? [];
    const what = error.message.replace(/ in JSON at position.*$/s, "");
    return invalid(line ? `Line ${line}, column ${column}: ${what}` : what);
  }
}

/** A file that cannot be read as data. */
export function invalid(what: string, fix = "Correct the file."): { ok: false; problems: [Problem] } {
  return { ok: false, problems: [{ path: "", code: "file_unreadable", message: what.replace(/\.?$/, "."), fix }] };
}
