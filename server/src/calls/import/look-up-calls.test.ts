import { createHash, randomUUID } from "node:crypto";
import type { CallsFoundBody } from "@hearback/contract";
import { expect, test } from "vitest";
import { createCampaign } from "../../campaigns/create-campaign.ts";
import { operatorIn } from "../../platform/actor.ts";
import { aForm } from "../../testing/forms.ts";
import { aRecording } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { changeUser } from "../../users/change-user.ts";
import { inviteUser } from "../../users/invite-user.ts";

const { app, api, key, admin, caller, campaignId, agentEmail } = await openTestApp();
const { workspaceId } = caller;
const apiKey = await key("import");

const post = (payload: object, as = apiKey) =>
  api.inject({ method: "POST", url: "/calls/lookup", headers: { "x-api-key": as }, payload });
const lookUp = async (...fingerprints: object[]): Promise<CallsFoundBody["calls"]> => {
  const answer = await post({ fingerprints });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().calls;
};

let time = 1_750_000_000;
async function imported() {
  const file = aRecording({ seed: ++time });
  const form = aForm(
    ["campaign_id", campaignId],
    ["conversation_timestamp", String(time)],
    ["agent_email", agentEmail],
    ["file", file],
  );
  const headers = { ...form.headers, "x-api-key": apiKey };
  const { id } = (await api.inject({ method: "POST", url: "/calls/audio", headers, payload: form.payload })).json();
  const sha256 = createHash("sha256").update(file).digest("hex");
  const fingerprint = { sha256, conversation_timestamp: time, agent_email: agentEmail, campaign_id: campaignId };
  return { id: id as string, fingerprint };
}

test("returns present, failed and missing, in the order of the request", async () => {
  const [ready, failed] = [await imported(), await imported()];
  await admin.query("update call set status = 'failed' where id = $1", [failed.id]);
  const absent = { ...ready.fingerprint, conversation_timestamp: 1_600_000_000 };
  const upper = {
    ...ready.fingerprint,
    sha256: ready.fingerprint.sha256.toUpperCase(),
    agent_email: " ANN@example.com ",
  };
  const found = await lookUp(absent, ready.fingerprint, failed.fingerprint, ready.fingerprint, upper);
  expect(found).toEqual([
    { status: "missing", id: expect.any(String), reason: "not_imported" },
    { status: "present", id: ready.id },
    { status: "failed", id: failed.id },
    { status: "present", id: ready.id },
    { status: "present", id: ready.id },
  ]);
});

test("reports whether the agent or the campaign is unknown", async () => {
  const { fingerprint } = await imported();
  expect(
    await lookUp({ ...fingerprint, agent_email: "no@example.com" }, { ...fingerprint, campaign_id: "nowhere" }),
  ).toEqual([
    { status: "missing", id: null, reason: "agent_not_found" },
    { status: "missing", id: null, reason: "campaign_not_found" },
  ]);
});

test("reports that the email address belongs to a user who is not an agent", async () => {
  const { fingerprint } = await imported();
  const email = "rita@example.com";
  const rita = { email, name: "Rita Wolf", role: "reviewer", sendInvitation: false } as const;
  const { id } = await inviteUser(app, operatorIn(workspaceId), rita);
  const refused = { status: "missing", id: null, reason: "user_not_agent" };
  expect(await lookUp({ ...fingerprint, agent_email: email })).toEqual([refused]);
  await changeUser(app, operatorIn(workspaceId), id, { role: "agent" });
  expect(await lookUp({ ...fingerprint, agent_email: email })).toMatchObject([{ reason: "not_imported" }]);
});

test("finds a call by its original agent after the agent was changed", async () => {
  const { id, fingerprint } = await imported();
  const bob = await inviteUser(app, operatorIn(workspaceId), {
    email: "bob@example.com",
    name: "Bob",
    role: "agent",
    sendInvitation: false,
  });
  await admin.query("update call set agent_id = $2 where id = $1", [id, bob.id]);
  expect(await lookUp(fingerprint)).toEqual([{ status: "present", id }]);
});

test("accepts up to 1,000 fingerprints", async () => {
  const { id, fingerprint } = await imported();
  const long = { ...fingerprint, agent_email: `${"a".repeat(240)}@example.com`, campaign_id: "c".repeat(100) };
  const many = Array.from({ length: 999 }, () => long);
  const found = await lookUp(...many, fingerprint);
  expect(found).toHaveLength(1000);
  expect(found.at(-1)).toEqual({ status: "present", id });
  expect((await post({ fingerprints: [...many, long, long] })).statusCode).toBe(422);
});

test.each([
  ["nothing", {}, 400],
  ["an empty list", { fingerprints: [] }, 422],
  [
    "an invalid digest",
    { fingerprints: [{ sha256: "ab", conversation_timestamp: 1, agent_email: "a@b", campaign_id: "c" }] },
    422,
  ],
  [
    "milliseconds",
    {
      fingerprints: [{ sha256: "0".repeat(64), conversation_timestamp: 1.75e15, agent_email: "a@b", campaign_id: "c" }],
    },
    422,
  ],
  [
    "an unknown field",
    {
      fingerprints: [
        { sha256: "0".repeat(64), conversation_timestamp: 1, agent_email: "a@b", campaign_id: "c", id: randomUUID() },
      ],
    },
    422,
  ],
])("rejects %s", async (_, body, status) => {
  expect((await post(body)).statusCode).toBe(status);
});

test("a key restricted to campaigns gets campaign_not_found for others", async () => {
  const { id, fingerprint } = await imported();
  await createCampaign(app, operatorIn(workspaceId), { id: "sales", name: "Sales" });
  const as = await key("read");
  const restrict = (campaign: string) =>
    admin.query(
      "update api_key set campaign_ids = array[$1] where id = (select id from api_key order by created_at desc limit 1)",
      [campaign],
    );
  await restrict(campaignId);
  expect((await post({ fingerprints: [fingerprint] }, as)).json().calls).toEqual([{ status: "present", id }]);
  const other = await key("read");
  await restrict("sales");
  expect((await post({ fingerprints: [fingerprint] }, other)).json().calls).toEqual([
    { status: "missing", id: null, reason: "campaign_not_found" },
  ]);
});
