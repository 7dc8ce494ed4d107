import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { makeFolder, runCommand } from "../../testing/run-command.ts";

let cwd: string;
beforeEach(async () => {
  cwd = await makeFolder();
});
const run = (...args: string[]) => runCommand(["scorecards", ...args], { cwd, env: { HOME: cwd } });
const write = (file: string, text: string) => writeFile(join(cwd, file), text);
const read = (file: string) => readFile(join(cwd, file), "utf8");

const small = `format: hearback.scorecard/1
name: Support call
passing_score: 80
sections:
  - id: opening
    title: Opening
    questions:
      - { id: greeting, title: Greets, type: yes_no, weight: 40 }
      - id: identity
        title: Verifies identity
        type: choice
        weight: 60
        options:
          - { id: full, label: Fully, points: 2 }
          - { id: no, label: Not at all, points: 0, fails: call }
`;

test("a new scorecard has no problems, is short, and is the same as YAML and JSON", async () => {
  expect(await run("new", "ventes.yaml", "--template", "sales", "--language", "fr")).toMatchObject({
    code: 0,
    stdout: '✓ ventes.yaml: template "sales" (fr)\n',
  });
  await run("new", "ventes.json", "--template", "sales", "--language", "fr");
  expect(await run("lint", "ventes.yaml", "ventes.json", "--strict")).toMatchObject({
    code: 0,
    stdout: "✓ ventes.yaml: no problems\n✓ ventes.json: no problems\n",
  });
  expect(await run("diff", "ventes.yaml", "ventes.json")).toMatchObject({
    code: 0,
    stdout: "ventes.yaml → ventes.json\nNo changes.\n",
  });
  const text = await read("ventes.yaml");
  expect(text).toMatch(/^format: hearback.scorecard\/1\nname: /);
  expect(text).not.toMatch(/not_applicable: false|tags: \[\]/);
});

test("an existing file is overwritten only with --force, and its format must be known", async () => {
  await write("a.yaml", "mine");
  expect(await run("new", "a.yaml")).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") });
  expect(await read("a.yaml")).toBe("mine");
  expect(await run("new", "a.yaml", "--force")).toMatchObject({ code: 0 });
  expect(await run("new", "a.txt")).toMatchObject({ code: 2, stderr: expect.stringContaining(".yaml, .yml, .json") });
});

test("lint prints place, path, message and fix, and exits with 1 on errors only", async () => {
  await write("a.yaml", small.replace("weight: 60", "weight: 50"));
  await write("b.yaml", small.replace("title: Verifies identity", "titel: Verifies identity"));
  const warned = await run("lint", "a.yaml");
  expect(warned).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^! a.yaml:5:3 \/sections\n {4}.*90, not 100/),
  });
  expect(await run("lint", "a.yaml", "--strict")).toMatchObject({ code: 1 });
  const failed = await run("lint", "a.yaml", "b.yaml");
  expect(failed).toMatchObject({ code: 1, stderr: "" });
  expect(failed.stdout).toContain("✗ b.yaml:10:16 /sections/0/questions/1/titel\n");
  const [finding] = (await run("lint", "b.yaml", "--json")).stdout.split("\n").map((line) => JSON.parse(line || "{}"));
  expect(finding).toMatchObject({ file: "b.yaml", line: 9, severity: "error", path: "/sections/0/questions/1/title" });
});

const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]", ..."bcdefgh"].map((name, at) =>
  at === 0 ? name : `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[at - 1]}`)}]`,
);

test.each([
  ["a syntax error", "a: [1\nb: 2\n", "Line 2, column 1: "],
  ["a repeated member", "name: a\nname: b\n", "Line 2, column 1: Map keys must be unique."],
  ["two documents", "a: 1\n---\nb: 1\n", "Line 2, column 1: The file has more than one document."],
  ["an unknown alias", "a: *b\n", "Unresolved alias"],
  ["aliases that explode", bomb.join("\n"), "It has too many aliases."],
  ["deep nesting", "[".repeat(100_000), "nested too deeply."],
  ["too many bytes", `# ${"x".repeat(400_000)}`, "The file is larger than 400 kB."],
  ["another encoding", "name: \ufffd", "The file is not UTF-8 text."],
  ["nothing", "", "The document must be an object."],
])("refuses YAML with %s, without a stack trace", async (_, text, expected) => {
  const bytes = text.includes("\ufffd") ? Buffer.from(text, "latin1") : Buffer.from(text);
  await writeFile(join(cwd, "a.yaml"), bytes);
  const ran = await run("lint", "a.yaml");
  expect(ran).toMatchObject({ code: 1, stderr: "", stdout: expect.stringContaining(expected) });
  expect(ran.stdout.split("\n").length).toBeLessThan(12);
});

