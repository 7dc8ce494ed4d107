import { expect, test } from "vitest";
import { agreementRows, type QuestionAgreement } from "./agreement-rows.ts";

const estimate = { value: 1, low: null, high: null };
const agreement = { calls: 8, too_few: false, raw: estimate, alpha: estimate, ac: estimate };
const question = (part: Partial<QuestionAgreement>): QuestionAgreement => ({
  question_id: "greeting",
  title: "Greets",
  type: "yes_no",
  applicability: null,
  answer: agreement,
  ...part,
});

test.each([
  [{}, ["answer"]],
  [{ applicability: agreement }, ["answer", "applicability"]],
  [{ type: "text", answer: null }, ["text"]],
] as const)("%j has the rows %j", (part, rows) => {
  expect(agreementRows([question(part)]).map(({ about }) => about)).toEqual(rows);
});
