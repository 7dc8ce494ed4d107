import { expect, test } from "vitest";
import { changeCampaign } from "../../campaigns/change-campaign.ts";
import { createCampaign } from "../../campaigns/create-campaign.ts";
import { operatorIn } from "../../platform/actor.ts";
import { aForm, type Part } from "../../testing/forms.ts";
import { callImporter } from "../../testing/import-calls.ts";
import { aRecording } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { changeUser } from "../../users/change-user.ts";
import { inviteUser } from "../../users/invite-user.ts";
import { changeWorkspace } from "../../workspaces/change-workspace.ts";
import type { CallViewer } from "../call/find-call.ts";
import { findCampaignAndAgent } from "./find-campaign-and-agent.ts";

const { app, api, key, restrictedKey, caller, campaignId, storedFiles } = await openTestApp();
const by = operatorIn(caller.workspaceId);
const importKey = await key("import");
let seed = 100;

async function post(parts: Record<string, string>, apiKey = importKey) {
  const file = aRecording({ seed: seed++ });
  const fields = { campaign_id: campaignId, conversation_timestamp: "1714557600", agent_email: "ann@example.com" };
  const form = aForm(...(Object.entries({ ...fields, ...parts, file }) as Part[]));
  const headers = { ...form.headers, "x-api-key": apiKey };
  return (await api.inject({ method: "POST", url: "/calls/audio", ...form, headers })).json();
}
const aUser = (email: string, role: "agent" | "reviewer" = "agent") =>
  inviteUser(app, by, { email, name: "Bob Roy", role, sendInvitation: false });

test("accepts a call of a deactivated agent with a warning", async () => {
  const { id } = await aUser("gone@example.com");
  await changeUser(app, by, id, { deactivated: true });
  const call = await post({ agent_email: "gone@example.com" });
  expect(call).toMatchObject({ status: "received", agent: { id }, warnings: [{ code: "agent_deactivated" }] });
  await changeUser(app, by, id, { deactivated: false });
  expect((await post({ agent_email: "gone@example.com" })).warnings).toEqual([]);
});

test("calls can be assigned to former agents, but not to users who never were agents", async () => {
  const promoted = await aUser("up@example.com");
  await changeUser(app, by, promoted.id, { role: "reviewer" });
  await changeUser(app, by, promoted.id, { role: "admin" });
  expect(await post({ agent_email: "up@example.com" })).toMatchObject({ agent: { id: promoted.id }, warnings: [] });
  const never = await aUser("never@example.com", "reviewer");
  expect((await post({ agent_email: "never@example.com" })).code).toBe("user_not_agent");
  await changeUser(app, by, never.id, { role: "agent" });
  expect((await post({ agent_email: "never@example.com" })).status).toBe("received");
});

test("names the role of a user who is not an agent to keys that may see users, and says what to do", async () => {
  await aUser("rita@example.com", "reviewer");
  const parts = { agent_email: "rita@example.com" };
  const seen = await post(parts, await key("import", "read"));
  expect(seen).toMatchObject({ status: 404, code: "user_not_agent", errors: [{ part: "agent_email" }] });
  expect(seen.detail).toMatch(
    /^rita@example\.com is a reviewer, not an agent\. Create an agent with another email.*PATCH \/users/,
  );
  for (const apiKey of [importKey, await restrictedKey(campaignId)]) {
    const hidden = await post(parts, apiKey);
    expect(hidden).toMatchObject({ status: 404, code: "user_not_agent" });
    expect(hidden.detail).toMatch(/^rita@example\.com is a user of this workspace, but not an agent\./);
    expect(JSON.stringify(hidden)).not.toContain("reviewer");
  }
});

