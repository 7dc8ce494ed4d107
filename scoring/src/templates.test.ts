import { describe, expect, test } from "vitest";
import { compareVersions } from "./compare-versions.ts";
import type { ScorecardDocument } from "./document.ts";
import { calculateResult } from "./formula.ts";
import { lint } from "./lint.ts";
import { optionsOf, weightOf } from "./question-points.ts";
import { template, templateLanguages, templateNames } from "./templates.ts";

const all = templateNames.flatMap((name) => templateLanguages.map((language) => [name, language] as const));
const questionsOf = (document: ScorecardDocument) => document.sections.flatMap((section) => section.questions);

const weights = {
  support: { opening: 10, verification: 15, diagnosis: 20, care: 15, solution: 25, closing: 10, record: 5 },
  sales: { opening: 10, discovery: 25, offer: 20, objections: 15, close: 15, compliance: 15 },
  collections: { right_party: 20, disclosure: 20, conversation: 15, care: 15, arrangement: 20, closing: 10 },
};
const failing = { support: ["identity no"], sales: ["consent no"], collections: ["debt_after_identity no"] };

describe.each(all)("template %s in %s", (name, language) => {
  const document = template(name, language);

  test("has neither errors nor warnings", () => {
    expect(lint(document)).toEqual([]);
  });

  test("has the weights of published practice", () => {
    const sums = document.sections.map(({ id, questions }) => [
      id,
      questions.reduce((sum, each) => sum + weightOf(each), 0),
    ]);
    expect(Object.fromEntries(sums)).toEqual(weights[name]);
  });

  test("fails the call for one answer only", () => {
    const fails = questionsOf(document).flatMap((question) =>
      optionsOf(question)
        .filter((option) => option.fails)
        .map((option) => `${question.id} ${option.id}`),
    );
    expect(fails).toEqual(failing[name]);
  });

  test("requires a comment for the worst answer to every scored choice", () => {
    const scored = questionsOf(document).filter((question) => "options" in question && weightOf(question) > 0);
    for (const question of scored)
      expect(
        optionsOf(question).find(({ points }) => points === 0),
        question.id,
      ).toMatchObject({ comment: "required" });
  });

  test("gives 100 points for the best answers", () => {
    const answers = Object.fromEntries(
      questionsOf(document).map((question) => {
        const best = optionsOf(question).toSorted((a, b) => (b.points ?? 0) - (a.points ?? 0))[0]?.id ?? "";
        return [question.id, { value: question.type === "multiple" ? [best] : best }];
      }),
    );
    expect(calculateResult(document, answers)).toMatchObject({ score: 10_000, outcome: "passed" });
  });
});

test.each(templateNames)("%s differs between languages in its texts only", (name) => {
  const changes = compareVersions(template(name, "en"), template(name, "fr"));
  const texts = ["name", "description", "language", "title", "guidance", "label"];
  expect(changes.filter(({ id, field }) => !texts.includes(field ?? id))).toEqual([]);
});

test.each(templateNames)("%s has French typography", (name) => {
  const texts = JSON.stringify(template(name, "fr"), (key, value) => (key === "description" ? "" : value));
  expect(texts).not.toMatch(/[a-zé]'[a-zé]/i);
  expect(
    [...texts.matchAll(/"(?:title|guidance|label)":"([^"]*)"/g)].filter(([, text]) =>
      /(?<!\u00a0)[:;?!»]|«(?!\u00a0)/.test(text ?? ""),
    ),
  ).toEqual([]);
});
