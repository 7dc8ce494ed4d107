import type { DisputeBody } from "@hearback/sdk";
import { expect, test } from "vitest";
import { revisionsOfDispute } from "./revisions-of-dispute.ts";

const revision = (number: number, cause: "submitted" | "corrected" | "dispute") => ({
  number,
  at: "2026-11-01T10:00:00Z",
  author: { type: "user" as const, id: "u" },
  cause,
  reason: null,
  score: 6000 + number,
  outcome: "failed" as const,
  changed: [],
});

const dispute = (level: number, decision: "upheld" | "changed") => ({ level, items: [{ decision }] }) as DisputeBody;

test("a decision that changes an answer has a revision and the one before it", () => {
  const revisions = [
    revision(4, "dispute"),
    revision(3, "corrected"),
    revision(2, "dispute"),
    revision(1, "submitted"),
  ];
  const [first, second] = [dispute(1, "changed"), dispute(2, "changed")];
  const numbers = (of: DisputeBody) => {
    const found = revisionsOfDispute({ revisions }, [first, second], of);
    return [found?.before.number, found?.after.number];
  };
  expect(numbers(first)).toEqual([1, 2]);
  expect(numbers(second)).toEqual([3, 4]);
});

test("after a correction that lowers the score, levels begin anew", () => {
  const revisions = [
    revision(4, "dispute"),
    revision(3, "corrected"),
    revision(2, "dispute"),
    revision(1, "submitted"),
  ];
  const disputes = [dispute(1, "changed"), dispute(1, "changed")];
  expect(disputes.map((one) => revisionsOfDispute({ revisions }, disputes, one)?.after.number)).toEqual([2, 4]);
});

test("a decision that keeps all answers has none; it does not count for the next level", () => {
  const revisions = [revision(2, "dispute"), revision(1, "submitted")];
  const [first, second] = [dispute(1, "upheld"), dispute(2, "changed")];
  expect(revisionsOfDispute({ revisions }, [first, second], first)).toBeUndefined();
  expect(revisionsOfDispute({ revisions }, [first, second], second)?.after.number).toBe(2);
});
