import { send } from "../support/http.ts";
import { aPerson, letIn, type Person, signIn } from "../support/people.ts";
import { importCall, postUser, type Service } from "../support/service.ts";
import { type ApiProcess, openStack, type Stack } from "../support/stack.ts";
import { until } from "../support/waiting.ts";

/** One customer. Campaign and agent of the service have the same names in both workspaces. */
export interface Customer extends Service {
  readonly workspaceId: string;
  /** A campaign and an agent that the other customer has not. */
  readonly ownCampaignId: string;
  readonly ownAgentEmail: string;
  readonly ownAgentId: string;
  /** A second campaign that the other customer has not; a restricted key has not, either. */
  readonly otherCampaignId: string;
  /** A key that nobody uses. */
  readonly spareKeyId: string;
  /** A key with the scopes read and manage, a webhook, and the id of its test event. */
  readonly manageKey: string;
  readonly manageKeyId: string;
  readonly webhookId: string;
  readonly eventId: string;
  /** A call that is ready, and was corrected. */
  readonly callId: string;
  /** A legal hold on a campaign without calls, and an erasure that is done. */
  readonly holdId: string;
  readonly erasureId: string;
  /** Somebody of each role, signed in. The agent is the one whose the call is. */
  readonly people: Readonly<Record<"agent" | "reviewer" | "supervisor" | "admin", Person>>;
  /** Another session of the administrator. */
  readonly spareSessionId: string;
}

/** An installation with two customers, both with a row in every table. */
export interface TwoWorkspaces {
  readonly stack: Stack;
  readonly api: ApiProcess;
  readonly ours: Customer;
  readonly theirs: Customer;
}

type Beginning = Omit<
  Customer,
  "ownAgentId" | "webhookId" | "eventId" | "callId" | "holdId" | "erasureId" | "people" | "spareSessionId"
>;
type Scope = "import" | "read" | "manage";

function createKey(stack: Stack, workspaceId: string, ...scopes: Scope[]): Promise<{ id: string; key: string }> {
  const name = scopes.join(" ");
  return stack.command("key", "create", "--workspace", workspaceId, "--name", name, "--scope", ...scopes, "--json");
}

/** A key with every scope that is restricted to one campaign. */
function createRestrictedKey(stack: Stack, workspaceId: string, campaignId: string): Promise<{ key: string }> {
  const may = ["--scope", "import", "read", "manage", "--campaign", campaignId];
  return stack.command("key", "create", "--workspace", workspaceId, "--name", "restricted", ...may, "--json");
}

function createCampaign(stack: Stack, workspaceId: string, id: string): Promise<unknown> {
  return stack.command("campaign", "create", "--workspace", workspaceId, "--id", id, "--name", "Calls", "--json");
}

/** Limits that nobody reaches, another number for each. */
const manyCallsADay = { a: "1000001", b: "1000002" };

interface Beginner {
  readonly workspaceId: string;
  readonly apiKey: string;
  readonly letter: "a" | "b";
}

async function aCustomer(stack: Stack, api: ApiProcess, of: Beginner) {
  await stack.command("workspace", "limits", of.workspaceId, "--calls-per-day", manyCallsADay[of.letter], "--json");
  const { key: manageKey, id: manageKeyId } = await createKey(stack, of.workspaceId, "manage", "read");
  const { id: spareKeyId } = await createKey(stack, of.workspaceId, "read");
  await stack.command(
    ...["key", "limits", manageKeyId, "--workspace", of.workspaceId, "--requests-per-second", "1000", "--json"],
  );
  const customer: Beginning = {
    spareKeyId,
    otherCampaignId: `also-${of.letter}`,
    manageKey,
    manageKeyId,
    baseUrl: api.baseUrl,
    campaignId: stack.campaignId,
    agentEmail: stack.agentEmail,
    ...of,
    ownCampaignId: `only-${of.letter}`,
    ownAgentEmail: `only-${of.letter}@example.com`,
  };
  for (const id of [customer.ownCampaignId, customer.otherCampaignId]) await createCampaign(stack, of.workspaceId, id);
  for (const email of [customer.agentEmail, customer.ownAgentEmail]) {
    const answer = await postUser(customer, { email, name: "Ann Lee", role: "agent", send_invite_email: false });
    if (![201, 409].includes(answer.status)) throw new Error(`no agent: ${answer.status} ${answer.text}`);
  }
  const parts = { campaign_id: customer.ownCampaignId, agent_email: customer.ownAgentEmail };
  const { id: callId, agent } = await importCall(customer, parts);
  await correct(customer, callId);
  const webhook = await aWebhook(stack, customer);
  return {
    ...{ ...customer, callId, ownAgentId: agent.id, ...webhook },
    ...(await anErasure(stack, customer)),
    ...(await everyRole(customer, agent.id)),
  };
}

/** People who are signed in: passwords, sessions, and links that were used. */
async function everyRole(customer: Beginning, agentId: string) {
  const people = {
    agent: await letIn(customer, { id: agentId, email: customer.ownAgentEmail, role: "agent" }),
    reviewer: await aPerson(customer, "reviewer"),
    supervisor: await aPerson(customer, "supervisor"),
    admin: await aPerson(customer, "admin"),
  };
  const { email } = people.admin;
  const again = await signIn(customer.baseUrl, email);
  return { people, spareSessionId: again.body.id };
}

