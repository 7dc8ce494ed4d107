import fc from "fast-check";
import { expect, test } from "vitest";
import { type Change, compareVersions } from "./compare-versions.ts";
import type { ScorecardDocument } from "./document.ts";
import { arbitraryCase } from "./testing/arbitrary-scorecard.ts";
import { choice, oneSection, type QuestionInput, scorecard, yesNo } from "./testing/scorecard.ts";

const show = ({ subject, kind, id, question, field, affectsComparability }: Change) =>
  [affectsComparability ? "!" : "-", kind, subject, question ? `${question}.${id}` : id, field]
    .filter(Boolean)
    .join(" ");
const compare = (before: ScorecardDocument, after: ScorecardDocument) => compareVersions(before, after).map(show);
const text = (id: string): QuestionInput => ({ id, title: id, type: "text" });
const scale = (points: number[], more: object = {}) => choice("a", 10, points, { type: "scale", ...more });
const relabelled = {
  options: [
    { id: "p0", label: "None", points: 0 },
    { id: "p1", label: "1 points", points: 1, comment: "required" },
  ],
};

const questionCases: [title: string, before: QuestionInput[], after: QuestionInput[], expected: string[]][] = [
  ["nothing", [yesNo("a", 1)], [yesNo("a", 1)], []],
  ["a scored question is added", [yesNo("a", 1)], [yesNo("b", 1), yesNo("a", 1)], ["! added question b"]],
  ["an unscored question is added", [], [text("b")], ["- added question b"]],
  ["an unscored question that fails is added", [], [yesNo("b", 0, { no: { fails: "call" } })], ["! added question b"]],
  ["a question is removed", [yesNo("a", 1), yesNo("b", 1)], [yesNo("b", 1)], ["! removed question a"]],
  ["one question moves up", ["a", "b", "c"].map(text), ["c", "a", "b"].map(text), ["- moved question c"]],
  ["the title changes", [yesNo("a", 1)], [yesNo("a", 1, { title: "Other" })], ["- changed question a title"]],
  ["the weight changes", [yesNo("a", 1)], [yesNo("a", 2)], ["! changed question a weight"]],
  ["the type changes", [yesNo("a", 1)], [choice("a", 1, [0])], ["! changed question a type", "! added option a.p0"]],
  [
    "N/A is allowed",
    [yesNo("a", 1)],
    [yesNo("a", 1, { not_applicable: true })],
    ["! changed question a not_applicable"],
  ],
  ["tags change", [yesNo("a", 1)], [yesNo("a", 1, { tags: ["tone"] })], ["! changed question a tags"]],
  ["no fails", [yesNo("a", 1)], [yesNo("a", 1, { no: { fails: "call" } })], ["! changed question a no"]],
  [
    "no needs a comment",
    [yesNo("a", 1)],
    [yesNo("a", 1, { no: { comment: "required" } })],
    ["- changed question a no"],
  ],
  ["an option is added", [scale([0, 1])], [scale([0, 1, 2])], ["! added option a.p2"]],
  ["an option is removed", [scale([0, 1])], [scale([0])], ["! removed option a.p1"]],
  ["an option of a scale moves", [scale([0, 1])], [scale([1, 0])], ["! moved option a.p0"]],
  ["an option of a choice moves", [choice("a", 1, [0, 1])], [choice("a", 1, [1, 0])], ["- moved option a.p0"]],
  [
    "a label and a comment",
    [scale([0, 1])],
    [scale([0, 1], relabelled)],
    ["- changed option a.p0 label", "- changed option a.p1 comment"],
  ],
];

test.each(questionCases)("%s", (_, before, after, expected) => {
  expect(compare(oneSection(before), oneSection(after))).toEqual(expected);
});

test("the options of an unscored question matter if another question depends on them", () => {
  const reason = (labels: string[]): QuestionInput => ({
    id: "reason",
    title: "Reason",
    type: "choice",
    options: labels.map((label) => ({ id: label, label })),
  });
  const dependent = yesNo("a", 1, { when: { question: "reason", is: ["x"] } });
  const form = (labels: string[], ...more: QuestionInput[]) => oneSection([reason(labels), ...more]);
  expect(compare(form(["x"]), form(["x", "y"]))).toEqual(["- added option reason.y"]);
  expect(compare(form(["x"], dependent), form(["x", "y"], dependent))).toEqual(["! added option reason.y"]);
});

test("settings, sections and moves between sections", () => {
  const section = (id: string, questions: QuestionInput[], more: object = {}) => ({
    id,
    title: id,
    questions,
    ...more,
  });
  const before = scorecard([section("s", [yesNo("a", 1), text("t")]), section("u", [yesNo("b", 1)])]);
  const after = scorecard([section("u", [yesNo("b", 1), yesNo("a", 1), text("t")], { weight: 50 }), section("v", [])], {
    passing_score: 85,
    name: "New name",
    description: "What for",
    release: "by_supervisor",
  });
  expect(compare(before, after)).toEqual([
    "- changed setting name",
    "! changed setting passing_score",
    "- changed setting release",
    "- changed setting description",
    "- removed section s",
    "- added section v",
    "! changed section u weight",
    "! moved question a section",
    "- moved question t section",
  ]);
  expect(compareVersions(before, after)).toContainEqual({
    subject: "question",
    kind: "moved",
    id: "a",
    field: "section",
    before: "s",
    after: "u",
    affectsComparability: true,
  });
  expect(compareVersions(before, after)).toContainEqual({
    subject: "setting",
    kind: "changed",
    id: "description",
    after: "What for",
    affectsComparability: false,
  });
});

test("equal documents have no differences, and swapped documents have as many", () => {
  fc.assert(
    fc.property(arbitraryCase, arbitraryCase, ({ document: a }, { document: b }) => {
      expect(compareVersions(a, structuredClone(a))).toEqual([]);
      expect(compareVersions(a, b).length).toBe(compareVersions(b, a).length);
    }),
  );
});

declare const structuredClone: <Value>(value: Value) => Value;
