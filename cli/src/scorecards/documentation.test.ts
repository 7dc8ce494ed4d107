import { readFile } from "node:fs/promises";
import { lint } from "@hearback/scoring/lint";
import { parseDocument } from "@hearback/scoring/parse-document";
import { parseTestCases, runTestCases } from "@hearback/scoring/test-cases";
import { expect, test } from "vitest";
import { parseText } from "./parse-text.ts";

test("the scorecard in docs/scoring.md has no problems and the scores in its examples are right", async () => {
  const guide = await readFile(new URL("../../../docs/scoring.md", import.meta.url), "utf8");
  const blocks = [...guide.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = ""]) => parseText(text, "block.yaml"));
  const [scorecard, cases] = blocks.map((block) => (block.ok ? block.value.data : undefined));
  const parsed = parseDocument(scorecard);
  const parsedCases = parseTestCases(cases);
  if (!parsed.ok || !parsedCases.ok) return expect([parsed, parsedCases]).toEqual([]);
  expect(lint(parsed.value)).toEqual([]);
  expect(runTestCases(parsed.value, parsedCases.value).map(({ failures }) => failures)).toEqual([[], []]);
});
