import { access } from "node:fs/promises";
import { extname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseTestCases, type TestCases } from "@hearback/scoring/test-cases";
import { formatDocument } from "./format-document.ts";
import { readContent, requireValid } from "./read-file.ts";
import { writeText } from "./write-scorecard.ts";

/** support.yaml → support.cases.yaml */
export const casesBeside = (file: string) => `${file.slice(0, -extname(file).length)}.cases${extname(file)}`;

/** Adds the cases that the file lacks, and keeps everything else in it, comments included. Returns how many were added. */
export async function addTestCases(file: string, received: TestCases, signal: AbortSignal): Promise<number> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (!exists) {
    if (received.cases.length > 0) await writeText(formatDocument(received, file), file, { force: false, signal });
    return received.cases.length;
  }
  const content = requireValid(await readContent(file), file, "a valid file");
  const { cases } = requireValid(parseTestCases(content.data), file, "a valid file of test cases");
  const added = received.cases.filter(
    (each) => !cases.some(({ name, answers }) => name === each.name && isDeepStrictEqual(answers, each.answers)),
  );
  if (added.length > 0) await writeText(content.append("cases", added), file, { force: true, signal });
  return added.length;
}
