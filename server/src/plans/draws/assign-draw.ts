import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { assignReviewers } from "@hearback/draws/assign-reviewers";
import type { ReviewToAssign } from "@hearback/draws/reviewer-pool";
import { openTickets } from "@hearback/draws/tickets";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { collectIfGrown } from "../../platform/memory/bounded-heap.ts";
import { addSecondReviews } from "./add-second-reviews.ts";
import { adoptReviews } from "./adopt-reviews.ts";
import { findEarlierReviewers, findOtherHolders } from "./earlier-reviews.ts";
import { findExclusions } from "./exclusions.ts";
import { type DrawRow, findDraw, lockDraw } from "./find-draw.ts";
import { fulfilByOtherDraws } from "./fulfil-assignments.ts";
import { readDrawnPages } from "./read-drawn-pages.ts";
import { saveStep } from "./save-step.ts";

const batchSize = 500;

interface Drawn extends ReviewToAssign {
  readonly id: string;
  /** The first bytes. */
  readonly ticket: number;
  readonly isPending: boolean;
}

/**
 * Adds the second reviews and gives every drawn call a reviewer. Everything follows from keys of the draw, so a run that
 * was interrupted is completed by the next one with the same result.
 */
export async function assignDraw(app: App, { workspaceId, id }: DrawRow, signal?: AbortSignal): Promise<void> {
  const draw = await inWorkspace(app, workspaceId, (tx) => findDraw(tx, workspaceId, id));
  if (draw.state !== "assigning") return;
  await addSecondReviews(app, draw, signal);
  let isDrawn = false;
  for (let round = 0; !isDrawn; round++) {
    const drawn = await readDrawn(app, draw, { isFirst: round === 0 }, signal);
    // A further round assigns what was kept from reviewers who left meanwhile.
    await saveReviewers(app, draw, drawn, await chooseReviewers(app, draw, drawn), signal);
    await adoptReviews(app, draw, signal);
    isDrawn = await finish(app, draw);
  }
}

/** All drawn calls, those of each agent in succession. Agents come in the order of their first tickets. */
async function readDrawn(
  app: App,
  draw: DrawRow,
  { isFirst }: { readonly isFirst: boolean },
  signal: AbortSignal | undefined,
): Promise<Drawn[]> {
  const byAgent = new Map<string, Drawn[]>();
  for await (const page of readDrawnPages(app, draw, signal)) {
    const earlier = await findEarlier(app, draw, page);
    for (const { id, callId, agentId, kind, ticket, state, reviewerId } of page) {
      const isSecond = kind === "second";
      const isPending = state === "pending";
      // In the first round as if nothing were assigned yet, so that an interruption changes nothing.
      const holder = isFirst
        ? isSecond
          ? undefined
          : earlier.holders.get(callId)
        : isPending
          ? undefined
          : reviewerId;
      const drawn = {
        ...{ id, callId, agentId, isSecond, isPending, ticket: ticket.readUInt32BE() },
        ...(holder !== undefined && { assignedTo: holder }),
        except: earlier.reviewers.get(callId),
      };
      const others = byAgent.get(agentId);
      if (others) others.push(drawn);
      else byAgent.set(agentId, [drawn]);
    }
    collectIfGrown();
  }
  return [...byAgent.values()].sort(([a], [b]) => (a?.ticket ?? 0) - (b?.ticket ?? 0)).flat();
}

/** Who reviews the calls of a page for other draws, or has reviewed them. */
async function findEarlier(app: App, draw: DrawRow, page: readonly { readonly callId: string }[]) {
  const { workspaceId, id: drawId } = draw;
  const calls = { workspaceId, scorecardId: draw.rules.scorecard_id, callIds: page.map(({ callId }) => callId) };
  return inWorkspace(app, workspaceId, async (tx) => ({
    reviewers: await findEarlierReviewers(tx, calls),
    holders: await findOtherHolders(tx, { ...calls, drawId }),
  }));
}

