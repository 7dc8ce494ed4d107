import { sql } from "kysely";
import { expect, test } from "vitest";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { idPages, partitionRanges } from "../platform/database/partition-ranges.ts";
import { insertCalls } from "../testing/insert-calls.ts";
import { openTestApp } from "../testing/test-app.ts";
import { addUsage, dayOf } from "../workspaces/usage.ts";
import { recountUsage, recountWorkspaces } from "./recount-usage.ts";

const service = await openTestApp({ LIMIT_WORKSPACE_CALLS_PER_DAY: "1000" });
const { app, api, admin, caller, campaignId, log } = service;
const { workspaceId } = caller;
const today = new Date();
const usageOf = async (id: string) =>
  (
    await admin.query(
      "select calls::int, bytes::int, day_calls::int, counted_at is not null as counted from workspace_usage where workspace_id = $1",
      [id],
    )
  ).rows;

const { rows: people } = await admin.query("select id from app_user where workspace_id = $1", [workspaceId]);
const ids = await insertCalls(
  admin,
  Array.from({ length: 60 }, (_, seed) => ({
    workspaceId,
    campaignId,
    agentId: people[0].id,
    status: "ready" as const,
    durationMs: 1000,
    metadata: [],
    seed,
    happenedAt: new Date(Date.UTC(2025, seed % 14, 1 + (seed % 5))),
    importedAt: seed < 10 ? today : new Date(today.getTime() - 5 * 24 * 3600_000),
  })),
);

test("pages contain every row once and respect the page size", async () => {
  for (const partitions of [1, 3, 100]) {
    const pages = await inWorkspace(app, workspaceId, async (tx) => {
      const found: string[][] = [];
      for await (const { from, to } of idPages(tx, { table: "call", workspaceId, rows: 3, partitions })) {
        const { rows } = await sql<{ id: string }>`
          select id from call where workspace_id = ${workspaceId} and id >= ${from} and id < ${to}`.execute(tx);
        found.push(rows.map(({ id }) => id));
      }
      return found;
    });
    expect(pages.flat().sort()).toEqual(ids.toSorted());
    expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(3);
  }
  const ranges = await partitionRanges(app.db, "call", 5);
  expect(ranges).toHaveLength(3);
  expect(ranges.slice(1).map(({ from }) => from)).toEqual(ranges.slice(0, -1).map(({ to }) => to));
});

test("a recount corrects the stored usage by the difference", async () => {
  await recountUsage(app, workspaceId);
  expect(await usageOf(workspaceId)).toEqual([{ calls: 60, bytes: 60, day_calls: 10, counted: true }]);
  // Usage added by a process stays counted until the recount finds that these calls do not exist.
  await inWorkspace(app, workspaceId, (tx) => addUsage(tx, workspaceId, { calls: 2, bytes: 2 }, dayOf(Date.now())));
  await recountUsage(app, workspaceId);
  expect(await usageOf(workspaceId)).toEqual([{ calls: 60, bytes: 60, day_calls: 10, counted: true }]);
});

test("a failure in one workspace does not stop the recount of others", async () => {
  const { workspaceId: broken } = await service.anotherWorkspace();
  const { workspaceId: other } = await service.anotherWorkspace();
  await admin.query("update workspace_usage set counted_at = null, calls = 7");
  await admin.query(
    `alter table workspace_usage add constraint broken check (workspace_id <> '${broken}' or counted_at is null) not valid`,
  );
  await recountWorkspaces(app);
  expect(await usageOf(broken)).toMatchObject([{ counted: false }]);
  expect(await usageOf(other)).toMatchObject([{ calls: 0, counted: true }]);
  expect(await usageOf(workspaceId)).toMatchObject([{ calls: 60, counted: true }]);
  expect(log()).toContain(`"workspaceId":"${broken}"`);
  await admin.query("alter table workspace_usage drop constraint broken");
});

test("a request never triggers a count, even with a quota and no stored usage", async () => {
  await admin.query("delete from workspace_usage where workspace_id = $1", [workspaceId]);
  const answer = await api.inject({ url: "/limits", headers: { "x-api-key": await service.key("read") } });
  expect(answer.json().workspace.calls_per_day).toMatchObject({ limit: 1000, used: null });
  expect(await usageOf(workspaceId)).toEqual([]);
  await recountWorkspaces(app);
  expect(await usageOf(workspaceId)).toMatchObject([{ calls: 60, day_calls: 10, counted: true }]);
});
