import { randomBytes, randomUUID } from "node:crypto";
import { storeTranscript, storeTranscriptionRows } from "../support/data/stored-transcripts.ts";
import { callerHeaders } from "../support/http/caller.ts";
import { send } from "../support/http/http.ts";
import { importCall, postUser, type Service } from "../support/http/service.ts";
import { createUser, type SignedInUser, sendJson, signIn, signInWithLink } from "../support/http/users.ts";
import { type ApiProcess, openStack, type Stack } from "../support/stack/stack.ts";
import { until } from "../support/waiting.ts";

/** A workspace. The service's campaign and agent have the same names in both workspaces. */
export interface Customer extends Service {
  readonly workspaceId: string;
  readonly letter: "a" | "b";
  /** A campaign and an agent that only this workspace has. */
  readonly ownCampaignId: string;
  readonly ownAgentEmail: string;
  readonly ownAgentId: string;
  /** A second campaign that only this workspace has, and that a restricted key cannot access. */
  readonly otherCampaignId: string;
  /** An unused key. */
  readonly spareKeyId: string;
  /** A key with the read, review and manage scopes, a webhook, and the id of its test event. */
  readonly manageKey: string;
  readonly manageKeyId: string;
  readonly teamId: string;
  /** Published, with a draft; for one campaign, with an arbiter. */
  readonly scorecardId: string;
  /** For a campaign that a restricted key cannot access. */
  readonly otherScorecardId: string;
  /** Released and disputed. Written with the manage key, as is the note on the call. */
  readonly reviewId: string;
  readonly planId: string;
  readonly drawId: string;
  readonly assignmentId: string;
  readonly disputeId: string;
  /** A closed session about the call, with one review and a decision. */
  readonly calibrationId: string;
  /** Of the scorecard. */
  readonly whatIfId: string;
  readonly noteId: string;
  readonly webhookId: string;
  readonly eventId: string;
  /** A call that is ready, was edited and has a transcript. */
  readonly callId: string;
  readonly transcriptId: string;
  /** A legal hold on a campaign without calls, and a completed erasure. */
  readonly holdId: string;
  readonly erasureId: string;
  /** A signed-in user of each role. The call belongs to the agent. */
  readonly people: Readonly<Record<"agent" | "reviewer" | "supervisor" | "admin", SignedInUser>>;
  /** Another session of the administrator. */
  readonly spareSessionId: string;
  /** A user with a passkey, not used elsewhere. */
  readonly passkeyHolderId: string;
  readonly passkeyId: string;
}

/** An installation with two workspaces, both with rows in every table. */
export interface TwoWorkspaces {
  readonly stack: Stack;
  readonly api: ApiProcess;
  readonly ours: Customer;
  readonly theirs: Customer;
}

type InitialData = Omit<
  Customer,
  | "ownAgentId"
  | "teamId"
  | "scorecardId"
  | "otherScorecardId"
  | "reviewId"
  | "disputeId"
  | "planId"
  | "drawId"
  | "assignmentId"
  | "calibrationId"
  | "whatIfId"
  | "noteId"
  | "webhookId"
  | "eventId"
  | "callId"
  | "transcriptId"
  | "holdId"
  | "erasureId"
  | "people"
  | "spareSessionId"
  | "passkeyHolderId"
  | "passkeyId"
>;
type Scope = "import" | "read" | "review" | "manage";

function createKey(stack: Stack, workspaceId: string, ...scopes: Scope[]): Promise<{ id: string; key: string }> {
  const name = scopes.join(" ");
  return stack.command("key", "create", "--workspace", workspaceId, "--name", name, "--scope", ...scopes, "--json");
}

/** A key with all scopes, restricted to one campaign. */
function createRestrictedKey(stack: Stack, workspaceId: string, campaignId: string): Promise<{ key: string }> {
  const may = ["--scope", "import", "read", "review", "manage", "--campaign", campaignId];
  return stack.command("key", "create", "--workspace", workspaceId, "--name", "restricted", ...may, "--json");
}

function createCampaign(stack: Stack, workspaceId: string, id: string): Promise<unknown> {
  return stack.command("campaign", "create", "--workspace", workspaceId, "--id", id, "--name", "Calls", "--json");
}

/** High limits, different for each workspace. */
const manyCallsADay = { a: "1000001", b: "1000002" };

interface NewCustomer {
  readonly workspaceId: string;
  readonly apiKey: string;
  readonly letter: "a" | "b";
}

