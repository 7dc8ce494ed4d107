import { expect, test } from "vitest";
import { auditOf, openJsonClient } from "../../testing/json-client.ts";
import { readCsv } from "../../testing/read-csv.ts";
import { openReviewTests } from "../../testing/reviews.ts";
import { openTestApp } from "../../testing/test-app.ts";

const service = await openTestApp();
const { reviewer, supervisor, answered, submitted, released } = await openReviewTests(service);
const comment = '=1+1, "quoted"';
const first = await released({ greeting: { value: "no", comment, moments: [{ start_ms: 0, end_ms: 9 }] } });
const second = await submitted({ greeting: { not_applicable: true } });
const draft = await answered();

const fetchText = async (query: string, by = supervisor) => (await by.ask("GET", `/reviews/export?${query}`)).body;
const lines = (text: string) =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

test("one row per review, with the filters of the list", async () => {
  const [head = [], ...rows] = readCsv(await fetchText("format=csv"));
  expect(head.slice(0, 3)).toEqual(["id", "call_id", "agent_id"]);
  expect(rows.map((row) => row[0])).toEqual([draft.id, second.id, first.id]);
  expect(rows.map((row) => row[head.indexOf("score")])).toEqual(["", "100.00", "60.00"]);
  const released = lines(await fetchText("format=jsonl&state=released"));
  expect(released).toEqual([expect.objectContaining({ id: first.id, score: 6000 })]);
});

test("one row per answer of submitted reviews", async () => {
  const [head = [], ...rows] = readCsv(await fetchText("format=csv&rows=answers"));
  const cells = (name: string) => rows.map((row) => row[head.indexOf(name)]);
  expect(cells("question_id")).toEqual(["greeting", "identity", "greeting", "identity"]);
  expect(cells("question")).toEqual(["Greets", "Verifies identity", "Greets", "Verifies identity"]);
  expect(cells("value")).toEqual(["", "full", "no", "full"]);
  expect(cells("not_applicable")).toEqual(["true", "false", "false", "false"]);
  expect(cells("lost")).toEqual(["0.00", "0.00", "40.00", "0.00"]);
  // Spreadsheets do not run it as a formula.
  expect(cells("comment")[2]).toBe(`'${comment}`);
  const [greeting] = lines(await fetchText(`format=jsonl&rows=answers&call_id=${first.callId}`));
  expect(greeting).toMatchObject({
    review_id: first.id,
    question: "greeting",
    answer: { value: "no", comment },
    lost: 4000,
  });
});

test("more reviews than a page are exported completely", async () => {
  const { id } = first;
  await service.admin.query(
    `insert into review (workspace_id, id, call_id, agent_id, campaign_id, scorecard_id, version, reviewer_type, reviewer_id,
        selection, state, revision, score, outcome, submitted_at)
      select workspace_id, gen_random_uuid(), gen_random_uuid(), agent_id, 'other', scorecard_id, version, reviewer_type,
        reviewer_id, selection, 'submitted', 1, n, 'failed', now() from review, generate_series(1, 1000) as n where id = $1`,
    [id],
  );
  const exported = lines(await fetchText("format=jsonl&campaign_id=other"));
  expect(new Set(exported.map((row: { id: string }) => row.id)).size).toBe(1000);
});

test("supervisors and keys export; an audit entry names the filters", async () => {
  expect((await reviewer.ask("GET", "/reviews/export?format=csv")).status).toBe(403);
  const read = openJsonClient(service, await service.key("read"));
  expect((await read("GET", "/reviews/export?format=csv")).body).not.toContain(draft.id);
  const entries = await auditOf(service, () => fetchText("format=csv&state=released&rows=answers"));
  const data = { format: "csv", rows: "answers", filters: ["state"] };
  expect(entries).toMatchObject([{ action: "reviews.exported", data }]);
});