test("a campaign given by its name or in other letter case gets its id in the error, unless it is hidden", async () => {
  await createCampaign(app, by, { id: "lyon-2", name: "Support Lyon" });
  const restricted = await restrictedKey(campaignId);
  for (const campaign_id of ["Support Lyon", "support lyon", "LYON-2"]) {
    const { code, detail } = await post({ campaign_id });
    expect([code, detail]).toEqual(["campaign_not_found", expect.stringContaining('Did you mean "lyon-2"?')]);
    expect((await post({ campaign_id }, restricted)).detail).not.toContain('lyon-2"?');
  }
});

test("lists an unknown campaign and an unknown agent together", async () => {
  const problem = await post({ campaign_id: "nope", agent_email: "nobody@example.com" });
  expect(problem).toMatchObject({
    code: "campaign_not_found",
    errors: [{ part: "campaign_id" }, { part: "agent_email", code: "not_found" }],
  });
});

test("an archived campaign accepts no calls until it is restored", async () => {
  await createCampaign(app, by, { id: "old", name: "Old" });
  await changeCampaign(app, by, "old", { archived: true });
  expect((await post({ campaign_id: "old" })).code).toBe("campaign_archived");
  await changeCampaign(app, by, "old", { archived: false });
  expect((await post({ campaign_id: "old" })).status).toBe("received");
});

test("a restricted key imports into its campaigns and gets campaign_not_found for all others", async () => {
  await createCampaign(app, by, { id: "mine", name: "Mine" });
  await createCampaign(app, by, { id: "shut", name: "Shut" });
  await changeCampaign(app, by, "shut", { archived: true });
  const restricted = await restrictedKey("mine");
  expect((await post({ campaign_id: "mine" }, restricted)).status).toBe("received");
  const before = await storedFiles();
  const unknown = await post({ campaign_id: "nope" }, restricted);
  expect(unknown.code).toBe("campaign_not_found");
  for (const id of [campaignId, "shut"]) {
    const rejected = await post({ campaign_id: id }, restricted);
    const normalized = (body: object, name: string) =>
      JSON.stringify({ ...body, request_id: "" }).replaceAll(name, "…");
    expect(normalized(rejected, id)).toBe(normalized(unknown, "nope"));
  }
  expect(await storedFiles()).toEqual(before);
});

test("rejects calls older than the workspace's earliest_conversation and names the setting", async () => {
  const other = await openTestApp();
  const importCall = await callImporter(other);
  const at = (day: string) => importCall({ at: new Date(`${day}T23:59:59Z`) });
  expect(await at("2000-01-01")).toMatchObject({ status: "received" });
  const by = operatorIn(other.caller.workspaceId);
  await changeWorkspace(other.app, by, { settings: { earliest_conversation: "2020-03-02" } });
  await expect(at("2020-03-01")).rejects.toThrow(/422.*before_earliest/);
  await expect(at("2020-03-01")).rejects.toThrow(/does not accept calls from before 2020-03-02.*earliest_conversation/);
  expect(await at("2020-03-02")).toMatchObject({ status: "received" });
});

test("concurrent lookups share a query, and each gets its own answer", async () => {
  const bea = await aUser("bea@example.com");
  const find = (campaign: string, email: string, viewer: CallViewer = caller) =>
    findCampaignAndAgent(app, viewer, campaign, email).then(
      ({ agent }) => agent.id,
      (error) => error.code,
    );
  const ann = await find(campaignId, "ann@example.com");
  const asked: [string, string, CallViewer?][] = [
    [campaignId, "ann@example.com"],
    ["nowhere", "ann@example.com"],
    [campaignId, "bea@example.com"],
    [campaignId, "nobody@example.com"],
    [campaignId, "ANN@example.com"],
    [campaignId, "bea@example.com", { ...caller, campaignIds: ["another"] }],
  ];
  const expected = [ann, "campaign_not_found", bea.id, "agent_not_found", ann, "campaign_not_found"];
  const rounds = Array.from({ length: 30 }, () => asked).flat();
  expect(await Promise.all(rounds.map((one) => find(...one)))).toEqual(rounds.map((_, at) => expected[at % 6]));
});