async function createCustomer(stack: Stack, api: ApiProcess, of: NewCustomer) {
  await stack.command("workspace", "limits", of.workspaceId, "--calls-per-day", manyCallsADay[of.letter], "--json");
  const { key: manageKey, id: manageKeyId } = await createKey(stack, of.workspaceId, "manage", "read", "review");
  const { id: spareKeyId } = await createKey(stack, of.workspaceId, "manage");
  await stack.command(
    ...["key", "limits", manageKeyId, "--workspace", of.workspaceId, "--requests-per-second", "1000", "--json"],
  );
  const customer: InitialData = {
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
  const team = await sendJson<{ id: string }>(
    `${api.baseUrl}/teams`,
    { name: `Team ${of.letter}` },
    { "x-api-key": manageKey },
  );
  const parts = { campaign_id: customer.ownCampaignId, agent_email: customer.ownAgentEmail };
  const { id: callId, agent } = await importCall(customer, parts);
  await correct(customer, callId);
  const webhook = await createWebhook(stack, customer);
  const people = await everyRole(stack, customer, agent.id);
  const scorecardId = await createScorecard(customer, customer.ownCampaignId, people.people.reviewer.id);
  return {
    ...customer,
    callId,
    ownAgentId: agent.id,
    teamId: team.body.id,
    ...webhook,
    ...(await createErasure(stack, customer)),
    ...people,
    scorecardId,
    otherScorecardId: await createScorecard(customer, customer.otherCampaignId, people.people.reviewer.id),
    ...(await createReview({ ...customer, ...people }, callId, scorecardId)),
    ...(await createPlan(stack, { ...customer, ...people }, callId, scorecardId)),
    calibrationId: await createCalibration({ ...customer, ...people }, callId, scorecardId),
    whatIfId: await startWhatIf(customer, scorecardId),
    transcriptId: await createTranscript(stack, of.workspaceId, callId, people.people.reviewer.id),
  };
}

/** One question, released at once. */
const scorecardDocument = {
  format: "hearback.scorecard/1",
  name: "Support call",
  passing_score: 80,
  not_applicable: "stays_in_section",
  fail: "zeroes_score",
  release: "on_submit",
  dispute_days: 14,
  dispute_levels: 1,
  sections: [
    {
      id: "opening",
      title: "Opening",
      questions: [{ id: "greeting", title: "Greets", type: "yes_no", weight: 100 }],
    },
  ],
};

/** A note, a review with a comment that the agent disputes, and a draft of another supervisor. */
async function createReview(
  { baseUrl, manageKey, people }: InitialData & Pick<Customer, "people">,
  callId: string,
  scorecardId: string,
) {
  const byKey = { "x-api-key": manageKey };
  const note = await sendJson<{ id: string }>(
    `${baseUrl}/calls/${callId}/notes`,
    { position_ms: 10, text: "Greeting" },
    byKey,
  );
  const start = (headers: Readonly<Record<string, string>>) =>
    sendJson<{ id: string }>(`${baseUrl}/reviews`, { call_id: callId, scorecard_id: scorecardId }, headers);
  // Of someone else than the people: who has a draft does not see what others think about the call.
  const drafter = await createUser({ baseUrl, manageKey }, "supervisor");
  const draft = await start(callerHeaders(drafter.cookie, baseUrl));
  const review = await start(byKey);
  const root = `${baseUrl}/reviews/${review.body.id}`;
  const answer = { value: "no", comment: "Only the company." };
  const saved = await sendJson(`${root}/answers/greeting`, answer, { ...byKey, "if-match": '"1"' }, "PUT");
  const submitted = await send(`${root}/submit`, { method: "POST", headers: { ...byKey, "if-match": '"2"' } });
  const items = [{ question_id: "greeting", proposed: { value: "yes" }, reason: "At 0:04." }];
  const asAgent = callerHeaders(people.agent.cookie, baseUrl);
  const dispute = await sendJson<{ id: string }>(`${root}/disputes`, { items }, asAgent);
  const failed = [note, draft, review, saved, submitted, dispute].find(({ status }) => status >= 300);
  if (failed) throw new Error(`no review: ${failed.status} ${failed.text}`);
  return { reviewId: review.body.id, disputeId: dispute.body.id, noteId: note.body.id };
}

/** A plan, its draws, and a drawn call that the reviewer has reviewed. */
async function createPlan(
  stack: Stack,
  { baseUrl, manageKey, workspaceId, people }: InitialData & Pick<Customer, "people">,
  callId: string,
  scorecardId: string,
) {
  const headers = { "x-api-key": manageKey };
  const staffing = { reviewers: [], dueDays: 7, secondPercent: 0, skipTeamLead: false };
  const plan = await sendJson<{ id: string }>(
    `${baseUrl}/plans`,
    {
      name: "Weekly",
      scorecard_id: scorecardId,
      per_agent: 1,
      period: "month",
      time_zone: "UTC",
      reviewers: [{ user_id: people.reviewer.id, capacity: 5 }],
    },
    headers,
  );
  if (plan.status !== 201) throw new Error(`no plan: ${plan.status} ${plan.text}`);
  const { rows } = await stack.adminDb.query<{ drawId: string; assignmentId: string }>(
    `with current as (select * from review_draw where workspace_id = $1 order by number limit 1),
      agent as (insert into draw_agent (workspace_id, draw_id, position, agent_id, calls, root, take)
        select $1, id, 0, $4, 1, sha256('root'), 1 from current),
      frame as (insert into draw_call (workspace_id, plan_id, call_id, draw_id, agent_id)
        select $1, plan_id, $2, id, $4 from current),
      staffed as (update review_draw set staffing = $6 from current
        where review_draw.workspace_id = $1 and review_draw.id = current.id),
      ready as (insert into ready_call (workspace_id, call_id) values ($1, $2)),
      lead as (update team set lead_id = $3 where workspace_id = $1),
      assigned as (insert into assignment (workspace_id, id, plan_id, draw_id, scorecard_id, call_id, agent_id, kind, ticket,
          place, month, state, reviewer_id, due_at, done_at)
        select $1, gen_random_uuid(), plan_id, id, $5, $2, $4, 'first', sha256('ticket'), 0, now(), 'done', $3, now(), now()
        from current returning id)
    select current.id as "drawId", assigned.id as "assignmentId" from current, assigned`,
    [workspaceId, callId, people.reviewer.id, people.agent.id, scorecardId, staffing],
  );
  const [ids] = rows;
  if (!ids) throw new Error("no draw");
  return { planId: plan.body.id, ...ids };
}

/** A transcript with a correction, and what a transcription that has begun leaves behind. */
async function createTranscript(stack: Stack, workspaceId: string, callId: string, authorId: string): Promise<string> {
  const { id } = await storeTranscript(stack, { workspaceId, callId, said: "Hello Mister Nguyen" });
  await storeTranscriptionRows(stack, { workspaceId, callId, transcriptId: id, authorId });
  return id;
}

/** A closed calibration session with a review of the reviewer and a decision. */
async function createCalibration(
  { baseUrl, manageKey, people }: InitialData & Pick<Customer, "people">,
  callId: string,
  scorecardId: string,
): Promise<string> {
  const byKey = { "x-api-key": manageKey };
  const participant_ids = [people.reviewer.id, people.supervisor.id];
  const session = await sendJson<{ id: string }>(
    `${baseUrl}/calibrations`,
    { name: "Calibration", scorecard_id: scorecardId, call_ids: [callId], participant_ids },
    byKey,
  );
  const { id } = session.body;
  const asReviewer = callerHeaders(people.reviewer.cookie, baseUrl);
  const review = await sendJson<{ id: string }>(
    `${baseUrl}/reviews`,
    { call_id: callId, calibration_id: id },
    asReviewer,
  );
  const root = `${baseUrl}/reviews/${review.body.id}`;
  const answer = { value: "no", comment: "Only the company." };
  const saved = await sendJson(`${root}/answers/greeting`, answer, { ...asReviewer, "if-match": '"1"' }, "PUT");
  const submitted = await send(`${root}/submit`, { method: "POST", headers: { ...asReviewer, "if-match": '"2"' } });
  const closed = await send(`${baseUrl}/calibrations/${id}/close`, { method: "POST", headers: byKey });
  const decided = await sendJson(`${baseUrl}/calibrations/${id}/decisions/greeting`, { text: "Both." }, byKey, "PUT");
  const failed = [session, review, saved, submitted, closed, decided].find(({ status }) => status >= 300);
  if (failed) throw new Error(`no calibration session: ${failed.status} ${failed.text}`);
  return id;
}

/** A what-if run with the draft. */
async function startWhatIf({ baseUrl, manageKey }: InitialData, scorecardId: string): Promise<string> {
  const url = `${baseUrl}/scorecards/${scorecardId}/what-if`;
  const run = await sendJson<{ id: string }>(url, { from: "2026-01-01T00:00:00Z" }, { "x-api-key": manageKey });
  if (run.status !== 202) throw new Error(`no what-if run: ${run.status} ${run.text}`);
  return run.body.id;
}

/** A published scorecard for a campaign, with a draft and an arbiter. */
async function createScorecard(customer: InitialData, campaignId: string, arbiterId: string): Promise<string> {
  const headers = { "x-api-key": customer.manageKey };
  const root = `${customer.baseUrl}/scorecards`;
  const { id } = (await sendJson<{ id: string }>(root, { document: scorecardDocument }, headers)).body;
  const change = { campaign_ids: [campaignId], arbiter_ids: [arbiterId] };
  const steps = [
    await sendJson(`${root}/${id}`, change, headers, "PATCH"),
    await send(`${root}/${id}/publish`, { method: "POST", headers }),
    await sendJson(`${root}/${id}/draft`, { document: { ...scorecardDocument, passing_score: 70 } }, headers, "PUT"),
  ];
  const failed = steps.find(({ status }) => status >= 300);
  if (failed) throw new Error(`no scorecard: ${failed.status} ${failed.text}`);
  return id;
}

/** Signed-in users: rows for passwords, sessions and used links. */
async function everyRole(stack: Stack, customer: InitialData, agentId: string) {
  const people = {
    agent: await signInWithLink(customer, { id: agentId, email: customer.ownAgentEmail, role: "agent" }),
    reviewer: await createUser(customer, "reviewer"),
    supervisor: await createUser(customer, "supervisor"),
    admin: await createUser(customer, "admin"),
  };
  await stack.adminDb.query(
    `insert into provider_identity (workspace_id, user_id, issuer, subject) values ($1, $2, 'https://login.example.com', '4711')`,
    [customer.workspaceId, people.admin.id],
  );
  await stack.adminDb.query(
    "insert into invitation_mail_count (workspace_id, day, mails) values ($1, now(), 1) on conflict do nothing",
    [customer.workspaceId],
  );
  const { email } = people.admin;
  const again = await signIn(customer.baseUrl, email);
  return { people, spareSessionId: again.body.id, ...(await secondFactors(stack, customer)) };
}

/** Rows in every table of two-step verification. */
async function secondFactors(stack: Stack, customer: InitialData) {
  const holder = await createUser(customer, "reviewer");
  const [passkeyId, digest] = [randomUUID(), randomBytes(32)];
  const of = [customer.workspaceId, holder.id];
  const rows = [
    ["totp_factor (workspace_id, user_id, pending_secret, pending_at) values ($1, $2, 'A', now())", of],
    [
      "passkey (workspace_id, user_id, id, credential_id, public_key, sign_count, name) values ($1, $2, $3, $4, $4, 0, 'Phone')",
      [...of, passkeyId, digest],
    ],
    ["recovery_code (workspace_id, user_id, hash) values ($1, $2, $3)", [...of, digest]],
    [
      "pending_sign_in (workspace_id, user_id, hash, signed_in_by, expires_at) values ($1, $2, $3, 'password', now() + interval '1 hour')",
      [...of, digest],
    ],
  ] as const;
  for (const [row, values] of rows) await stack.adminDb.query(`insert into ${row}`, [...values]);
  return { passkeyHolderId: holder.id, passkeyId };
}

/** Edits the call, which adds a row to its change history. */
async function correct({ baseUrl, manageKey }: InitialData, callId: string): Promise<void> {
  const answer = await send(`${baseUrl}/calls/${callId}`, {
    method: "PATCH",
    headers: { "x-api-key": manageKey, "content-type": "application/json" },
    body: JSON.stringify({ metadata: { add: [{ key: "corrected", value: "yes" }] } }),
  });
  if (answer.status !== 200) throw new Error(`the call was not corrected: ${answer.status} ${answer.text}`);
}

const post = async <T>({ baseUrl, manageKey }: InitialData, path: string, body: object) =>
  (
    await send<T>(`${baseUrl}${path}`, {
      method: "POST",
      headers: { "x-api-key": manageKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    })
  ).body;

/** Requests the erasure of an agent with a call, and creates a legal hold. */
async function createErasure(stack: Stack, customer: InitialData) {
  const email = "erased@example.com";
  await postUser(customer, { email, name: "Ann Lee", role: "agent", send_invite_email: false });
  const { agent } = await importCall(customer, { agent_email: email });
  const held = `held-${customer.ownCampaignId.slice(-1)}`;
  await createCampaign(stack, customer.workspaceId, held);
  const hold = await post<{ id: string }>(customer, "/holds", { campaign_id: held, reason: "Case 1" });
  const erasure = await post<{ id: string }>(customer, "/erasures", { agent_id: agent.id });
  return { holdId: hold.id, erasureId: erasure.id };
}

/** A webhook with a delivery, and rows for purged events, import counts, rejected imports and an erasure's call. */
async function createWebhook(stack: Stack, customer: InitialData) {
  const { id } = await post<{ id: string }>(customer, "/webhooks", { url: "https://example.com/" });
  const { event_id: eventId } = await post<{ event_id: string }>(customer, `/webhooks/${id}/test`, {});
  await stack.adminDb.query("insert into event_removal (workspace_id, epoch, xid, seq) values ($1, 0, 0, 0)", [
    customer.workspaceId,
  ]);
  await stack.adminDb.query(
    "insert into import_count (workspace_id, bucket, campaign_id, status, failure_code, count) values ($1, now(), $2, 'ready', '', 1)",
    [customer.workspaceId, customer.campaignId],
  );
  await stack.adminDb.query(
    "insert into erasure_call (workspace_id, erasure_id, call_id) values ($1, gen_random_uuid(), gen_random_uuid())",
    [customer.workspaceId],
  );
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
    createCustomer(stack, api, { workspaceId: stack.workspaceId, apiKey: stack.apiKey, letter: "a" }),
    createCustomer(stack, api, { workspaceId: other.id, apiKey: key.key, letter: "b" }),
  ]);
  await makeReady(stack);
  for (const customer of [ours, theirs]) {
    await listen(customer);
    await speak(stack, customer);
    // The worker has already folded the others.
    await stack.adminDb.query(
      "insert into import_delta (workspace_id, bucket, campaign_id, status, count) values ($1, now(), $2, 'ready', 1)",
      [customer.workspaceId, customer.campaignId],
    );
    // As if a review had been deleted.
    await stack.adminDb.query("insert into deleted_score_sum select * from score_sum where workspace_id = $1", [
      customer.workspaceId,
    ]);
    await stack.adminDb.query("insert into score_backfill (workspace_id) values ($1) on conflict do nothing", [
      customer.workspaceId,
    ]);
  }
  return { stack, api, ours, theirs };
}

