import { expect, test } from "vitest";
import type { ScorecardDocument } from "./document.ts";
import { lint } from "./lint.ts";
import { choice, multiple, number, oneSection, options, paddedTo100, scorecard, yesNo } from "./testing/scorecard.ts";

const show = (findings: ReturnType<typeof lint>) =>
  findings.map(({ severity, path, code }) => `${severity} ${code} ${path}`);

const when = (question: string, ...is: string[]) => ({ when: { question, is } });
const first = "/sections/0/questions/0";
const second = "/sections/0/questions/1";

const cases: [code: string, document: ScorecardDocument, expected: string[]][] = [
  ["nothing", paddedTo100(yesNo("a", 10)), []],
  ["no_questions", scorecard([]), ["error no_questions /sections"]],
  [
    "empty_section",
    scorecard([
      { id: "a", title: "A", questions: [yesNo("b", 100)] },
      { id: "c", title: "C", questions: [] },
    ]),
    ["warning empty_section /sections/1"],
  ],
  [
    "dispute_levels_unused",
    oneSection([yesNo("a", 100)], { dispute_days: 0, dispute_levels: 2 }),
    ["warning dispute_levels_unused /dispute_levels"],
  ],
  ["nothing_scored", oneSection([{ id: "a", title: "A", type: "text" }]), ["warning nothing_scored /sections"]],
  [
    "passing_score_zero",
    oneSection([yesNo("a", 100)], { passing_score: 0 }),
    ["warning passing_score_zero /passing_score"],
  ],
  ["weights_not_100", oneSection([yesNo("a", 99)]), ["warning weights_not_100 /sections"]],
  [
    "weights_not_100 by sections",
    scorecard([{ id: "s", title: "S", weight: 50, questions: [yesNo("a", 100)] }]),
    ["warning weights_not_100 /sections"],
  ],
  [
    "section_weight_zero",
    scorecard([
      { id: "s", title: "S", weight: 0, questions: [yesNo("a", 10)] },
      { id: "t", title: "T", questions: [yesNo("b", 100)] },
    ]),
    ["warning section_weight_zero /sections/0/weight"],
  ],
  [
    "section_weight_unused",
    scorecard([
      { id: "s", title: "S", weight: 5, questions: [{ id: "a", title: "A", type: "text" }] },
      { id: "t", title: "T", questions: [yesNo("b", 100)] },
    ]),
    ["warning section_weight_unused /sections/0/weight"],
  ],
  [
    "section_weight_ignored",
    scorecard([{ id: "s", title: "S", weight: 5, questions: [yesNo("a", 100)] }], {
      not_applicable: "spreads_over_form",
    }),
    ["warning section_weight_ignored /sections/0/weight"],
  ],
  [
    "duplicate_title",
    paddedTo100(yesNo("a", 10, { title: "Greets" }), yesNo("b", 10, { title: "greets " })),
    [`warning duplicate_title ${second}/title`],
  ],
  [
    "html_in_guidance",
    paddedTo100(yesNo("a", 10, { guidance: "a <b>bold</b>" })),
    [`warning html_in_guidance ${first}/guidance`],
  ],
  ["a comparison in guidance", paddedTo100(yesNo("a", 10, { guidance: "hold < 2 min and talk > 3 min" })), []],
  [
    "weight_without_points",
    paddedTo100(choice("a", 10, [], { options: options(undefined, undefined) })),
    ["warning weights_not_100 /sections", `warning weight_without_points ${first}/weight`],
  ],
  ["points_without_weight", paddedTo100(choice("a", 0, [0, 1])), [`warning points_without_weight ${first}`]],
  ["yes_no without weight", paddedTo100({ id: "a", title: "A", type: "yes_no" }), []],
  [
    "fail_without_effect",
    scorecard([
      { id: "s", title: "S", questions: [{ id: "a", title: "A", type: "yes_no", yes: { fails: "section" } }] },
      { id: "t", title: "T", questions: [yesNo("b", 100)] },
    ]),
    [`warning fail_without_effect ${first}/yes/fails`],
  ],
  [
    "fails_with_full_points",
    paddedTo100(yesNo("a", 10, { yes: { fails: "call" } })),
    [`warning fails_with_full_points ${first}/yes/fails`],
  ],
  ["an unscored question that fails", paddedTo100({ id: "a", title: "A", type: "yes_no", yes: { fails: "call" } }), []],
  [
    "no_options",
    paddedTo100({ id: "a", title: "A", type: "choice", options: [] }),
    [`error no_options ${first}/options`],
  ],
  [
    "single_option",
    paddedTo100({ id: "a", title: "A", type: "choice", options: options(undefined) }),
    [`warning single_option ${first}/options`],
  ],
  [
    "duplicate_label",
    paddedTo100(
      choice("a", 10, [], {
        options: [
          { id: "x", label: "Yes", points: 1 },
          { id: "y", label: "yes", points: 0 },
        ],
      }),
    ),
    [`warning duplicate_label ${first}/options/1/label`],
  ],
  [
    "option_without_points",
    paddedTo100(choice("a", 10, [], { options: options(1, undefined) })),
    [`warning option_without_points ${first}/options/1`],
  ],
  [
    "same_points",
    paddedTo100(choice("a", 10, [], { options: options(2, 2) })),
    [`warning same_points ${first}/options`],
  ],
  ["scale_order", paddedTo100(choice("a", 10, [1, 0, 2], { type: "scale" })), [`warning scale_order ${first}/options`]],
  ["a choice in any order", paddedTo100(choice("a", 10, [1, 0, 2])), []],
  [
    "maximum_unreachable",
    paddedTo100(multiple([1, 2], { max_points: 4 })),
    [`warning maximum_unreachable ${first}/max_points`],
  ],
  [
    "points_above_maximum",
    paddedTo100(multiple([1, 5], { max_points: 4 })),
    [`warning points_above_maximum ${first}/options/1/points`],
  ],
  ["options of multiple without points", paddedTo100(multiple([1, undefined])), []],
  ["no_bands", paddedTo100(number([], 0)), [`error no_bands ${first}/bands`]],
  [
    "whole numbers without gap",
    paddedTo100(
      number([
        { from: 0, to: 10, points: 1 },
        { from: 11, points: 0 },
      ]),
    ),
    [],
  ],
  [
    "bands that share a limit",
    paddedTo100(
      number([
        { to: 10, points: 1 },
        { from: 10, points: 0 },
      ]),
    ),
    [],
  ],
  [
    "band_gap",
    paddedTo100(
      number([
        { to: 10, points: 1 },
        { from: 12, points: 0 },
      ]),
    ),
    [`warning band_gap ${first}/bands`],
  ],
  [
    "band_overlap",
    paddedTo100(
      number([
        { to: 10, points: 1 },
        { from: 5, points: 0 },
      ]),
    ),
    [`warning band_overlap ${first}/bands/1`],
  ],
  [
    "band_never_used",
    paddedTo100(
      number([
        { to: 10, points: 1 },
        { from: 5, to: 6, points: 0 },
      ]),
    ),
    [`warning band_never_used ${first}/bands/1`],
  ],
  [
    "condition_unknown_question",
    paddedTo100(yesNo("a", 10, when("b", "yes"))),
    [`error condition_unknown_question ${first}/when/question`],
  ],
  [
    "condition_later_question",
    paddedTo100(yesNo("a", 10, when("rest", "yes"))),
    [`error condition_later_question ${first}/when/question`],
  ],
  [
    "a condition on itself",
    paddedTo100(yesNo("a", 10, when("a", "yes"))),
    [`error condition_later_question ${first}/when/question`],
  ],
  [
    "condition_wrong_type",
    paddedTo100({ id: "t", title: "T", type: "text" }, yesNo("a", 10, when("t", "yes"))),
    [`error condition_wrong_type ${second}/when/question`],
  ],
  [
    "condition_unknown_value",
    paddedTo100(yesNo("a", 10), yesNo("b", 10, { when: { any: [{ question: "a", is: ["no", "maybe"] }] } })),
    [`error condition_unknown_value ${second}/when/any/0/is/1`],
  ],
  [
    "condition_on_optional_question",
    paddedTo100(yesNo("a", 10, { not_applicable: true }), yesNo("b", 10, when("a", "no"))),
    [`warning condition_on_optional_question ${second}/when/question`],
  ],
  [
    "condition_always_true",
    paddedTo100(yesNo("a", 10), yesNo("b", 10, when("a", "no", "yes"))),
    [`warning condition_always_true ${second}/when/is`],
  ],
  [
    "never_visible",
    paddedTo100(
      yesNo("a", 10),
      yesNo("b", 10, {
        when: {
          all: [
            { question: "a", is: ["no"] },
            { question: "a", is: ["yes"] },
          ],
        },
      }),
    ),
    [`error never_visible ${second}/when`],
  ],
  [
    "never_visible, because of a question that is never visible",
    paddedTo100(
      yesNo("a", 10),
      yesNo("b", 10, {
        when: {
          all: [
            { question: "a", is: ["no"] },
            { question: "a", is: ["yes"] },
          ],
        },
      }),
      yesNo("c", 10, when("b", "no")),
    ),
    [`error never_visible ${second}/when`, "error never_visible /sections/0/questions/2/when"],
  ],
  [
    "two options of multiple at once",
    paddedTo100(
      multiple([1, 2]),
      yesNo("b", 10, {
        when: {
          all: [
            { question: "m", is: ["o0"] },
            { question: "m", is: ["o1"] },
          ],
        },
      }),
    ),
    [],
  ],
];

test.each(cases)("finds %s", (_, document, expected) => {
  expect(show(lint(document))).toEqual(expected);
});

test.each(cases)("explains %s in sentences", (_, document) => {
  for (const { message, fix } of lint(document)) {
    expect(message).toMatch(/^["A-Z].*\.$/);
    expect(fix).toMatch(/^[A-Z].*\.$/);
  }
});

test("a condition with the largest number of alternatives is checked", () => {
  const any = ["a", "b", "c"].map((question) => ({ question, is: ["yes"] }));
  const large = { all: [...Array(6).fill({ any }), { any: any.slice(0, 2) }] };
  const document = paddedTo100(yesNo("a", 1), yesNo("b", 1), yesNo("c", 1), yesNo("d", 1, { when: large }));
  expect(lint(document)).toEqual([]);
});
