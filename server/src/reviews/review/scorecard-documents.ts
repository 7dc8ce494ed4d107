import type { ScorecardDocument } from "@hearback/scoring/document";
import type { Db } from "../../platform/database/database.ts";
import { findVersion } from "../../scorecards/find-scorecard.ts";

export interface ReviewedVersion {
  readonly scorecardId: string;
  readonly version: number;
  readonly document: ScorecardDocument;
  readonly digest: string;
}

const maxCached = 200;
/** LRU cache. Versions never change, and ids are unique across workspaces. */
const cache = new Map<string, ReviewedVersion>();

/** The version of a scorecard that a review uses. */
export async function findReviewedVersion(
  tx: Db,
  { workspaceId, scorecardId, version }: { workspaceId: string; scorecardId: string; version: number },
): Promise<ReviewedVersion> {
  const key = `${workspaceId}/${scorecardId}/${version}`;
  const cached = cache.get(key);
  cache.delete(key);
  const found = cached ?? (await read(tx, workspaceId, scorecardId, version));
  cache.set(key, found);
  const [oldest = ""] = cache.keys();
  if (cache.size > maxCached) cache.delete(oldest);
  return found;
}

async function read(tx: Db, workspaceId: string, scorecardId: string, version: number): Promise<ReviewedVersion> {
  const { document, digest } = await findVersion(tx, workspaceId, { scorecardId, version });
  return { scorecardId, version, document, digest: digest.toString("hex") };
}
