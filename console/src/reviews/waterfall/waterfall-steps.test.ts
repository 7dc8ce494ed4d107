import type { Answer, Answers } from "@hearback/scoring/answers";
import { calculateResult } from "@hearback/scoring/formula";
import type { Question } from "@hearback/scoring/question";
import { optionsOf } from "@hearback/scoring/question-points";
import { template, templateNames } from "@hearback/scoring/templates";
import { expect, test } from "vitest";
import { waterfallSteps } from "./waterfall-steps.ts";

/** Any answer to the question, chosen by the number. */
function answerBy(question: Question, number: number): Answer {
  if (question.not_applicable && number % 7 === 0) return { not_applicable: true };
  const options = optionsOf(question);
  const { id = "" } = options[number % Math.max(1, options.length)] ?? {};
  if (question.type === "multiple") return { value: [id] };
  if (question.type === "number") return { value: number };
  return { value: question.type === "text" ? "text" : id };
}

test.each(templateNames)("the steps of %s lead from 100 to the score", (name) => {
  const document = template(name, "en");
  const questions = document.sections.flatMap((section) => section.questions);
  for (let seed = 0; seed < 300; seed++) {
    const answers: Answers = Object.fromEntries(
      questions.map((question, index) => [question.id, answerBy(question, (seed * 31 + index * 17) % 101)]),
    );
    const result = calculateResult(document, answers);
    if (result.score === null) continue;
    const steps = waterfallSteps(result);
    expect(steps.reduce((sum, { lost }) => sum + lost, 0)).toBe(10_000 - result.score);
    expect(steps.at(-1)?.left ?? 10_000).toBe(result.score);
    expect(steps.every(({ lost, left }) => lost > 0 && left >= 0)).toBe(true);
  }
});

test("the largest loss comes first, failing last", () => {
  const question = (id: string, lost: number) =>
    ({ question: id, lost }) as Parameters<typeof waterfallSteps>[0]["questions"][number];
  const questions = [question("a", 400), question("b", 0), question("c", 1500)];
  expect(waterfallSteps({ questions, lost_by_fail: 8100 })).toEqual([
    { question: "c", lost: 1500, left: 8500 },
    { question: "a", lost: 400, left: 8100 },
    { question: null, lost: 8100, left: 0 },
  ]);
});
