import { expect, test } from "vitest";
import { openJsonClient } from "../../testing/json-client.ts";
import { openPerson, openReviewTests } from "../../testing/reviews.ts";
import { openTestApp } from "../../testing/test-app.ts";

const service = await openTestApp();
const { agent, reviewer, supervisor, answered, submitted, released, importOf } = await openReviewTests(service);
const other = await openPerson(service, "reviewer");
const failed = await released();
const passed = await submitted({ greeting: { value: "yes" } }, other);
const voided = await released();
await supervisor.ask("POST", `/reviews/${voided.id}/void`, { reason: "Wrong agent." });
const draft = await answered();
const { id: untouched } = await importOf();

interface Listed {
  readonly id: string;
  readonly review: object | null;
}
const search = async (query: string, by = supervisor): Promise<Listed[]> =>
  (await by.ask("GET", `/calls?limit=200&${query}`)).body.calls;
const ids = async (query: string, by = supervisor) => (await search(query, by)).map(({ id }) => id).sort();
const sorted = (...calls: string[]) => calls.sort();

test("calls with and without a submitted review; drafts and voided reviews do not count", async () => {
  expect(await ids("reviewed=true")).toEqual(sorted(failed.callId, passed.callId));
  expect(await ids("reviewed=false")).toEqual(sorted(voided.callId, draft.callId, untouched));
});

test("by outcome, reviewer and score, also together", async () => {
  expect(await ids("review_outcome=failed")).toEqual([failed.callId]);
  expect(await ids("review_outcome=failed&review_outcome=passed")).toEqual(sorted(failed.callId, passed.callId));
  expect(await ids(`reviewer=${other.id}`)).toEqual([passed.callId]);
  expect(await ids(`reviewer=${other.id}&review_outcome=failed`)).toEqual([]);
  expect(await ids("min_score=60&max_score=99.99")).toEqual([failed.callId]);
  expect(await ids("min_score=60.01")).toEqual([passed.callId]);
  expect(await ids(`reviewed=false&reviewer=${other.id}`)).toEqual(
    sorted(failed.callId, voided.callId, draft.callId, untouched),
  );
  for (const wrong of ["min_score=101", "min_score=-1", "reviewed=perhaps", "reviewer=ann", "review_outcome=good"])
    expect((await supervisor.ask("GET", `/calls?${wrong}`)).status, wrong).toBe(422);
});

test("together with other filters, counted and paged", async () => {
  expect(await ids(`reviewed=true&agent=${agent.email}`)).toEqual(sorted(failed.callId, passed.callId));
  expect(await ids("reviewed=true&campaign=none")).toEqual([]);
  const { body } = await supervisor.ask("GET", "/calls?reviewed=true&limit=1&count=estimate");
  expect(body).toMatchObject({ estimate: { count: 2, exact: true } });
  const rest = await supervisor.ask("GET", `/calls?reviewed=true&limit=1&cursor=${body.next}`);
  expect([...body.calls, ...rest.body.calls].map(({ id }: Listed) => id).sort()).toEqual(
    sorted(failed.callId, passed.callId),
  );
});

test("reviewers filter by their own reviews, agents by released ones", async () => {
  expect(await ids("reviewed=true", reviewer)).toEqual([failed.callId]);
  expect(await ids("review_outcome=passed", reviewer)).toEqual([]);
  expect(await ids(`reviewer=${other.id}`, reviewer)).toEqual([]);
  expect(await ids("reviewed=true", agent)).toEqual([failed.callId]);
});

test("the list shows the latest review that the caller may see", async () => {
  const shown = async (by = supervisor) =>
    Object.fromEntries((await search("", by)).map(({ id, review }) => [id, review]));
  const ofFailed = { id: failed.id, state: "released", score: 6000, outcome: "failed" };
  const ofPassed = { id: passed.id, state: "submitted", score: 10_000, outcome: "passed" };
  const none = { [voided.callId]: null, [draft.callId]: null, [untouched]: null };
  expect(await shown()).toEqual({ [failed.callId]: ofFailed, [passed.callId]: ofPassed, ...none });
  expect(await shown(reviewer)).toEqual({ [failed.callId]: ofFailed, [passed.callId]: null, ...none });
  expect(await shown(other)).toEqual({ [failed.callId]: null, [passed.callId]: ofPassed, ...none });
  expect(await shown(agent)).toEqual({ [failed.callId]: ofFailed, [passed.callId]: null, ...none });
});

test("an export has the score and the outcome", async () => {
  const read = openJsonClient(service, await service.key("read"));
  const { body } = await read("GET", "/calls/export?format=csv&reviewed=true");
  expect(body).toMatch(/,review_score,review_outcome,/);
  expect(body).toMatch(/,60\.00,failed,/);
});
