import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseDocument } from "@hearback/scoring/parse-document";
import { afterAll, beforeEach, expect, test } from "vitest";
import { makeFolder, runCommand } from "../../testing/run-command.ts";
import { type Answer, openStubService, problem } from "../../testing/stub-service.ts";

const idOf = (at: number) => `0190f3c2-6c0b-7d6e-9b0e-${String(at).padStart(12, "0")}`;

const text = (name: string) => `format: hearback.scorecard/1
name: ${name}
passing_score: 80
sections:
  - id: opening
    title: Opening
    questions:
      - id: greeting
        title: Greets
        type: yes_no
        weight: 100
`;

/** The document as the service stores it: with defaults, and members in another order. */
function stored(name: string, title = "Greets") {
  const question = { weight: 100, title, type: "yes_no", id: "greeting" };
  const sections = [{ questions: [question], title: "Opening", id: "opening" }];
  const parsed = parseDocument({ sections, name, passing_score: 80, format: "hearback.scorecard/1" });
  if (!parsed.ok) throw new Error("The document is not valid.");
  return parsed.value;
}

const scorecard = (at: number, name: string, more: object = {}) => ({
  ...{ id: idOf(at), name, latest_version: 3, has_draft: false, campaign_ids: ["support-fr"], arbiter_ids: [] },
  ...{ retired_at: null, created_at: "2026-11-15T08:00:00.000Z", ...more },
});
const draft = {
  document: stored("Drafted", "Says hello"),
  changed_at: "2026-11-15T09:00:00.000Z",
  findings: [],
};
const published = scorecard(1, "Été d'appels");
const drafted = scorecard(2, "Drafted", { has_draft: true });
const retired = scorecard(5, "Old", { retired_at: "2026-11-15T09:00:00.000Z" });

const caseNamed = (name: string) => ({
  name,
  answers: { greeting: { value: "yes" } },
  expect: { score: 100, outcome: "passed" },
});
let cases: ReturnType<typeof caseNamed>[] = [];

let saving: Answer = { body: { ...drafted, draft_number: 5, draft } };
const warning = { severity: "warning", path: "/sections/0", code: "some", message: "Some warning.", fix: "Some fix." };

const side = (mean: number, passed: number) => ({
  ...{ mean, scored: 2, passed, failed: 2 - passed, not_scored: 0 },
  bins: Array.from({ length: 20 }, (_, bin) => (bin === Math.floor(mean / 500) ? 2 : 0)),
});
const counts = { changed: 2, passed_to_failed: 2, failed_to_passed: 0, not_comparable: 1 };
const cause = { kind: "question", id: "greeting", title: "Greets", change: "changed", mean_change: -1000, ...counts };
const result = {
  ...{
    reviews: 2,
    older_versions: 1,
    ...counts,
    before: side(8500, 2),
    after: side(7500, 0),
    parts: [cause],
    crossings: [],
  },
};
let ended: object = { state: "done", result };
const whatIf = (more: object) => ({
  ...{
    id: idOf(7),
    scorecard: { id: idOf(1), version: 3 },
    draft_number: null,
    complete: true,
    reviews: 2,
    replayed: 2,
  },
  ...{ result: null, ...more },
});