async function chooseReviewers(app: App, draw: DrawRow, drawn: readonly Drawn[]): Promise<(string | undefined)[]> {
  const agentIds = new Set(drawn.map(({ agentId }) => agentId));
  const { reviewers, isExcluded } = await inWorkspace(app, draw.workspaceId, (tx) =>
    findExclusions(tx, draw, agentIds),
  );
  const ticketOf = openTickets(draw.queueKey);
  const salts = new Map(reviewers.map(({ id }) => [id, Buffer.from(ticketOf(`reviewer/${id}`)).readUInt32BE()]));
  return assignReviewers(drawn, {
    reviewers,
    isExcluded,
    // Mixes both numbers, so that reviewers come in another order for every call.
    order: (review, reviewerId) => Math.imul((review as Drawn).ticket ^ (salts.get(reviewerId) ?? 0), 0x9e3779b1) >>> 0,
    pause: yieldToEventLoop,
  });
}

async function saveReviewers(
  app: App,
  draw: DrawRow,
  drawn: readonly Drawn[],
  chosen: readonly (string | undefined)[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const pending = [...drawn.entries()].filter(([, { isPending }]) => isPending);
  for (let first = 0; first < pending.length; first += batchSize) {
    signal?.throwIfAborted();
    const batch = pending.slice(first, first + batchSize);
    const ids = batch.map(([, { id }]) => id);
    const reviewers = batch.map(([index]) => chosen[index] ?? null);
    await inWorkspace(app, draw.workspaceId, async (tx) => {
      await openAssignments(draw, ids, reviewers).execute(tx);
      await fulfilByOtherDraws(tx, draw.workspaceId, ids);
    });
  }
}

/**
 * Opens assignments of reviewers who may still review: locks them, so that nobody is deactivated before the commit. The others stay
 * pending, as does a call whose other review has the same reviewer by now.
 */
const openAssignments = (
  { workspaceId, id }: DrawRow,
  ids: readonly string[],
  reviewers: readonly (string | null)[],
) => sql`
  with active as (
    select id from app_user where workspace_id = ${workspaceId} and id = any (${[...new Set(reviewers)].filter(Boolean)}::uuid[])
      and role <> 'agent' and deactivated_at is null
    order by id for share),
  -- In the order of ids, like all who lock several assignments.
  locked as (
    select id from assignment where workspace_id = ${workspaceId} and id = any (${[...ids]}::uuid[]) and state = 'pending'
    order by id for no key update)
  update assignment set reviewer_id = chosen.reviewer_id, state = 'open'
  from unnest(${[...ids]}::uuid[], ${[...reviewers]}::uuid[]) as chosen (id, reviewer_id)
  where assignment.workspace_id = ${workspaceId} and assignment.id = chosen.id and assignment.state = 'pending'
    and assignment.id in (select locked.id from locked) and (chosen.reviewer_id is null or chosen.reviewer_id in (select active.id from active))
    and not exists (select from assignment as other where other.workspace_id = ${workspaceId} and other.draw_id = ${id}
      and other.call_id = assignment.call_id and other.kind <> assignment.kind and other.state <> 'skipped'
      and other.reviewer_id = chosen.reviewer_id)`;

/** Whether the draw is finished: no call waits for a reviewer. */
async function finish(app: App, { workspaceId, id }: DrawRow): Promise<boolean> {
  return inWorkspace(app, workspaceId, async (tx) => {
    const draw = await lockDraw(tx, workspaceId, id);
    if (draw.state !== "assigning") return true;
    const { rows } = await sql`
      select from assignment where workspace_id = ${workspaceId} and draw_id = ${id} and state = 'pending' limit 1`.execute(
      tx,
    );
    if (rows.length > 0) return false;
    await saveStep(tx, draw, "drawn", {}, { drawnAt: new Date() });
    return true;
  });
}