test("refuses JSON with a syntax error", async () => {
  await write("a.json", '{"name": "a",\n}');
  expect(await run("lint", "a.json")).toMatchObject({ code: 1, stdout: expect.stringContaining("Line 2, column 1: ") });
});

test("a missing file is a usage error", async () => {
  expect(await run("lint", "none.yaml")).toMatchObject({ code: 2, stderr: expect.stringContaining("no such file") });
});

test("diff says which changes affect the comparability of scores", async () => {
  await write("a.yaml", small);
  const changed = small.replace("title: Greets", "title: Says hello").replace("points: 2", "points: 3");
  await write("b.yaml", `# A comment\n${changed}`);
  expect(await run("diff", "a.yaml", "b.yaml")).toMatchObject({
    code: 1,
    stdout: `a.yaml → b.yaml
  question greeting: title "Greets" → "Says hello"
! option full of question identity: points 2 → 3
2 changes. 1 (!) affects the comparability of scores: the same call can get another score or outcome.
`,
  });
  const { stdout } = await run("diff", "b.yaml", "a.yaml", "--json");
  expect(JSON.parse(stdout.split("\n")[1] ?? "")).toEqual({
    ...{ subject: "option", kind: "changed", id: "full", question: "identity", field: "points", before: 3, after: 2 },
    affects_comparability: true,
  });
});

test.each([
  [["a.yaml"], "Name either a second file or"],
  [["a.yaml", "a.yaml", "--id", "x"], "Name either a second file or"],
  [["a.yaml", "a.yaml", "--version", "1"], "--version needs --id."],
])("diff %j is a usage error", async (args, expected) => {
  await write("a.yaml", small);
  expect(await run("diff", ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(expected) });
});

const cases = `format: hearback.scorecard-tests/1
cases:
  - name: Everything right
    answers: { greeting: { value: yes }, identity: { value: full } }
    expect: { score: 100, outcome: passed }
  - name: Not verified
    answers: { greeting: { value: yes }, identity: { value: no } }
    expect: { score: 40, outcome: failed }
`;

test("test runs the cases beside the file and prints what was expected", async () => {
  await write("support.yaml", small);
  expect(await run("test", "support.yaml")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("support.cases.yaml: no such file"),
  });
  await write("support.cases.yaml", cases);
  expect(await run("test", "support.yaml")).toMatchObject({
    code: 1,
    stdout: "✓ Everything right\n✗ Not verified\n    score is 0, not 40.\n1 of 2 cases failed\n",
  });
  await write("other.yaml", cases.replace("score: 40", "score_before_fail: 40"));
  expect(await run("test", "support.yaml", "other.yaml")).toMatchObject({
    code: 0,
    stdout: "✓ Everything right\n✓ Not verified\n2 cases passed\n",
  });
  await write("wrong.yaml", cases.replace("expect:", "expects:"));
  const ran = await run("test", "support.yaml", "wrong.yaml");
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("/cases/0/expects: ") });
});

const option = (text: string, value: number) => ({ text, value });
const form = {
  name: "Agent evaluation",
  questionGroups: [
    {
      ...{ name: "Opening", weight: 100, defaultAnswersToHighest: true },
      questions: [
        { text: "Greets", type: "multipleChoiceQuestion", answerOptions: [option("Yes", 1), option("No", 0)] },
      ],
    },
  ],
};

test("import converts a form and reports what has no equivalent", async () => {
  await write("form.json", JSON.stringify(form));
  const ran = await run("import", "genesys", "form.json", "out.yaml");
  expect(ran).toMatchObject({ code: 0, stderr: "Next: hearback scorecards lint out.yaml\n" });
  expect(ran.stdout).toContain("! /questionGroups/0 Default answers have no equivalent.\n    Reviewers answer every");
  expect(await run("lint", "out.yaml")).toMatchObject({ code: 0 });
  const wrong = await run("import", "connect", "form.json", "other.yaml");
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('/Title: "Title" is missing.') });
  expect(await run("lint", "other.yaml")).toMatchObject({ code: 2 });
});
