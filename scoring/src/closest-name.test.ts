import { expect, test } from "vitest";
import { closestName } from "./closest-name.ts";

const known = ["id", "title", "type", "weight", "guidance"];

test.each([
  ["wieght", "weight"],
  ["Weights", "weight"],
  ["titel", "title"],
  ["ids", "id"],
  ["colour", undefined],
  ["x", undefined],
  ["", undefined],
  ["w".repeat(100_000), undefined],
])("%.20s is meant to be %s", (name, expected) => {
  expect(closestName(name, known)).toBe(expected);
});
