import { expect, test } from "vitest";
import { parseCallIds } from "./parse-call-ids.ts";

const [a, b] = ["0190f3c2-6c0b-7d6e-9b0e-0f6a3b1f2c4d", "0190f3c2-6c0b-7d6e-9b0e-3b1f2c4d0f6a"];

test.each([
  ["", [], []],
  [`${a}\n${b}`, [a, b], []],
  [`"${a}"; ${b.toUpperCase()}, ${a}`, [a, b], []],
  [`https://hearback.example.com/console/calls/${a}?t=12 ${b}`, [a, b], []],
  [`${a} call-17`, [a], ["call-17"]],
])("finds the IDs in %j", (text, ids, wrong) => {
  expect(parseCallIds(text)).toEqual({ ids, wrong });
});
