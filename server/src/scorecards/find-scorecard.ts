import type { ScorecardBody, ScorecardDetailBody } from "@hearback/contract";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { type Selectable, sql } from "kysely";
import { type Caller, supervisors } from "../platform/caller.ts";
import type { Db } from "../platform/database/database.ts";
import type { Scorecard } from "../platform/database/tables.ts";
import { isUuid } from "../platform/is-uuid.ts";
import { scorecardNotFound, scorecardVersionNotFound } from "./errors.ts";
import { lintDraft } from "./lint-draft.ts";

/** A scorecard without its draft, which can be large. */
export type ScorecardRow = Omit<Selectable<Scorecard>, "draft"> & {
  readonly hasDraft: boolean;
  readonly campaignIds: readonly string[];
  readonly arbiterIds: readonly string[];
};

/** Restricts which scorecards, and which parts of them, a caller sees. */
export interface ScorecardViewer {
  /** Only scorecards for all campaigns or for one of these; null: all. */
  readonly within: readonly string[] | null;
  /** Whether drafts and scorecards that were never published are visible. */
  readonly drafts: boolean;
}

export const selectScorecards = (tx: Db, workspaceId: string, { within, drafts }: ScorecardViewer) =>
  tx
    .selectFrom("scorecard")
    .select(["workspaceId", "id", "name", "draftNumber", "draftChangedAt", "latestVersion", "retiredAt", "createdAt"])
    .select([
      sql<boolean>`draft is not null`.as("hasDraft"),
      sql<string[]>`array(select campaign_id from scorecard_campaign as assigned
        where assigned.workspace_id = scorecard.workspace_id and assigned.scorecard_id = scorecard.id
        order by campaign_id)`.as("campaignIds"),
      sql<string[]>`array(select user_id from scorecard_arbiter as arbiter
        where arbiter.workspace_id = scorecard.workspace_id and arbiter.scorecard_id = scorecard.id
        order by user_id)`.as("arbiterIds"),
    ])
    .where("scorecard.workspaceId", "=", workspaceId)
    .$if(!drafts, (rows) => rows.where("latestVersion", "is not", null))
    .$if(within !== null, (rows) => rows.where(isForCampaigns(within ?? [])));

/** Whether a scorecard is for all campaigns or for one of these. */
export const isForCampaigns = (campaignIds: readonly string[]) =>
  sql<boolean>`(not exists (select from scorecard_campaign as assigned
      where assigned.workspace_id = scorecard.workspace_id and assigned.scorecard_id = scorecard.id)
    or exists (select from scorecard_campaign as assigned
      where assigned.workspace_id = scorecard.workspace_id and assigned.scorecard_id = scorecard.id
        and assigned.campaign_id = any (${[...campaignIds]}::text[])))`;

/** Drafts are for those who may change them. */
export const scorecardViewerOf = (caller: Caller): ScorecardViewer => ({
  within: caller.campaignIds,
  drafts:
    caller.kind === "key"
      ? caller.scopes.includes("review") && caller.campaignIds === null
      : (supervisors as readonly string[]).includes(caller.role),
});

export const seesEverything: ScorecardViewer = { within: null, drafts: true };

export async function findScorecard(
  tx: Db,
  workspaceId: string,
  id: string,
  viewer: ScorecardViewer = seesEverything,
): Promise<ScorecardRow> {
  const found = isUuid(id)
    ? await selectScorecards(tx, workspaceId, viewer).where("id", "=", id).executeTakeFirst()
    : undefined;
  if (!found) throw scorecardNotFound(id);
  return found;
}

/** Prevents changes of the scorecard until the transaction ends. */
export async function lockScorecard(tx: Db, workspaceId: string, id: string): Promise<ScorecardRow> {
  if (!isUuid(id)) throw scorecardNotFound(id);
  await sql`select from scorecard where workspace_id = ${workspaceId} and id = ${id} for no key update`.execute(tx);
  return findScorecard(tx, workspaceId, id);
}

export async function findVersion(
  tx: Db,
  workspaceId: string,
  { scorecardId, version }: { readonly scorecardId: string; readonly version: number },
) {
  const row = await tx
    .selectFrom("scorecardVersion")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("scorecardId", "=", scorecardId)
    .where("version", "=", version)
    .executeTakeFirst();
  if (!row) throw scorecardVersionNotFound(String(version));
  return { ...row, document: row.document as unknown as ScorecardDocument };
}

export async function readDraft(tx: Db, { workspaceId, id }: ScorecardRow): Promise<Readonly<Record<string, unknown>>> {
  const row = await tx
    .selectFrom("scorecard")
    .select("draft")
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .executeTakeFirst();
  return (row?.draft ?? {}) as Record<string, unknown>;
}

export const findLatest = async (tx: Db, { workspaceId, id, latestVersion }: ScorecardRow) =>
  latestVersion === null ? undefined : findVersion(tx, workspaceId, { scorecardId: id, version: latestVersion });

export const toScorecardBody = (scorecard: ScorecardRow, { drafts, within }: ScorecardViewer): ScorecardBody => ({
  id: scorecard.id,
  name: scorecard.name,
  latest_version: scorecard.latestVersion,
  has_draft: drafts && scorecard.hasDraft,
  campaign_ids: scorecard.campaignIds.filter((id) => within === null || within.includes(id)),
  ...(drafts && { arbiter_ids: [...scorecard.arbiterIds] }),
  retired_at: scorecard.retiredAt?.toISOString() ?? null,
  created_at: scorecard.createdAt.toISOString(),
});

/** The scorecard with its draft and what the linter says about it. */
export async function toScorecardDetail(
  tx: Db,
  scorecard: ScorecardRow,
  viewer: ScorecardViewer = seesEverything,
): Promise<ScorecardDetailBody> {
  const body = toScorecardBody(scorecard, viewer);
  if (!viewer.drafts) return { ...body, draft_number: null, draft: null };
  const { hasDraft, draftNumber: draft_number, draftChangedAt } = scorecard;
  if (!hasDraft) return { ...body, draft_number, draft: null };
  const [document, latest] = [await readDraft(tx, scorecard), await findLatest(tx, scorecard)];
  const { findings } = await lintDraft(document, latest?.document);
  const changed_at = (draftChangedAt ?? scorecard.createdAt).toISOString();
  return { ...body, draft_number, draft: { document, changed_at, findings } };
}
