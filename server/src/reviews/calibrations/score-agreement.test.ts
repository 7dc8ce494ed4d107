import { expect, test } from "vitest";
import { scoreAgreement } from "./score-agreement.ts";

const participants = ["ann", "bob"];
/** Scores of both by call. */
const callsOf = (...table: (number | null)[][]) =>
  table.map((scores, at) => ({
    call_id: `call ${at}`,
    reference_score: null,
    scores: scores.map((score, who) => ({
      ...{ user_id: participants[who] ?? "", review_id: `review ${who}` },
      ...{ score, outcome: "passed" as const },
    })),
  }));
const agreement = (...table: (number | null)[][]) => scoreAgreement(callsOf(...table), participants);
const alike = Array.from({ length: 10 }, (_, n) => [9000 + 100 * (n % 3), 9000 + 100 * ((n + 1) % 3)]);
const spread = Array.from({ length: 10 }, (_, n) => [900 * n, 900 * n + 100 * (n % 2)]);

test("calls that differ have an ICC", () => {
  expect(agreement(...spread)).toEqual({ icc: expect.closeTo(0.999, 2), no_icc: null });
});

test("one failed call among others that are alike decides: it is named instead of a figure", () => {
  expect(agreement(...alike, [0, 0])).toEqual({ icc: null, no_icc: { reason: "one_call", call_id: "call 10" } });
});

test("there is no ICC of fewer than ten calls, of equal scores, or if one is missing", () => {
  const reasonOf = (...table: (number | null)[][]) => agreement(...table).no_icc?.reason;
  expect(reasonOf(...spread.slice(1))).toBe("too_few_calls");
  expect(reasonOf(...alike.map(() => [80, 80]))).toBe("no_differences");
  expect(reasonOf(...spread, [5000, null])).toBe("missing_scores");
  expect(reasonOf(...spread, [5000])).toBe("missing_scores");
  expect(scoreAgreement(callsOf(...spread), ["ann"]).no_icc?.reason).toBe("missing_scores");
});
