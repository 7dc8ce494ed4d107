import type { Stack } from "../stack/stack.ts";
import type { Store } from "../stack/store.ts";
import { inParallel } from "../waiting.ts";

interface CallRow {
  readonly id: string;
  readonly sha256: string;
  readonly recording_key: string;
  /** Objects that the worker created, once the call is ready. */
  readonly playback_key: string | null;
  readonly drawing_key: string | null;
  /** Once the call is transcribed. */
  readonly transcript_key: string | null;
}

async function callRows(stack: Stack): Promise<CallRow[]> {
  const { rows } = await stack.adminDb.query<CallRow>(
    `select call.id, encode(sha256, 'hex') as sha256, recording_key, playback_key, drawing_key, object_key as transcript_key
      from call left join transcript on transcript.workspace_id = call.workspace_id and call_id = call.id`,
  );
  return rows;
}

export async function countRows(stack: Stack, table: "call" | "staged_object"): Promise<number> {
  const { rows } = await stack.adminDb.query<{ count: number }>(`select count(*)::int as count from ${table}`);
  return rows[0]?.count ?? Number.NaN;
}

/** Damage to acknowledged calls. */
export interface Damage {
  /** Acknowledged ids that are missing or exist more than once. */
  readonly lost: string[];
  /** Acknowledged calls whose stored bytes differ from the sent bytes. */
  readonly corrupt: string[];
  /** Duplicates: same workspace, campaign, agent, time and bytes. */
  readonly doubled: string[];
}

export const noDamage: Damage = { lost: [], corrupt: [], doubled: [] };

/** Compares acknowledged calls (SHA-256 → id) with the database and the store. */
export async function findDamage(
  stack: Stack,
  store: Store,
  acknowledged: ReadonlyMap<string, string>,
): Promise<Damage> {
  const rows = Map.groupBy(await callRows(stack), (row) => row.id);
  const lost: string[] = [];
  const corrupt: string[] = [];
  const sent = [...acknowledged];
  await inParallel(sent.length, 8, async (index) => {
    const [sha256, id] = sent[index] ?? ["", ""];
    const found = rows.get(id) ?? [];
    const [row] = found;
    if (!row || found.length !== 1) lost.push(id);
    else if (row.sha256 !== sha256 || (await store.sha256(row.recording_key)) !== sha256) corrupt.push(id);
  });
  const doubled = await stack.adminDb.query<{ ids: string }>(
    `select string_agg(id::text, ' = ') as ids from call
      group by workspace_id, campaign_id, agent_id, happened_at, sha256 having count(*) > 1`,
  );
  return { lost, corrupt, doubled: doubled.rows.map(({ ids }) => ids) };
}

/** Leftovers of a crash that a sweep must remove. */
export interface Leftovers {
  readonly objectsWithoutRow: string[];
  readonly rowsWithoutObject: string[];
  readonly openUploads: string[];
  readonly stagedRows: number;
}

export const noLeftovers: Leftovers = { objectsWithoutRow: [], rowsWithoutObject: [], openUploads: [], stagedRows: 0 };

export async function findLeftovers(stack: Stack, store: Store): Promise<Leftovers> {
  const [rows, keys, openUploads, stagedRows] = await Promise.all([
    callRows(stack),
    store.keys(),
    store.openUploads(),
    countRows(stack, "staged_object"),
  ]);
  const stored = new Set(keys);
  const claimedBy = (row: CallRow) =>
    [row.recording_key, row.playback_key, row.drawing_key, row.transcript_key].filter((key) => key !== null);
  const claimed = new Set(rows.flatMap(claimedBy));
  return {
    objectsWithoutRow: keys.filter((key) => !claimed.has(key)),
    rowsWithoutObject: rows.filter((row) => !claimedBy(row).every((key) => stored.has(key))).map((row) => row.id),
    openUploads,
    stagedRows,
  };
}

/** Sweeps without the grace period that protects uploads in progress. */
export async function sweepAll(stack: Stack): Promise<void> {
  await stack.command("sweep", "--older-than", "0", "--json");
}
