import { expect, test } from "vitest";
import { ScorecardDocument } from "./document.ts";
import { parseDocument } from "./parse-document.ts";

const base = { format: "hearback.scorecard/1", name: "Support call", passing_score: 80 };
const withQuestions = (...questions: unknown[]) => ({ ...base, sections: [{ id: "s", title: "S", questions }] });
const question = (more: object) => withQuestions({ id: "a", title: "A", type: "yes_no", ...more });

const problemsOf = (input: unknown) => {
  const parsed = parseDocument(input);
  return parsed.ok ? [] : parsed.problems;
};

test("fills in every default", () => {
  const parsed = parseDocument(question({}));
  expect(parsed.ok && parsed.value).toEqual({
    ...base,
    not_applicable: "stays_in_section",
    fail: "zeroes_score",
    release: "on_submit",
    dispute_days: 14,
    dispute_levels: 1,
    sections: [
      { id: "s", title: "S", questions: [{ id: "a", title: "A", type: "yes_no", not_applicable: false, tags: [] }] },
    ],
  });
});

test("parses the example of the specification, and its own output unchanged", () => {
  const identity = {
    id: "identity",
    title: "Verifies identity before touching account data",
    type: "choice",
    weight: 15,
    tags: ["compliance"],
    options: [
      { id: "full", label: "Fully", points: 2 },
      { id: "partly", label: "Partly", points: 1, comment: "required" },
      { id: "no", label: "Not at all", points: 0, fails: "call", comment: "required" },
    ],
  };
  const reason = {
    id: "identity_reason",
    title: "What was missing?",
    type: "multiple",
    options: [{ id: "dob", label: "Date of birth" }],
    when: { question: "identity", is: ["partly", "no"] },
  };
  const document = ScorecardDocument.parse(withQuestions(identity, reason));
  expect(parseDocument(document)).toEqual({ ok: true, value: document });
});

const long = (length: number) => "x".repeat(length);
const leaf = { question: "b", is: ["yes"] };

const texts = (count: number, prefix = "q") =>
  Array.from({ length: count }, (_, i) => ({ id: `${prefix}_${i}`, title: "Q", type: "text" }));

const refused: [title: string, input: unknown, path: string, code: string][] = [
  ["null", null, "", "wrong_type"],
  ["a missing name", { ...base, name: undefined, sections: [] }, "/name", "missing"],
  ["another format", { ...base, format: "hearback.scorecard/2", sections: [] }, "/format", "not_allowed"],
  ["an unknown setting", { ...base, sections: [], colour: "red" }, "/colour", "unknown_member"],
  ["a long name", { ...base, name: long(121), sections: [] }, "/name", "too_long"],
  ["a blank name", { ...base, name: " ", sections: [] }, "/name", "too_short"],
  ["a NUL character", { ...base, name: "a\0b", sections: [] }, "/name", "not_storable"],
  ["an unpaired surrogate", { ...base, name: "a\ud83d", sections: [] }, "/name", "not_storable"],
  ["a passing score above 100", { ...base, passing_score: 101, sections: [] }, "/passing_score", "too_large"],
  ["three decimals", { ...base, passing_score: 80.125, sections: [] }, "/passing_score", "not_allowed"],
  ["dispute_days above 365", { ...base, dispute_days: 366, sections: [] }, "/dispute_days", "too_large"],
  ["dispute_levels 3", { ...base, dispute_levels: 3, sections: [] }, "/dispute_levels", "not_allowed"],
  ["an id with capitals", question({ id: "Greeting" }), "/sections/0/questions/0/id", "wrong_form"],
  ["a YAML 1.1 boolean as id", question({ id: false }), "/sections/0/questions/0/id", "wrong_type"],
  ["an unknown type", question({ type: "stars" }), "/sections/0/questions/0/type", "not_allowed"],
  ["a question without type", question({ type: undefined }), "/sections/0/questions/0/type", "missing"],
  ["a question that is a number", withQuestions(3), "/sections/0/questions/0", "wrong_type"],
  ["weight on text", question({ type: "text", weight: 1 }), "/sections/0/questions/0/weight", "unknown_member"],
  ["a fractional weight", question({ weight: 1.5 }), "/sections/0/questions/0/weight", "wrong_type"],
  ["a weight above 1000", question({ weight: 1001 }), "/sections/0/questions/0/weight", "too_large"],
  ["the id of the section", question({ id: "s" }), "/sections/0/questions/0/id", "duplicate_id"],
  ["a long title", question({ title: long(301) }), "/sections/0/questions/0/title", "too_long"],
  ["long guidance", question({ guidance: long(4001) }), "/sections/0/questions/0/guidance", "too_long"],
  ["a tag twice", question({ tags: ["a", "a"] }), "/sections/0/questions/0/tags", "not_allowed"],
  ["eleven tags", question({ tags: [..."abcdefghijk"] }), "/sections/0/questions/0/tags", "too_long"],
  ["an unknown effect", question({ no: { fails: "form" } }), "/sections/0/questions/0/no/fails", "not_allowed"],
  ["an empty condition", question({ when: { all: [] } }), "/sections/0/questions/0/when/all", "too_short"],
  ["a condition that is text", question({ when: "b" }), "/sections/0/questions/0/when", "wrong_type"],
  [
    "a fourth level of conditions",
    question({ when: { all: [{ any: [{ all: [{ any: [leaf] }] }] }] } }),
    "/sections/0/questions/0/when/all/0/any/0/all/0/any",
    "unknown_member",
  ],
  [
    "a condition on 21 answers",
    question({ when: { any: [0, 1, 2].map(() => ({ all: Array(7).fill(leaf) })) } }),
    "/sections/0/questions/0/when",
    "too_long",
  ],
  [
    "negative points",
    question({ type: "choice", options: [{ id: "x", label: "X", points: -1 }] }),
    "/sections/0/questions/0/options/0/points",
    "too_small",
  ],
  [
    "an option id twice",
    question({ type: "choice", options: ["X", "Y"].map((label) => ({ id: "x", label })) }),
    "/sections/0/questions/0/options/1/id",
    "duplicate_id",
  ],
  [
    "31 options",
    question({ type: "choice", options: Array.from({ length: 31 }, (_, i) => ({ id: `o${i}`, label: "X" })) }),
    "/sections/0/questions/0/options",
    "too_long",
  ],
  [
    "a band upside down",
    question({ type: "number", bands: [{ from: 2, to: 1, points: 1 }] }),
    "/sections/0/questions/0/bands/0/to",
    "not_allowed",
  ],
  [
    "31 sections",
    { ...base, sections: Array.from({ length: 31 }, (_, i) => ({ id: `s${i}`, title: "S", questions: [] })) },
    "/sections",
    "too_long",
  ],
  ["151 questions", withQuestions(...texts(151)), "/sections/0/questions", "too_long"],
  [
    "151 questions in two sections",
    { ...base, sections: [76, 75].map((count, i) => ({ id: `s${i}`, title: "S", questions: texts(count, `s${i}`) })) },
    "/sections",
    "too_long",
  ],
  [
    "more than 200 KB",
    withQuestions(
      ...Array.from({ length: 60 }, (_, i) => ({ id: `q${i}`, title: "Q", guidance: long(4000), type: "text" })),
    ),
    "",
    "too_long",
  ],
];

