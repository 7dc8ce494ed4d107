import { expect, test } from "vitest";
import { changedFields } from "./changed-fields.ts";

const at = "2026-11-15T08:00:00Z";
const row = { name: "a", types: ["x"], since: new Date(at) as Date | null };

test.each([
  ["no values", {}, {}],
  ["undefined", { name: undefined }, {}],
  ["equal values", { name: "a", types: ["x"], since: new Date(at) }, {}],
  ["different text", { name: "b" }, { name: "b" }],
  ["different list", { types: ["x", "y"] }, { types: ["x", "y"] }],
  ["null", { since: null, name: "a" }, { since: null }],
])("%s", (_, given, changed) => {
  expect(changedFields(row, given)).toEqual(changed);
});
