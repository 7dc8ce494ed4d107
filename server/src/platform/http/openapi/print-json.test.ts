import { expect, test } from "vitest";
import { printJson } from "./print-json.ts";

const long = "x".repeat(60);

test.each([
  [{ a: 1, b: ["x", null], c: {} }, '{ "a": 1, "b": ["x", null], "c": {} }'],
  [{ a: long, b: undefined, c: [long] }, `{\n  "a": "${long}",\n  "c": ["${long}"]\n}`],
  [[[long, long]], `[\n  [\n    "${long}",\n    "${long}"\n  ]\n]`],
])("prints %j, on one line what fits", (value, printed) => {
  expect(printJson(value)).toBe(printed);
  expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(value)));
});