test.each(refused)("refuses %s", (_, input, path, code) => {
  expect(problemsOf(input)).toContainEqual(expect.objectContaining({ path, code }));
});

test.each(refused)("explains %s in sentences", (_, input) => {
  for (const { message, fix } of problemsOf(input)) {
    expect(message).toMatch(/^["A-Z].*\.$/);
    expect(message).not.toMatch(/Invalid|expected|received/);
    expect(fix).toMatch(/^[A-Z].*\.$/);
  }
});

test("says what is wrong and how to fix it", () => {
  expect(problemsOf(question({ id: "s", weight: "4" }))).toEqual([
    {
      path: "/sections/0/questions/0/weight",
      code: "wrong_type",
      message: '"weight" must be a whole number.',
      fix: "Change it to this type.",
    },
  ]);
  expect(problemsOf(question({ id: "s" }))).toEqual([
    {
      path: "/sections/0/questions/0/id",
      code: "duplicate_id",
      message: '"id" is already used at /sections/0/id.',
      fix: "Give it an id of its own.",
    },
  ]);
});

test("names the question, and the member that was meant", () => {
  expect(problemsOf(question({ wieght: 4, colour: "red" }))).toEqual([
    {
      path: "/sections/0/questions/0/wieght",
      code: "unknown_member",
      message: expect.stringMatching(/^Entry 1 of "questions" \("a"\) .*"wieght"/),
      fix: 'Did you mean "weight"?',
    },
    expect.objectContaining({ path: "/sections/0/questions/0/colour", fix: "Remove it, or correct its spelling." }),
  ]);
});

test("describes the first unknown members of an object, and counts the others", () => {
  const unknown = Object.fromEntries(Array.from({ length: 332 }, (_, i) => [`nmae${i}`, 1]));
  const problems = problemsOf({ ...base, sections: [], nmae: "A", ...unknown });
  expect(problems).toHaveLength(21);
  expect(problems[0]).toMatchObject({ path: "/nmae", fix: 'Did you mean "name"?' });
  expect(problems.at(-1)).toEqual({
    path: "",
    code: "unknown_member",
    message: 'The document cannot have a member "nmae19", "nmae20", "nmae21" and 310 more.',
    fix: "Remove them, or correct their spelling.",
  });
});

test("describes the first 500 problems, and counts the others", () => {
  const questions = texts(150).map((text) => ({ ...text, type: "choice", options: Array(10).fill({ label: "X" }) }));
  const problems = problemsOf(withQuestions(...questions));
  expect(problems).toHaveLength(501);
  expect(problems.at(-1)).toMatchObject({
    code: "more_problems",
    message: expect.stringMatching(/ 1000 more problems/),
  });
});

test("counts the answers of a condition before it looks at them", () => {
  const list = (of: unknown) => Array(10).fill(of);
  expect(problemsOf(question({ when: { any: list({ all: list({ any: list({}) }) }) } }))).toEqual([
    expect.objectContaining({ path: "/sections/0/questions/0/when", code: "too_long" }),
  ]);
});

test("input nested thousands of levels deep is refused, not followed", () => {
  let when: unknown = leaf;
  for (let level = 0; level < 50_000; level += 1) when = { all: [when] };
  expect(problemsOf(question({ when }))[0]?.path).toMatch("/sections/0/questions/0/when");
});
