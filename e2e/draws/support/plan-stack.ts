import { createUser, type SignedInUser, sendJson } from "../../support/http/users.ts";
import { openStack, type Stack, unlimited } from "../../support/stack/stack.ts";

/** A workspace with a published scorecard, in which the test inserts calls and ends periods. */
export interface PlanStack extends Stack {
  readonly baseUrl: string;
  /** Every scope but import. */
  readonly manageKey: string;
  readonly scorecardId: string;
  readonly reviewers: readonly SignedInUser[];
  readonly createPlan: (change?: object) => Promise<string>;
  /** Inserts ready calls of agents, by agent number: [agent of call 1, agent of call 2, …]. Returns the ids. */
  readonly addReady: (agents: readonly number[], change?: { readonly campaignId?: string }) => Promise<string[]>;
  /** Ends the current period of the plans now. Returns the draws to be closed. */
  readonly endPeriods: (planIds: readonly string[]) => Promise<string[]>;
  /** Queues the job that runs draws. The worker's schedule would do it within 5 minutes. */
  readonly requestDraws: () => Promise<void>;
}

const scorecard = {
  format: "hearback.scorecard/1",
  name: "Support call",
  passing_score: 80,
  not_applicable: "stays_in_section",
  fail: "zeroes_score",
  release: "by_supervisor",
  dispute_days: 14,
  sections: [
    { id: "opening", title: "Opening", questions: [{ id: "greeting", title: "Greets", type: "yes_no", weight: 100 }] },
  ],
};

/** The same id for the same number. */
const agentIdOf = (agent: number) => `00000000-0000-4000-8000-${String(agent).padStart(12, "0")}`;

interface PlanStackOptions {
  readonly agents: number;
  readonly reviewers: number;
}

export async function openPlanStack(options: PlanStackOptions): Promise<PlanStack> {
  const stack = await openStack(undefined, unlimited);
  try {
    return await prepare(stack, options);
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

async function prepare(stack: Stack, options: PlanStackOptions): Promise<PlanStack> {
  const { adminDb, workspaceId, campaignId } = stack;
  const { baseUrl } = await stack.startApi({ env: unlimited });
  const { key: manageKey } = await stack.command<{ key: string }>(
    ...[
      "key",
      "create",
      "--workspace",
      workspaceId,
      "--name",
      "plans",
      "--scope",
      "manage",
      "read",
      "review",
      "--json",
    ],
  );
  const headers = { "x-api-key": manageKey };
  const { id: scorecardId } = (
    await sendJson<{ id: string }>(`${baseUrl}/scorecards`, { document: scorecard }, headers)
  ).body;
  await sendJson(`${baseUrl}/scorecards/${scorecardId}/publish`, {}, headers);
  const reviewers: SignedInUser[] = [];
  for (let n = 0; n < options.reviewers; n++) reviewers.push(await createUser({ baseUrl, manageKey }, "reviewer"));
  await adminDb.query(
    `insert into app_user (workspace_id, id, email, email_key, name, role, status, invitation)
      select $1, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'agent' || n || '@example.com',
        'agent' || n || '@example.com', 'Agent ' || n, 'agent', 'active', 'not_requested' from generate_series(1, $2::int) as n`,
    [workspaceId, options.agents],
  );
  await adminDb.query("select add_call_month(now()), add_call_month(now() - interval '1 day')");

  async function createPlan(change: object = {}): Promise<string> {
    const plan = {
      name: "Plan",
      scorecard_id: scorecardId,
      per_agent: 3,
      period: "month",
      time_zone: "Europe/Paris",
      reviewers: reviewers.map(({ id }, index) => ({ user_id: id, capacity: 10 * (index + 1) })),
      ...change,
    };
    const { status, body, text } = await sendJson<{ id: string }>(`${baseUrl}/plans`, plan, headers);
    if (status !== 201) throw new Error(`no plan: ${status} ${text}`);
    return body.id;
  }

  let calls = 0;
  async function addReady(agents: readonly number[], change: { readonly campaignId?: string } = {}): Promise<string[]> {
    const from = calls;
    calls += agents.length;
    const { rows } = await adminDb.query<{ id: string }>(
      `with made as (
        select ordinality + $3 as n, agent, now() - interval '1 hour' + ((ordinality + $3) % 3000000) * interval '1 ms' as at
        from unnest($4::uuid[]) with ordinality as given (agent, ordinality)),
      inserted as (
        insert into call (workspace_id, id, campaign_id, agent_id, happened_at, status, metadata, recording_key,
          recording_bytes, sha256, format, duration_ms)
        select $1, (left(first_call_id(at)::text, 13) || '-8' || substr(md5(n::text), 1, 3) || '-8' || substr(md5(n::text), 4, 3)
            || '-' || substr(md5(n::text), 7, 12))::uuid, $2, agent, at, 'ready', '[]', 'recordings/none', 1000,
          sha256(n::text::bytea), 'wav', 60000
        from made returning id)
      insert into ready_call (workspace_id, call_id) select $1, id from inserted returning call_id as id`,
      [workspaceId, change.campaignId ?? campaignId, from, agents.map(agentIdOf)],
    );
    return rows.map(({ id }) => id);
  }

  async function endPeriods(planIds: readonly string[]): Promise<string[]> {
    const client = await adminDb.connect();
    try {
      // Without the trigger that protects draws.
      await client.query("begin; set local session_replication_role = replica");
      const { rows } = await client.query<{ id: string }>(
        `update review_draw set ends_at = clock_timestamp(), closes_at = clock_timestamp()
          where plan_id = any ($1) and state = 'committed' and starts_at <= now() returning id`,
        [planIds],
      );
      await client.query(
        `update review_draw as next set starts_at = last.ends_at from review_draw as last
          where next.plan_id = any ($1) and last.plan_id = next.plan_id and next.number = last.number + 1 and last.id = any ($2)`,
        [planIds, rows.map(({ id }) => id)],
      );
      await client.query("commit");
      return rows.map(({ id }) => id);
    } finally {
      client.release();
    }
  }

  const requestDraws = async () => {
    await adminDb.query("insert into outgoing_job (name, payload) values ('plans.run-draws', '{}')");
  };
  return { ...stack, baseUrl, manageKey, scorecardId, reviewers, createPlan, addReady, endPeriods, requestDraws };
}
