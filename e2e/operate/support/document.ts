import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A code block of a document. */
export interface CodeBlock {
  /** The numbered step that contains it, if any. */
  readonly step: number | undefined;
  readonly lines: readonly string[];
}

/** The code blocks below a heading of a page of docs/operations, up to the next heading. */
export async function readCodeBlocks(page: string, heading: string): Promise<CodeBlock[]> {
  const path = join(import.meta.dirname, "../../../docs/operations", page);
  const text = await readFile(path, "utf8");
  const [, section] = text.split(`\n${heading}\n`);
  if (section === undefined) throw new Error(`the document has no heading "${heading}"`);
  const blocks: { step: number | undefined; lines: string[] }[] = [];
  let step: number | undefined;
  let inside = false;
  for (const line of section.split("\n")) {
    if (/^ *```/.test(line)) {
      inside = !inside;
      if (inside) blocks.push({ step, lines: [] });
    } else if (inside) blocks.at(-1)?.lines.push(line.trim());
    else if (line.startsWith("#")) break;
    else if (/^\d+\. /.test(line)) step = Number.parseInt(line, 10);
  }
  return blocks;
}

/** Replaces words of the document, such as paths, by those of this test. */
export const withReplacements = (line: string, replacements: Readonly<Record<string, string>>): string =>
  Object.entries(replacements).reduce((text, [word, value]) => text.replaceAll(word, value), line);
