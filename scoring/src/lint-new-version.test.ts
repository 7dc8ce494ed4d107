import { expect, test } from "vitest";
import { lintNewVersion } from "./lint-new-version.ts";
import { choice, multiple, number, options, paddedTo100, type QuestionInput, yesNo } from "./testing/scorecard.ts";

const first = "/sections/0/questions/0";

const reuses: [title: string, previous: QuestionInput, next: QuestionInput, expected: string[]][] = [
  ["the same question", yesNo("a", 10), yesNo("a", 20, { title: "Other words" }), []],
  ["another type", yesNo("a", 10), choice("a", 10, [0, 1]), [`warning type_changed ${first}/type`]],
  ["another option", choice("a", 10, [0, 1]), choice("a", 10, [0, 1, 2]), [`warning options_changed ${first}/options`]],
  [
    "other points",
    choice("a", 10, [], { options: options(0, 1) }),
    choice("a", 10, [], { options: options(0, 2) }),
    [`warning options_changed ${first}/options`],
  ],
  [
    "another maximum",
    multiple([1, 2]),
    multiple([1, 2], { max_points: 2 }),
    [`warning options_changed ${first}/options`],
  ],
  ["other bands", number([{ points: 1 }]), number([{ points: 2 }]), [`warning bands_changed ${first}/bands`]],
  ["a new id", choice("a", 10, [0, 1]), choice("b", 10, [0, 1, 2]), []],
];

test.each(reuses)("a new version with %s", (_, previous, next, expected) => {
  const findings = lintNewVersion(paddedTo100(previous), paddedTo100(next));
  expect(findings.map(({ severity, path, code }) => `${severity} ${code} ${path}`)).toEqual(expected);
});

test("says what changed and what that means", () => {
  const [finding] = lintNewVersion(paddedTo100(choice("a", 10, [0, 1])), paddedTo100(choice("a", 10, [0, 2])));
  expect(finding?.message).toBe(
    'The options of "a" changed (added: p2; removed: p1). Its scores and the agreement of reviewers before and after this ' +
      "version are not comparable.",
  );
});
