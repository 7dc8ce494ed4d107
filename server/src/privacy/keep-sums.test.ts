import { afterEach, expect, test } from "vitest";
import { openJsonClient } from "../testing/json-client.ts";
import { findSumDifferences } from "../testing/recomputed-scores.ts";
import { openPerson, openReviewTests } from "../testing/reviews.ts";
import { openScoreTests } from "../testing/scores.ts";
import { openTestApp } from "../testing/test-app.ts";
import { expireReviews } from "./delete-reviews.ts";
import { eraseWorkspace } from "./erase-workspace.ts";
import { runErasure } from "./run-erasure.ts";

const service = await openTestApp();
const { admin, app, caller } = service;
const { workspaceId } = caller;
const { reviewer, released, importOf } = await openReviewTests(service);
const { added, differences } = openScoreTests(service);
const manage = openJsonClient(service, await service.key("manage"));

afterEach(async () => {
  expect(await differences()).toEqual([]);
  expect(await findSumDifferences(admin)).toEqual([]);
});

test("erasing a call changes no sum; the day is known without it", async () => {
  const { callId } = await released();
  expect(await added(() => manage("DELETE", `/calls/${callId}`))).toEqual({});
});

test("when reviews are deleted, sums without the agent stay and can still be verified", async () => {
  const leaving = await openPerson(service, "agent");
  const { id } = await released({}, reviewer, (await importOf(leaving)).id);
  const ofLeaving = async () =>
    (await admin.query("select from agent_score_sum where agent_id = $1", [leaving.id])).rowCount;
  expect(await ofLeaving()).toBe(1);
  const erase = async () => {
    const requested = await manage("POST", "/erasures", { agent_id: leaving.id });
    await runErasure(app, { workspaceId, id: requested.body.id });
  };
  expect(await added(erase)).toEqual({});
  expect((await admin.query("select from review where id = $1", [id])).rowCount).toBe(0);
  expect(await ofLeaving()).toBe(0);

  const old = await released();
  await admin.query("update review set submitted_at = now() - interval '13 months' where id = $1", [old.id]);
  await manage("PATCH", "/workspace", { settings: { review_retention_months: 12 } });
  expect(await added(() => expireReviews(app, workspaceId))).toEqual({});
  expect((await admin.query("select from review where id = $1", [old.id])).rowCount).toBe(0);
  const { rows } = await admin.query("select sum(scored)::int as scored from deleted_score_sum where part = 'review'");
  expect(rows).toEqual([{ scored: 2 }]);
});

test("erasing a workspace deletes its sums", async () => {
  await eraseWorkspace(app, workspaceId);
  for (const table of ["score_sum", "deleted_score_sum", "agent_score_sum"])
    expect((await admin.query(`select from ${table}`)).rowCount, table).toBe(0);
});
