import type { WhatIfBody, WhatIfPageBody } from "@hearback/contract";
import { type Selectable, sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { toPage } from "../../platform/database/pages.ts";
import type { WhatIf } from "../../platform/database/tables.ts";
import { isUuid } from "../../platform/is-uuid.ts";
import { whatIfNotFound } from "../errors.ts";
import type { StoredResult } from "./stored-result.ts";

/** Without documents, sums and results, which can be large. */
const itemColumns = [
  "id",
  "scorecardId",
  "version",
  "draftNumber",
  "digest",
  "periodFrom",
  "periodTo",
  "state",
  "reviews",
  "complete",
  "replayed",
  "requestedByType",
  "requestedById",
  "createdAt",
  "startedAt",
  "endedAt",
] as const satisfies readonly (keyof WhatIf)[];
type ItemRow = Pick<Selectable<WhatIf>, (typeof itemColumns)[number]>;
type WhatIfRow = ItemRow & Pick<Selectable<WhatIf>, "workspaceId" | "result">;

export async function findWhatIf(tx: Db, workspaceId: string, id: string): Promise<WhatIfRow> {
  const found = isUuid(id)
    ? await tx
        .selectFrom("whatIf")
        .select([...itemColumns, "workspaceId", "result"])
        .where("workspaceId", "=", workspaceId)
        .where("id", "=", id)
        .executeTakeFirst()
    : undefined;
  if (!found) throw whatIfNotFound();
  return found;
}

interface ListWhatIfsInput {
  readonly scorecardId: string;
  /** Id of the last run of the previous page. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Lists the runs of a scorecard without their results, newest first. */
export async function listWhatIfs(
  tx: Db,
  workspaceId: string,
  { scorecardId, cursor, limit }: ListWhatIfsInput,
): Promise<WhatIfPageBody> {
  const found = await tx
    .selectFrom("whatIf")
    .select(itemColumns)
    .where("workspaceId", "=", workspaceId)
    .where("scorecardId", "=", scorecardId)
    .$if(cursor !== undefined, (rows) => rows.where("id", "<", cursor ?? ""))
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const { rows, next } = toPage(found, limit, ({ id }) => id);
  return { what_ifs: rows.map(toItem), next };
}

const toItem = (run: ItemRow): WhatIfPageBody["what_ifs"][number] => ({
  id: run.id,
  scorecard: { id: run.scorecardId, version: run.version },
  draft_number: run.draftNumber,
  digest: run.digest.toString("hex"),
  from: run.periodFrom.toISOString(),
  to: run.periodTo.toISOString(),
  state: run.state as WhatIfBody["state"],
  reviews: run.reviews,
  complete: run.complete,
  replayed: run.replayed,
  requested_by: { type: run.requestedByType as "user" | "key", id: run.requestedById },
  created_at: run.createdAt.toISOString(),
  started_at: run.startedAt?.toISOString() ?? null,
  ended_at: run.endedAt?.toISOString() ?? null,
});

/** The run with its result. Reviews that were deleted since are left out of the list of crossings. */
export async function toWhatIfBody(tx: Db, run: WhatIfRow): Promise<WhatIfBody> {
  const result = run.result as StoredResult | null;
  if (!result) return { ...toItem(run), result: null };
  const reviews = await tx
    .selectFrom("review")
    .select(["id", "callId", "agentId"])
    .where("workspaceId", "=", run.workspaceId)
    .where("id", "=", sql<string>`any (${result.crossings.map(({ review_id }) => review_id)}::uuid[])`)
    .execute();
  const byId = new Map(reviews.map((review) => [review.id, review]));
  const crossings = result.crossings.flatMap((crossing) => {
    const review = byId.get(crossing.review_id);
    return review ? [{ ...crossing, call_id: review.callId, agent_id: review.agentId }] : [];
  });
  return { ...toItem(run), result: { ...result, crossings } };
}
