import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { en } from "../i18n/en.ts";
import { fr } from "../i18n/fr.ts";
import { actionTexts, auditActions } from "./actions.ts";

const documented = [
  ...readFileSync(new URL("../../../docs/audit.md", import.meta.url), "utf8").matchAll(/^\| `([a-z_.]+)` /gm),
]
  .map(([, action]) => action)
  .sort();

test("every action that docs/audit.md explains can be read in the console, and no other", () => {
  expect(documented.length).toBeGreaterThan(30);
  expect([...auditActions].sort()).toEqual(documented);
});

test.each(auditActions)("%s says who or what in both languages", (action) => {
  const { label, said } = actionTexts(action);
  for (const audit of [en.audit, fr.audit] as Record<string, string>[]) {
    expect(audit[label]).not.toContain("{{");
    expect(audit[said]).toMatch(/{{(who|what)}}/);
  }
});
