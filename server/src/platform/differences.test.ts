import { expect, test } from "vitest";
import { differences } from "./differences.ts";

const at = "2026-11-15T08:00:00Z";
const row = { name: "a", types: ["x"], since: new Date(at) as Date | null };

test.each([
  ["nothing given", {}, {}],
  ["undefined", { name: undefined }, {}],
  ["what is there already", { name: "a", types: ["x"], since: new Date(at) }, {}],
  ["another text", { name: "b" }, { name: "b" }],
  ["another list", { types: ["x", "y"] }, { types: ["x", "y"] }],
  ["null", { since: null, name: "a" }, { since: null }],
])("%s", (_, given, changed) => {
  expect(differences(row, given)).toEqual(changed);
});
