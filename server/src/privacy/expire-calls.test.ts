import { expect, test } from "vitest";
import { changeCampaign } from "../campaigns/change-campaign.ts";
import { createCampaign } from "../campaigns/create-campaign.ts";
import { operatorIn } from "../platform/actor.ts";
import { callImporter } from "../testing/import-calls.ts";
import { openTestApp } from "../testing/test-app.ts";
import { expireCalls } from "./expire-calls.ts";
import { createHold } from "./holds/create-hold.ts";

const service = await openTestApp();
const { app, api, caller, admin, campaignId } = service;
const { workspaceId } = caller;
const importCall = await callImporter(service);
const headers = { "x-api-key": await service.key("manage") };
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const callIds = async () => (await admin.query("select id from call")).rows.map(({ id }) => id as string).sort();

test("erases calls older than their campaign's retention, except those under legal hold", async () => {
  await createCampaign(app, operatorIn(workspaceId), { id: "forever", name: "Forever" });
  await importCall({ at: daysAgo(31) });
  await importCall({ at: daysAgo(400) });
  const held = await importCall({ at: daysAgo(90) });
  const kept = [
    await importCall({ at: daysAgo(29) }),
    await importCall({ at: daysAgo(4000), campaignId: "forever" }),
    held,
  ];
  expect(await expireCalls(app)).toEqual([]);
  const changed = await changeCampaign(app, operatorIn(workspaceId), campaignId, { retentionDays: 30 });
  expect(changed.retentionDays).toBe(30);
  const hold = { subject: { type: "call", id: held.id }, reason: "Case 3" } as const;
  await createHold(app, operatorIn(workspaceId), hold);

  const found = [{ workspaceId, campaignId, calls: 2, held: 1 }];
  expect(await expireCalls(app, { dryRun: true })).toEqual(found);
  expect(await callIds()).toHaveLength(5);
  expect(await expireCalls(app)).toEqual(found);
  expect(await callIds()).toEqual(kept.map(({ id }) => id).sort());

  const { erasures } = (await api.inject({ url: "/erasures?kind=retention", headers })).json();
  const [shown] = erasures;
  expect(shown).toMatchObject({ state: "done", campaign_id: campaignId, found: 3, erased: 2, held: 1 });
  expect(shown.requested_by).toEqual({ type: "system", id: null });
  expect((await api.inject({ url: `/erasures/${shown.id}/certificate`, headers })).statusCode).toBe(200);
  const { rows } = await admin.query(
    "select action, data from audit_entry where action like 'retention%' order by number",
  );
  expect(rows).toMatchObject([
    { action: "retention.changed", data: { changed: ["retention_days"], retention_days: 30 } },
    { action: "retention.executed", data: { erased: 2, held: 1, campaign_id: campaignId } },
  ]);
  // Unlike calls erased on request, expired calls can be imported again.
  expect((await admin.query("select 1 from erased_call")).rows).toEqual([]);
});

test("concurrent runs and an interrupted run share one erasure", async () => {
  await changeCampaign(app, operatorIn(workspaceId), campaignId, { retentionDays: 10 });
  const stop = AbortSignal.abort();
  await expect(expireCalls(app, { signal: stop })).rejects.toThrow();
  await Promise.all([expireCalls(app), expireCalls(app)]);
  const { rows } = await admin.query("select state, erased from erasure where kind = 'retention' order by id");
  expect(rows).toMatchObject([{ erased: 2 }, { state: "done", erased: 1 }, ...rows.slice(2)]);
  expect(rows.slice(2).every(({ erased, state }) => erased === 0 && state === "done")).toBe(true);
});

test.each([
  ["now has a longer retention", 3650],
  ["now keeps calls forever", null],
])("an interrupted run erases nothing of a campaign that %s", async (_, retentionDays) => {
  const campaign = `changed-${retentionDays}`;
  await createCampaign(app, operatorIn(workspaceId), { id: campaign, name: "Changed" });
  const { id } = await importCall({ at: daysAgo(100), campaignId: campaign });
  await changeCampaign(app, operatorIn(workspaceId), campaign, { retentionDays: 30 });
  await expect(expireCalls(app, { signal: AbortSignal.abort() })).rejects.toThrow();
  await changeCampaign(app, operatorIn(workspaceId), campaign, { retentionDays });
  await expireCalls(app);
  expect(await callIds()).toContain(id);
  const { rows } = await admin.query("select state, erased::int from erasure where campaign_id = $1", [campaign]);
  expect(rows).toEqual([{ state: "done", erased: 0 }]);
});

test("a retention that begins before 1970 erases nothing", async () => {
  const id = "century";
  await createCampaign(app, operatorIn(workspaceId), { id, name: "Century" });
  const old = await importCall({ at: daysAgo(4000), campaignId: id });
  await changeCampaign(app, operatorIn(workspaceId), id, { retentionDays: 36_500 });
  const expired = [...(await expireCalls(app, { dryRun: true })), ...(await expireCalls(app))];
  expect(expired.filter(({ campaignId }) => campaignId === id)).toEqual([]);
  expect(await callIds()).toContain(old.id);
});
