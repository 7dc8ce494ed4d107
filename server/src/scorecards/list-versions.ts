import type { ScorecardVersionBody, ScorecardVersionPageBody } from "@hearback/contract";
import type { Db } from "../platform/database/database.ts";
import { toPage } from "../platform/database/pages.ts";
import type { findVersion } from "./find-scorecard.ts";

type VersionRow = Awaited<ReturnType<typeof findVersion>>;

const toItem = (row: Omit<VersionRow, "document" | "workspaceId" | "scorecardId">) => ({
  version: row.version,
  digest: row.digest.toString("hex"),
  published_at: row.publishedAt.toISOString(),
  published_by: {
    type: row.publishedByType as ScorecardVersionBody["published_by"]["type"],
    id: row.publishedById,
  },
});

export const toVersionBody = (row: VersionRow): ScorecardVersionBody => ({ ...toItem(row), document: row.document });

/** Lists the versions of a scorecard without their documents, newest first. */
export async function listVersions(
  tx: Db,
  workspaceId: string,
  { scorecardId, cursor, limit }: { readonly scorecardId: string; readonly cursor?: number | undefined; limit: number },
): Promise<ScorecardVersionPageBody> {
  const found = await tx
    .selectFrom("scorecardVersion")
    .select(["version", "digest", "publishedAt", "publishedByType", "publishedById"])
    .where("workspaceId", "=", workspaceId)
    .where("scorecardId", "=", scorecardId)
    .$if(cursor !== undefined, (rows) => rows.where("version", "<", cursor ?? 0))
    .orderBy("version", "desc")
    .limit(limit + 1)
    .execute();
  const { rows, next } = toPage(found, limit, ({ version }) => version);
  return { versions: rows.map(toItem), next };
}