/** Leaves a trace of what the call was before. */
async function correct({ baseUrl, manageKey }: Beginning, callId: string): Promise<void> {
  const answer = await send(`${baseUrl}/calls/${callId}`, {
    method: "PATCH",
    headers: { "x-api-key": manageKey, "content-type": "application/json" },
    body: JSON.stringify({ metadata: { add: [{ key: "corrected", value: "yes" }] } }),
  });
  if (answer.status !== 200) throw new Error(`the call was not corrected: ${answer.status} ${answer.text}`);
}

const post = async <T>({ baseUrl, manageKey }: Beginning, path: string, body: object) =>
  (
    await send<T>(`${baseUrl}${path}`, {
      method: "POST",
      headers: { "x-api-key": manageKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    })
  ).body;

/** An agent who is erased with a call, when a worker comes to it, and a hold. */
async function anErasure(stack: Stack, customer: Beginning) {
  const email = "erased@example.com";
  await postUser(customer, { email, name: "Ann Lee", role: "agent", send_invite_email: false });
  const { agent } = await importCall(customer, { agent_email: email });
  const held = `held-${customer.ownCampaignId.slice(-1)}`;
  await createCampaign(stack, customer.workspaceId, held);
  const hold = await post<{ id: string }>(customer, "/holds", { campaign_id: held, reason: "Case 1" });
  const erasure = await post<{ id: string }>(customer, "/erasures", { agent_id: agent.id });
  return { holdId: hold.id, erasureId: erasure.id };
}

/** An endpoint with a delivery, a note of removed events and one of refused imports. */
async function aWebhook(stack: Stack, customer: Beginning) {
  const { id } = await post<{ id: string }>(customer, "/webhooks", { url: "https://example.com/" });
  const { event_id: eventId } = await post<{ event_id: string }>(customer, `/webhooks/${id}/test`, {});
  await stack.adminDb.query("insert into event_removal (workspace_id, epoch, xid, seq) values ($1, 0, 0, 0)", [
    customer.workspaceId,
  ]);
  await stack.adminDb.query(
    "insert into import_refusal (workspace_id, hour, code, campaign_id, count) values ($1, now(), 'agent_not_found', $2, 1)",
    [customer.workspaceId, customer.ownCampaignId],
  );
  return { webhookId: id, eventId };
}

export async function openTwoWorkspaces(): Promise<TwoWorkspaces> {
  const stack = await openStack();
  const api = await stack.startApi();
  const other = await stack.command<{ id: string }>("workspace", "create", "--name", "Other", "--json");
  const [key] = await Promise.all([
    createKey(stack, other.id, "import"),
    createCampaign(stack, other.id, stack.campaignId),
  ]);
  const [ours, theirs] = await Promise.all([
    aCustomer(stack, api, { workspaceId: stack.workspaceId, apiKey: stack.apiKey, letter: "a" }),
    aCustomer(stack, api, { workspaceId: other.id, apiKey: key.key, letter: "b" }),
  ]);
  await makeReady(stack);
  for (const customer of [ours, theirs]) await listen(customer);
  return { stack, api, ours, theirs };
}

/** Lets a worker prepare what is there. */
async function makeReady(stack: Stack): Promise<void> {
  const worker = await stack.startWorker();
  const waiting = () =>
    stack.adminDb.query(
      "select 1 from call where status <> 'ready' union all select 1 from erasure where state <> 'done'",
    );
  await until(
    "the calls are ready, and what is to be erased is",
    60_000,
    async () => (await waiting()).rows.length === 0,
  );
  await worker.stop();
}

/** Leaves a listening, and an entry in the audit log. */
async function listen({ baseUrl, callId, manageKey }: Customer): Promise<void> {
  const headers = { "x-api-key": manageKey };
  const answer = await send(`${baseUrl}/calls/${callId}/audio`, { method: "GET", headers });
  if (answer.status !== 200) throw new Error(`no sound: ${answer.status} ${answer.text}`);
}

export const kindsOfKey = ["import", "read", "manage", "restricted", "revoked", "malformed"] as const;
export type KindOfKey = (typeof kindsOfKey)[number];

/** A key of every kind, of our workspace. */
export async function keysOfEveryKind({ stack, ours }: TwoWorkspaces): Promise<Readonly<Record<KindOfKey, string>>> {
  const [read, manage, revoked, restricted] = await Promise.all([
    createKey(stack, ours.workspaceId, "read"),
    createKey(stack, ours.workspaceId, "manage"),
    createKey(stack, ours.workspaceId, "import"),
    createRestrictedKey(stack, ours.workspaceId, ours.ownCampaignId),
  ]);
  await stack.command("key", "revoke", "--workspace", ours.workspaceId, revoked.id, "--json");
  return {
    ...{ import: ours.apiKey, read: read.key, manage: manage.key, restricted: restricted.key },
    ...{ revoked: revoked.key, malformed: "hb_c0_x" },
  };
}
