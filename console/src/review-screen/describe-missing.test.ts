import { expect, test } from "vitest";
import { describeMissing } from "./describe-missing.ts";
import type { Translate } from "./texts.ts";

const t = ((key: string, { count }: { count: number }) => `${count} ${key}`) as unknown as Translate;
const problems = (...codes: ("missing" | "comment_required" | "wrong_type")[]) => codes.map((code) => ({ code }));

test.each([
  [problems("missing", "missing"), "2 missingAnswers"],
  [problems("comment_required"), "1 missingComments"],
  [problems("comment_required", "missing", "comment_required"), "1 missingAnswers, 2 missingComments"],
  [problems("wrong_type", "missing"), "1 missingAnswers, 1 invalidAnswers"],
])("%j is described as %s", (found, text) => {
  expect(describeMissing(found as Parameters<typeof describeMissing>[0], t)).toBe(text);
});
