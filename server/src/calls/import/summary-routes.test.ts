import { expect, test, vi } from "vitest";
import { operatorIn } from "../../platform/actor.ts";
import { aForm } from "../../testing/forms.ts";
import { callImporter } from "../../testing/import-calls.ts";
import { aRecording } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { changeWorkspace } from "../../workspaces/change-workspace.ts";

const service = await openTestApp();
const { api, caller, admin, campaignId, agentEmail } = service;
const { workspaceId } = caller;
const readKey = await service.key("read");
const importKey = await service.key("import");
const importCall = await callImporter(service);

const ask = (query = "", key = readKey) =>
  api.inject({ url: `/imports/summary${query}`, headers: { "x-api-key": key } });

const day = (at: Date) => at.toISOString().slice(0, 10);
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000);

/** Backdates the import of a call. */
const backdate = (id: string, at: Date, change = "status = status") =>
  admin.query(`update call set created_at = $2, imported_on = ($2 at time zone 'UTC')::date, ${change} where id = $1`, [
    id,
    at,
  ]);

function send(parts: Record<string, string | Uint8Array>, url = "/calls/audio", key = importKey) {
  const fields = { campaign_id: campaignId, agent_email: agentEmail, conversation_timestamp: "1714557600" };
  const form = aForm(...Object.entries({ ...fields, file: aRecording({ seed: 1 }), ...parts }));
  return api.inject({ method: "POST", url, headers: { ...form.headers, "x-api-key": key }, payload: form.payload });
}

test("a workspace without calls gets its days and empty lists", async () => {
  const answer = await ask("?days=3");
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({
    time_zone: "UTC",
    days: [day(daysAgo(2)), day(daysAgo(1)), day(new Date())],
    campaigns: [],
    imported: [],
    failures: [],
    refusals: [],
  });
});

test("days are those of the workspace's time zone, unless another is given", async () => {
  const { app, api, caller, key } = await openTestApp();
  const headers = { "x-api-key": await key("read") };
  await changeWorkspace(app, operatorIn(caller.workspaceId), { settings: { time_zone: "Asia/Tokyo" } });
  const summary = async (query: string) => (await api.inject({ url: `/imports/summary${query}`, headers })).json();
  // Tokyo is 9 hours ahead of UTC all year.
  expect(await summary("?days=1")).toMatchObject({
    time_zone: "Asia/Tokyo",
    from: expect.stringContaining("T15:00:00"),
  });
  expect(await summary("?days=1&time_zone=UTC")).toMatchObject({
    time_zone: "UTC",
    from: expect.stringContaining("T00:00:00"),
  });
});

test("counts calls by day of import, campaign and status", async () => {
  await admin.query("insert into campaign (workspace_id, id, name) values ($1, 'sales', 'Sales')", [workspaceId]);
  await importCall();
  await backdate((await importCall()).id, new Date(), "status = 'ready'");
  await backdate((await importCall()).id, daysAgo(1), "status = 'failed', failure_code = 'recording_undecodable'");
  await backdate((await importCall()).id, daysAgo(1), "campaign_id = 'sales'");
  await backdate((await importCall()).id, daysAgo(20));
  const { imported, failures, campaigns } = (await ask("?days=7")).json();
  const byDay = (a: { day: string; campaign_id: string }, b: { day: string; campaign_id: string }) =>
    `${a.day}${a.campaign_id}`.localeCompare(`${b.day}${b.campaign_id}`);
  expect(imported.sort(byDay)).toEqual([
    { day: day(daysAgo(1)), campaign_id: "sales", imported: 1, ready: 0, waiting: 1, failed: 0 },
    { day: day(daysAgo(1)), campaign_id: campaignId, imported: 1, ready: 0, waiting: 0, failed: 1 },
    { day: day(new Date()), campaign_id: campaignId, imported: 2, ready: 1, waiting: 1, failed: 0 },
  ]);
  expect(failures).toEqual([{ code: "recording_undecodable", campaign_id: campaignId, count: 1 }]);
  expect(campaigns).toEqual([
    { id: campaignId, name: "Support", imported: 3 },
    { id: "sales", name: "Sales", imported: 1 },
  ]);
});

test("days start at midnight in the given time zone", async () => {
  const { id } = await importCall();
  const today = day(new Date());
  await backdate(id, new Date(`${day(daysAgo(3))}T12:00:00Z`));
  const { imported } = (await ask("?days=9&time_zone=Pacific/Kiritimati")).json();
  // UTC+14: noon UTC is already the next day there.
  expect(imported.map((one: { day: string }) => one.day)).toContain(day(daysAgo(2)));
  expect((await ask("?days=1")).json().days).toEqual([today]);
});

test("counts refused imports by code and campaign, unknown campaigns as null", async () => {
  await send({ agent_email: "nobody@example.com" });
  await send({ agent_email: "nobody@example.com" });
  await send({ campaign_id: "Ann Lee, +33 1 99 99 00 09" });
  await send({ campaign_id: "another unknown campaign" });
  await send({ file: Buffer.from("no sound at all, but words") });
  // Not counted: dry runs, successes, unknown keys and other routes.
  await send({ agent_email: "nobody@example.com" }, "/calls/audio?dry_run=true");
  await send({});
  await send({}, "/calls/audio", "hb_unknown");
  await api.inject({ url: "/calls/none", headers: { "x-api-key": readKey } });
  const counted = async () => (await ask()).json().refusals;
  await vi.waitFor(async () => expect(await counted()).toHaveLength(3), 10_000);
  expect(await counted()).toEqual([
    { code: "agent_not_found", campaign_id: campaignId, count: 2 },
    { code: "campaign_not_found", campaign_id: null, count: 2 },
    { code: "recording_not_audio", campaign_id: campaignId, count: 1 },
  ]);
  const { rows } = await admin.query("select to_jsonb(r)::text as row from import_refusal r");
  expect(rows.map(({ row }) => row).join()).not.toContain("Ann");
});

test.each([
  ["days", "?days=32"],
  ["days", "?days=no"],
  ["time_zone", "?time_zone=Europe/Nowhere"],
  ["time_zone", "?time_zone=%2B02:00"],
  ["zone", "?zone=Europe/Paris"],
])("rejects an invalid %s: %s", async (part, query) => {
  const answer = await ask(query);
  expect([answer.statusCode, answer.json().errors?.[0]?.part]).toEqual([422, part]);
});

test("requires an unrestricted key with the read or manage scope", async () => {
  expect((await ask("", await service.key("manage"))).statusCode).toBe(200);
  expect((await ask("", importKey)).json().code).toBe("scope_missing");
  expect((await ask("", await service.restrictedKey(campaignId))).json().code).toBe("key_restricted");
});