const service = await openStubService({
  "GET /scorecards": ({ query }) => ({
    body: {
      scorecards:
        query.get("retired") === "true"
          ? [retired]
          : [published, drafted, scorecard(3, "Twice"), scorecard(4, "Twice", { latest_version: null })],
      next: null,
    },
  }),
  [`GET /scorecards/${idOf(1)}`]: () => ({ body: { ...published, draft: null } }),
  [`GET /scorecards/${idOf(2)}`]: () => ({ body: { ...drafted, draft_number: 4, draft } }),
  [`GET /scorecards/${idOf(4)}`]: () => ({ body: { ...scorecard(4, "Twice", { latest_version: null }), draft: null } }),
  [`GET /scorecards/${idOf(5)}`]: () => ({ body: { ...retired, draft: null } }),
  [`GET /scorecards/${idOf(1)}/versions/3`]: () => ({ body: { version: 3, document: stored("Été d'appels") } }),
  [`GET /scorecards/${idOf(1)}/versions/2`]: () => ({ body: { version: 2, document: stored("Before") } }),
  [`GET /scorecards/${idOf(5)}/versions/3`]: () => ({ body: { version: 3, document: stored("Old") } }),
  [`GET /scorecards/${idOf(1)}/test-cases`]: () => ({ body: { format: "hearback.scorecard-tests/1", cases } }),
  [`GET /scorecards/${idOf(2)}/test-cases`]: () => ({ body: { format: "hearback.scorecard-tests/1", cases: [] } }),
  [`GET /scorecards/${idOf(5)}/test-cases`]: () => ({ body: { format: "hearback.scorecard-tests/1", cases: [] } }),
  [`PATCH /scorecards/${idOf(2)}`]: ({ body }) => ({ body: { ...drafted, ...JSON.parse(body) } }),
  [`PUT /scorecards/${idOf(2)}/draft`]: () => saving,
  [`POST /scorecards/${idOf(2)}/publish`]: () => ({ body: { version: 4, document: stored("Drafted") } }),
  "POST /scorecards": () => ({
    status: 201,
    body: { ...scorecard(6, "New", { campaign_ids: [] }), draft_number: 1, draft: { ...draft, findings: [warning] } },
  }),
  [`POST /scorecards/${idOf(1)}/what-if`]: () => ({ status: 202, body: whatIf({ state: "queued" }) }),
  [`GET /what-ifs/${idOf(7)}`]: () => ({ body: whatIf(ended) }),
  [`POST /scorecards/${idOf(6)}/publish`]: () => ({ body: { version: 1, document: stored("New") } }),
});
afterAll(() => service.close());

let cwd: string;
beforeEach(async () => {
  cwd = await makeFolder();
  service.requests.length = 0;
});
const run = (...args: string[]) => runCommand(["scorecards", ...args], { env: service.env, cwd });
const write = (file: string, content: string) => writeFile(join(cwd, file), content);
const read = (file: string) => readFile(join(cwd, file), "utf8");
const changes = () => service.requests.filter(({ method }) => method !== "GET");

test("lists scorecards, or the retired ones", async () => {
  const ran = await run("list");
  expect(ran.stdout.split("\n").slice(0, 3)).toEqual([
    "name          version  draft  campaigns   retired  id",
    `Été d'appels        3  no     support-fr  no       ${idOf(1)}`,
    `Drafted             3  yes    support-fr  no       ${idOf(2)}`,
  ]);
  expect(ran).toMatchObject({ code: 0, stderr: "4 scorecards\n" });
  const old = await run("list", "--retired", "--json");
  expect(
    old.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).name),
  ).toEqual(["Old"]);
});

test("pulls the latest version to a tidy file, a given version, and never overwrites a file", async () => {
  expect(await run("pull", "Été d'appels")).toMatchObject({ code: 0, stdout: expect.stringContaining("version 3 of") });
  expect(await read("ete-d-appels.yaml")).toBe(
    text("Été d'appels").replace(
      "sections:",
      "not_applicable: stays_in_section\nfail: zeroes_score\nrelease: on_submit\ndispute_days: 14\ndispute_levels: 1\nsections:",
    ),
  );
  expect(await run("pull", idOf(1), "a.json", "--version", "2")).toMatchObject({ code: 0 });
  expect(JSON.parse(await read("a.json"))).toMatchObject({ name: "Before" });
  expect(await run("pull", idOf(1), "a.json")).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") });
  expect(await run("pull", idOf(1), "a.json", "--version", "9")).toMatchObject({ code: 2 });
});

test("pulls the draft if there is one, and a retired scorecard by name", async () => {
  const ran = await run("pull", "Drafted", "--json");
  expect(JSON.parse(ran.stdout)).toEqual({ id: idOf(2), file: "drafted.yaml", version: null });
  expect(await read("drafted.yaml")).toContain("Says hello");
  expect(await run("pull", "Old")).toMatchObject({ code: 0 });
});

