import { expect, test } from "vitest";
import { initialsOf } from "./initials.ts";

test.each([
  ["Ann Lee", "AL"],
  ["Élise de la Durand", "ÉD"],
  ["(Support) Karim", "SK"],
  ["Cher", "C"],
  ["7 of Nine", "7N"],
  ["", ""],
  [" - ", ""],
])("the initials of %j are %j", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
