import { randomUUID } from "node:crypto";
import { createUser, type SignedInUser } from "../support/http/users.ts";
import { type RequestOverrides, type Row, row, type TestContext } from "./documented-row.ts";

/** Ids created by earlier rows. */
const created = { planId: "", drawId: "", assignmentId: "", callId: randomUUID() };
const plan = () => ({ params: { id: created.planId } });
const draw = () => ({ params: { id: created.drawId } });
const assignment = () => ({ params: { id: created.assignmentId } });

/** A reviewer, created on first use. */
let reviewer: Promise<SignedInUser> | undefined;
const reviewerOf = ({ service }: TestContext) => {
  reviewer ??= createUser({ baseUrl: service.baseUrl, manageKey: service.apiKey }, "reviewer");
  return reviewer;
};

const asKey = (operation: string, status: number, overrides: () => RequestOverrides = () => ({})): Row =>
  row(operation, status, ({ ask }) => ask(operation, overrides()));

async function bodyOf(context: TestContext, scorecardId: string) {
  const { id } = await reviewerOf(context);
  const rules = { scorecard_id: scorecardId, per_agent: 1, period: "day", time_zone: "UTC" };
  return { name: "Daily", ...rules, reviewers: [{ user_id: id, capacity: 5 }] };
}

const plans = (scorecardId: () => string): readonly Row[] => [
  row("createPlan", 404, async (context) => context.ask("createPlan", { body: await bodyOf(context, randomUUID()) })),
  row("createPlan", 201, async (context) => {
    const answer = await context.ask<{ id: string }>("createPlan", { body: await bodyOf(context, scorecardId()) });
    created.planId = answer.body.id;
    return answer;
  }),
  row("previewPlan", 200, async (context) =>
    context.ask("previewPlan", { body: await bodyOf(context, scorecardId()) }),
  ),
  asKey("listPlans", 200),
  asKey("getPlan", 200, plan),
  asKey("changePlan", 200, () => ({ ...plan(), body: { due_days: 9 } })),
  row("listDraws", 200, async ({ ask }) => {
    const answer = await ask<{ draws: { id: string }[] }>("listDraws", { query: `?plan_id=${created.planId}` });
    created.drawId = answer.body.draws.at(-1)?.id ?? "";
    return answer;
  }),
  asKey("getDraw", 200, draw),
  asKey("setDrawNonce", 200, draw),
  asKey("getDrawProof", 409, draw),
  asKey("listDrawReviewers", 200, draw),
];

/** Sets the draw to drawn, with one open assignment, in the database. */
async function finishDraw(context: TestContext, scorecardId: string): Promise<void> {
  const { id: reviewerId } = await reviewerOf(context);
  const { rows } = await context.stack.adminDb.query<{ id: string }>(
    `with drawn as (update review_draw set state = 'drawn', drawn_at = now(), closed_at = now(), root = sha256('root'),
        staffing = '{"reviewers": [], "dueDays": 7, "secondPercent": 0, "skipTeamLead": false}' where id = $1 returning *)
      insert into assignment (workspace_id, id, plan_id, draw_id, scorecard_id, call_id, agent_id, kind, ticket, place, month,
        state, reviewer_id, due_at)
      select workspace_id, gen_random_uuid(), plan_id, id, $2, $3, gen_random_uuid(), 'second', sha256('ticket'), 0, now(), 'open',
        $4, now() from drawn returning id`,
    [created.drawId, scorecardId, created.callId, reviewerId],
  );
  created.assignmentId = rows[0]?.id ?? "";
}

const assignments = (scorecardId: () => string): readonly Row[] => [
  row("getDrawProof", 200, async (context) => {
    await finishDraw(context, scorecardId());
    return context.ask("getDrawProof", draw());
  }),
  asKey("setDrawNonce", 409, draw),
  asKey("listAssignments", 200),
  row("getQueue", 200, async (context) => {
    const { cookie } = await reviewerOf(context);
    return context.ask("getQueue", { apiKey: null, headers: { cookie, origin: context.service.baseUrl } });
  }),
  row("reassign", 200, async (context) => {
    const { id } = await reviewerOf(context);
    return context.ask("reassign", { ...assignment(), body: { reviewer_id: id } });
  }),
  asKey("handBackAssignment", 200, assignment),
  asKey("skipAssignment", 200, assignment),
  asKey("skipAssignment", 409, assignment),
  asKey("handBackAssignment", 409, assignment),
  row("reassign", 409, async (context) => {
    const { id } = await reviewerOf(context);
    return context.ask("reassign", { ...assignment(), body: { reviewer_id: id } });
  }),
  asKey("changePlan", 200, () => ({ ...plan(), body: { ended: true } })),
  asKey("changePlan", 409, plan),
  row("createPlan", 409, async (context) => {
    await context.stack.adminDb.query(
      `insert into review_plan (workspace_id, id, name, scorecard_id, rules, due_days, second_percent, skip_team_lead, close_delay_hours)
       select workspace_id, gen_random_uuid(), 'filler', scorecard_id, rules, 7, 0, false, 0
       from review_plan, generate_series(1, 100) where id = $1`,
      [created.planId],
    );
    const refused = await context.ask("createPlan", { body: await bodyOf(context, scorecardId()) });
    await context.stack.adminDb.query("delete from review_plan where name = 'filler'");
    return refused;
  }),
];

/** Rows of plans, draws and assignments. The scorecard must be published. */
export const planRows = (scorecardId: () => string): readonly Row[] => [
  ...plans(scorecardId),
  ...assignments(scorecardId),
];