test("pull adds decided disputes that are kept as test cases to the file beside it, and keeps what is in it", async () => {
  cases = [caseNamed("Says only the name")];
  expect((await run("pull", idOf(1), "a.yaml")).stdout).toContain("a.cases.yaml: added 1 test case");
  expect(await run("test", "a.yaml")).toMatchObject({ code: 0, stdout: expect.stringContaining("1 case passed") });
  await write("a.cases.yaml", (await read("a.cases.yaml")).replace("cases:", "# Ours\ncases:"));
  cases = [caseNamed("Says only the name"), caseNamed("Says hello")];
  expect((await run("pull", idOf(1), "a.yaml", "--force")).stdout).toContain("a.cases.yaml: added 1 test case");
  expect((await run("pull", idOf(1), "a.yaml", "--force")).stdout).not.toContain("cases");
  const written = await read("a.cases.yaml");
  expect(written).toContain("# Ours");
  expect(written.match(/name:/g)).toHaveLength(2);
  expect(await run("test", "a.yaml")).toMatchObject({ code: 0, stdout: expect.stringContaining("2 cases passed") });
  await run("pull", idOf(1), "b.json");
  cases = [caseNamed("Says nothing")];
  await run("pull", idOf(1), "b.json", "--force");
  expect(JSON.parse(await read("b.cases.json")).cases).toHaveLength(3);
  cases = [];
});

test.each([
  [["pull", "Nothing"], 'There is no scorecard with the name "Nothing".'],
  [["pull", "Twice"], `2 scorecards have the name "Twice".\n  - ${idOf(3)}\n  - ${idOf(4)}\n`],
  [["pull", idOf(4)], '"Twice" has no published version.'],
  [["push", "a.yaml", "--name", "Twice"], "2 scorecards have the name"],
  [["push", "a.yaml"], "To create it, add --create."],
])("%j says what is wrong and changes nothing", async (args, expected) => {
  await write("a.yaml", text("Nobody's"));
  expect(await run(...args)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(expected) });
  expect(changes()).toEqual([]);
});

test("lint and diff compare with a published version", async () => {
  await write(
    "a.yaml",
    text("Été d'appels")
      .replace("yes_no", "text")
      .replace(/ +weight.*\n/, ""),
  );
  expect((await run("lint", "a.yaml", "--id", idOf(1))).stdout).toContain("was of type yes_no");
  await write("b.yaml", text("Été d'appels"));
  expect(await run("diff", "b.yaml", "--id", "Été d'appels")).toMatchObject({ code: 0 });
  expect(await run("diff", "b.yaml", "--id", "Été d'appels", "--version", "2")).toMatchObject({
    code: 1,
    stdout: `version 2 of "Été d'appels" → b.yaml\n  setting name: "Before" → "Été d'appels"\n1 change. Scores stay comparable.\n`,
  });
});

test("push refuses a file with errors before it sends anything", async () => {
  await write("a.yaml", `${text("Drafted")}        when: { question: unknown, is: [yes] }\n`);
  const ran = await run("push", "a.yaml", "--publish");
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).toContain("✗ a.yaml:");
  expect(ran.stderr).toContain("Nothing was sent.");
  expect(service.requests).toEqual([]);
  expect(JSON.parse((await run("push", "a.yaml", "--json")).stderr)).toMatchObject({ error: { exit_code: 1 } });
});

test("push replaces the draft that it read, reports findings, and publishes the one that it saved", async () => {
  saving = { body: { ...drafted, draft_number: 5, draft: { ...draft, findings: [warning] } } };
  await write("a.yaml", text("Drafted"));
  const ran = await run("push", "a.yaml", "--publish");
  expect(ran).toMatchObject({ code: 0, stdout: `✓ Published version 4 of "Drafted" (${idOf(2)}) for support-fr.\n` });
  expect(ran.stderr).toContain(`Replacing the draft of 2026-11-15T09:00:00.000Z in "Drafted" (${idOf(2)}).\n! a.yaml`);
  expect(changes().map(({ method, ifMatch }) => [method, ifMatch])).toEqual([
    ["PUT", '"4"'],
    ["POST", '"5"'],
  ]);
});

