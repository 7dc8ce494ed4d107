import { expect, test } from "vitest";
import { mergeAllImportDeltas, mergeImportDeltas } from "../calls/call/merge-import-deltas.ts";
import { callImporter } from "../testing/import-calls.ts";
import { openTestApp } from "../testing/test-app.ts";
import { eraseCall } from "./erase-call.ts";

const service = await openTestApp();
const { app, api, admin, caller } = service;
const { workspaceId } = caller;
const importCall = await callImporter(service);
const headers = { "x-api-key": await service.key("read") };
const manager = { ...caller, scopes: ["read", "manage"] as const };

const summary = async (zone = "UTC") => {
  const { imported } = (await api.inject({ url: `/imports/summary?days=20&time_zone=${zone}`, headers })).json();
  return imported as { day: string; imported: number; ready: number; waiting: number; failed: number }[];
};
const total = async () => (await summary()).reduce((sum, { imported }) => sum + imported, 0);
const deltas = async () => (await admin.query("select count(*)::int as n from import_delta")).rows[0].n as number;
/** Compares the counters with the calls. */
async function expectCountersMatch() {
  const { rows } = await admin.query("select status, count(*)::int as count from call group by 1 order by 1");
  const counted = await admin.query(
    `select status, sum(count)::int as count from (select status, count from import_count union all select status, count from import_delta) as both_counts
      group by 1 having sum(count) <> 0 order by 1`,
  );
  expect(counted.rows).toEqual(rows);
}

test("counters follow every change of a call, before and after merging", async () => {
  const calls = [];
  for (let n = 0; n < 6; n++) calls.push(await importCall());
  await expectCountersMatch();
  expect(await deltas()).toBe(6);
  expect(await mergeImportDeltas(app, workspaceId)).toBe(6);
  expect(await deltas()).toBe(0);
  expect(await total()).toBe(6);
  await admin.query("update call set status = 'failed', failure_code = 'x' where id = $1", [calls[0]?.id]);
  await admin.query("update call set status = 'ready' where id = $1", [calls[1]?.id]);
  await admin.query("update call set duration_ms = 5 where id = $1", [calls[2]?.id]);
  await expectCountersMatch();
  // UTC+5:30. Days start on a 15-minute boundary in every time zone.
  expect(await summary("Asia/Kolkata")).toMatchObject([{ imported: 6, failed: 1, ready: 1, waiting: 4 }]);
  await eraseCall(app, manager, calls[0]?.id ?? "");
  await eraseCall(app, manager, calls[3]?.id ?? "");
  await expectCountersMatch();
  await mergeAllImportDeltas.perform(app, {});
  await expectCountersMatch();
  expect([await deltas(), await total()]).toEqual([0, 4]);
});

test("an import of an erased call is not counted", async () => {
  const { id } = await importCall({ seed: 5 });
  await eraseCall(app, manager, id);
  const before = await total();
  expect(await importCall({ seed: 5 })).toMatchObject({ status: "erased" });
  expect(await total()).toBe(before);
  await expectCountersMatch();
});

test("calls imported before the counters existed are counted once, concurrently with imports and erasures", async () => {
  const first = await importCall();
  await admin.query("delete from import_count; delete from import_delta");
  await admin.query("update workspace_usage set imports_counted_at = null");
  await importCall();
  await eraseCall(app, manager, first.id);
  expect(await total()).toBe(0);
  await Promise.all([mergeAllImportDeltas.perform(app, {}), importCall(), importCall()]);
  await expectCountersMatch();
  await mergeAllImportDeltas.perform(app, {});
  await expectCountersMatch();
});
