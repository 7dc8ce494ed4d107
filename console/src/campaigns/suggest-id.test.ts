import { expect, test } from "vitest";
import { suggestId } from "./suggest-id.ts";

test.each([
  ["Support France", "support-france"],
  ["Support Lyon – Été", "support-lyon-ete"],
  ["  Größe & Œuvre 2 ", "gro-e-uvre-2"],
  ["電話", ""],
  ["a".repeat(200), "a".repeat(60)],
  [`${"a".repeat(59)} b`, "a".repeat(59)],
])("%j suggests %j", (name, id) => {
  expect(suggestId(name)).toBe(id);
});