test("push fails if the draft changes between reading and saving it", async () => {
  saving = problem(412, "draft_changed", "The draft was changed. It has the number 5 now.");
  await write("a.yaml", text("Drafted"));
  expect(await run("push", "a.yaml", "--publish")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("number 5"),
  });
  expect(changes()).toHaveLength(1);
});

test("push does nothing if the latest version is the same", async () => {
  await write("a.yaml", text("Été d'appels"));
  const ran = await run("push", "a.yaml", "--publish", "--json");
  expect(JSON.parse(ran.stdout)).toEqual({
    ...{ name: "Été d'appels", id: idOf(1), draft: "unchanged", version: 3 },
    campaign_ids: ["support-fr"],
  });
  expect(changes()).toEqual([]);
});

test("push --create creates a scorecard only if none has this name", async () => {
  await write("a.yaml", text("Drafted"));
  const ran = await run("push", "a.yaml", "--create", "--name", "New", "--publish");
  expect(ran).toMatchObject({ code: 0, stdout: `✓ Published version 1 of "New" (${idOf(6)}) for all campaigns.\n` });
  expect(ran.stderr).toContain("! a.yaml:5:5 /sections/0\n    Some warning.");
  expect(JSON.parse(changes()[0]?.body ?? "")).toMatchObject({
    document: { name: "New", sections: [{ id: "opening" }] },
  });
  saving = { body: { ...drafted, draft_number: 5, draft } };
  expect(await run("push", "a.yaml", "--create")).toMatchObject({ code: 0, stdout: expect.stringContaining(idOf(2)) });
});

test("push --campaign sets the campaigns before it publishes; the same ones are not sent again", async () => {
  saving = { body: { ...drafted, draft_number: 5, draft } };
  await write("a.yaml", text("Drafted"));
  const ran = await run("push", "a.yaml", "--publish", "--campaign", "support-fr", "--campaign", "sales");
  expect(ran.stdout).toBe(`✓ Published version 4 of "Drafted" (${idOf(2)}) for support-fr, sales.\n`);
  expect(changes().map(({ method }) => method)).toEqual(["PATCH", "PUT", "POST"]);
  service.requests.length = 0;
  await run("push", "a.yaml", "--campaign", "support-fr");
  expect(changes().map(({ method }) => method)).toEqual(["PUT"]);
  service.requests.length = 0;
  await run("push", "a.yaml", "--create", "--name", "New", "--campaign", "sales");
  expect(JSON.parse(changes()[0]?.body ?? "")).toMatchObject({ campaign_ids: ["sales"] });
});

test("what-if sends the file, waits, and shows scores before and after and their causes", async () => {
  await write("a.yaml", text("Été d'appels"));
  const args = ["what-if", "a.yaml", "--id", idOf(1), "--from", "2026-09-01T00:00:00Z"];
  const ran = await run(...args);
  expect(ran).toMatchObject({ code: 0, stderr: "Replaying reviews.\n" });
  expect(ran.stdout).toContain("2 reviews, version 3 → file\n1 review used an older version");
  expect(ran.stdout).toMatch(/mean score +85\.00 +75\.00\n/);
  expect(ran.stdout).toMatch(/75 to 80 +0 +2\n/);
  expect(ran.stdout).toContain(
    "2 passed reviews would fail, 0 failed reviews would pass.\n1 review compared without some answers",
  );
  expect(ran.stdout).toContain("The effect of each change alone.");
  expect(ran.stdout).toMatch(/Greets +question changed +-10\.00 +2 +0 +1\n/);
  expect(changes().map(({ method, path }) => `${method} ${path}`)).toEqual([`POST /scorecards/${idOf(1)}/what-if`]);
  expect(JSON.parse(changes()[0]?.body ?? "")).toMatchObject({
    from: "2026-09-01T00:00:00.000Z",
    document: { name: "Été d'appels" },
  });
  const asJson = await run(...args, "--json");
  expect(asJson).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(asJson.stdout)).toMatchObject({ state: "done", result: { passed_to_failed: 2 } });
  ended = { state: "failed" };
  expect(await run(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining("is failed") });
});
