import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { checkScriptBudget, maxScriptBytes } from "./script-budget.ts";

// Half of the random bytes are lost to hexadecimal digits, and gzip finds them again.
const code: Readonly<Record<string, string>> = {
  start: randomBytes(maxScriptBytes * 0.6).toString("hex"),
  page: randomBytes(maxScriptBytes * 0.6).toString("hex"),
};

test("a page may load as much JavaScript as the budget, and one that loads more fails the build with its largest files", () => {
  const check = (scripts: readonly string[]) => checkScriptBudget({ "/calls": scripts }, (name) => code[name] ?? "");
  expect(() => check(["start"])).not.toThrow();
  expect(() => check(["start", "page"])).toThrow(/^The page \/calls loads \d{6} bytes .*start \(\d+\)/);
});
