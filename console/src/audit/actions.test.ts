import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { actionTexts, auditActions } from "./actions.ts";
import en from "./en.json";
import fr from "./fr.json";

const documented = [
  ...readFileSync(new URL("../../../docs/audit.md", import.meta.url), "utf8").matchAll(/^\| `([a-z_.]+)` /gm),
]
  .map(([, action]) => action)
  .sort();

test("covers exactly the actions in docs/audit.md", () => {
  expect(documented.length).toBeGreaterThan(30);
  expect([...auditActions].sort()).toEqual(documented);
});

test.each(auditActions)("%s names actor or subject in both languages", (action) => {
  const { label, sentence } = actionTexts(action);
  for (const audit of [en, fr] as Record<string, string>[]) {
    expect(audit[label]).not.toContain("{{");
    expect(audit[sentence]).toMatch(/{{(who|what)}}/);
  }
});