/** Runs a worker until all calls are prepared and all erasures are done. */
async function makeReady(stack: Stack): Promise<void> {
  const worker = await stack.startWorker();
  const waiting = () =>
    stack.adminDb.query(
      "select 1 from call where status <> 'ready' union all select 1 from erasure where state <> 'done'",
    );
  await until("the calls are ready and the erasures done", 60_000, async () => (await waiting()).rows.length === 0);
  await worker.stop();
}

/** Plays the call, which adds a playback record and an audit entry. */
async function listen({ baseUrl, callId, manageKey }: Customer): Promise<void> {
  const headers = { "x-api-key": manageKey };
  const answer = await send(`${baseUrl}/calls/${callId}/audio`, { method: "GET", headers });
  if (answer.status !== 200) throw new Error(`no audio: ${answer.status} ${answer.text}`);
}

/** Words of the call: "hello", and one that only this workspace has. */
async function speak({ adminDb }: Stack, { workspaceId, callId, letter }: Customer): Promise<void> {
  await adminDb.query("insert into words_language (workspace_id, language) values ($1, 'en')", [workspaceId]);
  await adminDb.query(
    "insert into call_words (workspace_id, call_id, channel, part, words) values ($1, $2, 'left', 0, to_tsvector('said_en', $3))",
    [workspaceId, callId, `hello word${letter}`],
  );
}

export const keyKinds = ["import", "read", "review", "manage", "restricted", "revoked", "malformed"] as const;
export type KeyKind = (typeof keyKinds)[number];

/** A key of every kind, in our workspace. */
export async function createKeysOfAllKinds({ stack, ours }: TwoWorkspaces): Promise<Readonly<Record<KeyKind, string>>> {
  const [read, review, manage, revoked, restricted] = await Promise.all([
    createKey(stack, ours.workspaceId, "read"),
    createKey(stack, ours.workspaceId, "review"),
    createKey(stack, ours.workspaceId, "manage"),
    createKey(stack, ours.workspaceId, "import"),
    createRestrictedKey(stack, ours.workspaceId, ours.ownCampaignId),
  ]);
  await stack.command("key", "revoke", "--workspace", ours.workspaceId, revoked.id, "--json");
  return {
    import: ours.apiKey,
    read: read.key,
    review: review.key,
    manage: manage.key,
    restricted: restricted.key,
    revoked: revoked.key,
    malformed: "hb_c0_x",
  };
}
