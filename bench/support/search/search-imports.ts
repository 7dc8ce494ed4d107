import { mkdir } from "node:fs/promises";
import { importsTo } from "../imports-to.ts";
import { clients } from "../load.ts";
import { aRecording } from "../recording.ts";
import { playRound, type Side } from "../round.ts";
import { type Cluster, withAdmin } from "./search-cluster.ts";
import { agentEmail, campaignId, searched } from "./search-data.ts";
import type { SearchService } from "./search-service.ts";

const rounds = 5;
const seconds = 2;

/**
 * Import rate with a full database relative to an empty one, measured in alternation. Removes the imported calls
 * afterwards.
 */
export async function compareImports(
  cluster: Cluster,
  { full, empty, dir, signal }: { full: SearchService; empty: SearchService; dir: string; signal: AbortSignal },
): Promise<number> {
  await mkdir(dir, { recursive: true });
  const began = new Date(Date.now() - 60_000);
  const recording = aRecording(96_000);
  const sides = [full, empty].map((service) => sideOf(cluster, service, began));
  const play = (side: Side | undefined, length: number) => {
    if (!side) throw new Error("no side");
    return playRound(side, { recording, seconds: length, clients, dir, signal });
  };
  try {
    for (const side of sides) await play(side, 3);
    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      const [withCalls, without] = [await play(sides[0], seconds), await play(sides[1], seconds)];
      ratios.push(withCalls.perSecond / without.perSecond);
      const figures = `${withCalls.perSecond.toFixed()}/s with the calls, ${without.perSecond.toFixed()}/s without`;
      console.error(`imports, round ${round} of ${rounds}: ${figures}`);
    }
    return ratios.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  } finally {
    for (const service of [full, empty]) await removeImports(cluster, service, began);
  }
}

function sideOf(cluster: Cluster, service: SearchService, began: Date): Side {
  const { baseUrl, apiKey } = service;
  return {
    makeLoad: importsTo(baseUrl, { apiKey, campaignId: campaignId(0), agentEmail: agentEmail(0) }),
    readCpu: () => ({}),
    countCalls: () =>
      withAdmin(cluster.adminUrl(service.database.name), async (admin) => {
        const { rows } = await admin.query<{ count: number }>(
          `select count(*)::int as count from call
            where workspace_id = $1 and imported_on >= $2::timestamptz::date and created_at >= $2`,
          [searched.workspaceId, began],
        );
        return rows[0]?.count ?? 0;
      }),
  };
}

/** Restores the data for the next run. */
async function removeImports(cluster: Cluster, { database }: SearchService, began: Date): Promise<void> {
  await withAdmin(cluster.adminUrl(database.name), async (admin) => {
    await admin.query("set session_replication_role = replica");
    await admin.query("create temporary table imported as select id from call where false");
    await admin.query(
      `insert into imported select id from call
        where workspace_id = $1 and imported_on >= $2::timestamptz::date and created_at >= $2`,
      [searched.workspaceId, began],
    );
    const { rows } = await admin.query<{ id: string }>("select id from imported");
    const ids = rows.map(({ id }) => id);
    for (const [table, column] of [
      ["call_metadata", "call_id"],
      ["call_step", "call_id"],
      ["call", "id"],
    ]) {
      await admin.query(
        `delete from ${table} using unnest($1::uuid[]) as gone where workspace_id = $2 and ${column} = gone`,
        [ids, searched.workspaceId],
      );
    }
    await admin.query("truncate outgoing_job");
    await admin.query("delete from event");
    // Both databases start the next run with fresh statistics and without dead tuples.
    await admin.query(
      database.calls > 0
        ? `vacuum analyze event, call_${lastMonth()}, call_metadata_${lastMonth()}`
        : "vacuum analyze event, call, call_metadata",
    );
  });
}

/** Table name suffix of the month that importsTo uses. */
function lastMonth(): string {
  const today = new Date();
  return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1))
    .toISOString()
    .slice(0, 7)
    .replace("-", "_");
}
