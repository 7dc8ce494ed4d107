import type { DrawBody, DrawState } from "@hearback/contract";
import type { DrawRules } from "@hearback/draws/rules";
import { type Selectable, sql } from "kysely";
import type { Caller } from "../../platform/caller.ts";
import type { Db } from "../../platform/database/database.ts";
import { toPage } from "../../platform/database/pages.ts";
import type { ReviewDraw } from "../../platform/database/tables.ts";
import { isUuid } from "../../platform/is-uuid.ts";
import { drawNotFound } from "../errors.ts";

export type DrawRow = Omit<Selectable<ReviewDraw>, "rules"> & { readonly rules: DrawRules; readonly planName: string };

const selectDraws = (tx: Db, workspaceId: string) =>
  tx
    .selectFrom("reviewDraw")
    .innerJoin("reviewPlan", (join) =>
      join
        .onRef("reviewPlan.workspaceId", "=", "reviewDraw.workspaceId")
        .onRef("reviewPlan.id", "=", "reviewDraw.planId"),
    )
    .selectAll("reviewDraw")
    .select("reviewPlan.name as planName")
    .where("reviewDraw.workspaceId", "=", workspaceId)
    .$castTo<DrawRow>();

export async function findDraw(tx: Db, workspaceId: string, id: string): Promise<DrawRow> {
  const found = isUuid(id)
    ? await selectDraws(tx, workspaceId).where("reviewDraw.id", "=", id).executeTakeFirst()
    : undefined;
  if (!found) throw drawNotFound();
  return found;
}

/** Prevents changes of the draw until the transaction ends. */
export async function lockDraw(tx: Db, workspaceId: string, id: string): Promise<DrawRow> {
  if (!isUuid(id)) throw drawNotFound();
  await sql`select from review_draw where workspace_id = ${workspaceId} and id = ${id} for no key update`.execute(tx);
  return findDraw(tx, workspaceId, id);
}

export interface ListDrawsInput {
  readonly planId?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Lists draws, newest first. */
export async function listDraws(tx: Db, workspaceId: string, { planId, cursor, limit }: ListDrawsInput) {
  const found = await selectDraws(tx, workspaceId)
    .$if(planId !== undefined, (rows) => rows.where("reviewDraw.planId", "=", planId ?? ""))
    .$if(cursor !== undefined, (rows) => rows.where("reviewDraw.id", "<", cursor ?? ""))
    .orderBy("reviewDraw.id", "desc")
    .limit(limit + 1)
    .execute();
  const { rows: draws, next } = toPage(found, limit, ({ id }) => id);
  return { draws, next };
}

/** Counts of the assignments of draws. */
interface Counts {
  readonly drawId: string;
  readonly open: number;
  readonly overdue: number;
  readonly unassigned: number;
  readonly done: number;
  readonly skipped: number;
  readonly skips: Readonly<Record<string, number>>;
}

async function countAssignments(tx: Db, workspaceId: string, drawIds: readonly string[]): Promise<Map<string, Counts>> {
  const { rows } = await sql<Counts>`
    select draw_id, sum(n) filter (where state in ('open', 'pending'))::int as open,
      sum(overdue)::int as overdue, sum(unassigned)::int as unassigned,
      sum(n) filter (where state = 'done')::int as done, sum(n) filter (where state = 'skipped')::int as skipped,
      coalesce(jsonb_object_agg(skip_reason, n) filter (where state = 'skipped'), '{}') as skips
    from (select draw_id, state, skip_reason, count(*) as n,
        count(*) filter (where state = 'open' and due_at < now()) as overdue,
        count(*) filter (where state = 'open' and reviewer_id is null) as unassigned
      from assignment where workspace_id = ${workspaceId} and draw_id = any (${[...drawIds]}::uuid[])
      group by draw_id, state, skip_reason) as counted
    group by draw_id`.execute(tx);
  return new Map(rows.map((row) => [row.drawId, row]));
}

interface OwnCounts {
  readonly drawId: string;
  readonly calls: number;
  readonly drawn: number;
  readonly skipped: number;
}

async function countOwn(tx: Db, workspaceId: string, agentId: string, drawIds: readonly string[]) {
  const { rows } = await sql<OwnCounts>`
    select a.draw_id, a.calls, (select count(*)::int from assignment as s where s.workspace_id = a.workspace_id
        and s.draw_id = a.draw_id and s.agent_id = a.agent_id and s.kind = 'first') as drawn,
      (select count(*)::int from assignment as s where s.workspace_id = a.workspace_id and s.draw_id = a.draw_id
        and s.agent_id = a.agent_id and s.kind = 'first' and s.state = 'skipped') as skipped
    from draw_agent as a
    where a.workspace_id = ${workspaceId} and a.agent_id = ${agentId} and a.draw_id = any (${[...drawIds]}::uuid[])`.execute(
    tx,
  );
  return new Map(rows.map((row) => [row.drawId, row]));
}

const stateOf = (state: string): DrawState => (state === "committed" || state === "drawn" ? state : "closing");
const hex = (bytes: Buffer | null) => bytes?.toString("hex") ?? null;

/** The draws as the caller may see them. The key is secret until the frame is closed. */
export async function toDrawBodies(tx: Db, caller: Caller, draws: readonly DrawRow[]): Promise<DrawBody[]> {
  const { workspaceId } = caller;
  const agentId = caller.kind === "session" && caller.role === "agent" ? caller.userId : undefined;
  const ids = draws.filter(({ root }) => root !== null).map(({ id }) => id);
  const own = agentId ? await countOwn(tx, workspaceId, agentId, ids) : undefined;
  const counts = await countAssignments(tx, workspaceId, ids);
  return draws.map((draw) => {
    const { calls = 0, drawn = 0, skipped = 0 } = own?.get(draw.id) ?? {};
    const count = counts.get(draw.id);
    return {
      id: draw.id,
      plan: { id: draw.planId, name: draw.planName },
      number: draw.number,
      period: draw.period,
      starts_at: draw.startsAt.toISOString(),
      ends_at: draw.endsAt.toISOString(),
      closes_at: draw.closesAt.toISOString(),
      state: stateOf(draw.state),
      rules: {
        ...draw.rules,
        campaign_ids: [...draw.rules.campaign_ids],
        team_ids: [...draw.rules.team_ids],
        metadata: [...draw.rules.metadata],
      },
      commitment: draw.commitment.toString("hex"),
      commitment_entry: draw.commitmentEntry,
      key: draw.state === "drawn" ? hex(draw.key) : null,
      second_commitment: hex(draw.secondCommitment),
      second_key: hex(draw.secondKey),
      nonce: draw.nonce,
      root: hex(draw.root),
      agents: draw.agents,
      calls: draw.calls,
      progress:
        agentId === undefined && draw.state === "drawn"
          ? {
              open: count?.open ?? 0,
              overdue: count?.overdue ?? 0,
              unassigned: count?.unassigned ?? 0,
              done: count?.done ?? 0,
              skipped: count?.skipped ?? 0,
            }
          : null,
      skips: draw.state === "drawn" ? { ...count?.skips } : null,
      mine: own ? { calls, drawn, skipped } : null,
    };
  });
}
