import { expect, test } from "vitest";
import { changedAnswers } from "./changed-answers.ts";

test("only answers that differ are sent; a removed one is empty", () => {
  const before = { a: { value: "yes", comment: "At 0:04." }, b: { value: ["x"] }, c: { value: 1 }, d: { value: "no" } };
  const after = {
    a: { comment: "At 0:04.", value: "yes" },
    b: { value: ["x", "y"] },
    d: { not_applicable: true as const },
  };
  expect(changedAnswers(before, after)).toEqual({
    b: { value: ["x", "y"] },
    c: {},
    d: { not_applicable: true },
  });
  expect(changedAnswers(before, before)).toEqual({});
});
