import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import type { AgentSumKey, Sum, SumKey } from "./contribution.ts";
import { addMeasures, isZero, type Measures, measures, noMeasures } from "./measures.ts";

interface SumTable<Key> {
  readonly name: string;
  /** In the order of the primary key, without the workspace. */
  readonly key: readonly (keyof Key & string)[];
}

const sumKey = ["day", "scorecardId", "version", "teamId", "campaignId", "selection", "part", "itemId"] as const;
export const scoreSum: SumTable<SumKey> = { name: "score_sum", key: sumKey };
export const deletedScoreSum: SumTable<SumKey> = { name: "deleted_score_sum", key: sumKey };
export const agentScoreSum: SumTable<AgentSumKey> = {
  name: "agent_score_sum",
  key: ["agentId", "day", "scorecardId", "version", "teamId", "campaignId", "selection"],
};

export type SumMap<Key> = Map<string, Sum<Key>>;

/** Adds rows to those with the same key. */
export function addSums<Key>(table: SumTable<Key>, to: SumMap<Key>, rows: readonly Sum<Key>[], sign: 1 | -1 = 1): void {
  for (const row of rows) {
    const text = JSON.stringify(table.key.map((column) => row[column]));
    to.set(text, { ...row, sums: addMeasures(to.get(text)?.sums ?? noMeasures, row.sums, sign) });
  }
}

/** What is left when rows are subtracted from others, without zeros. */
export function subtractSums<Key>(table: SumTable<Key>, from: readonly Sum<Key>[], rows: readonly Sum<Key>[]) {
  const difference: SumMap<Key> = new Map();
  addSums(table, difference, from);
  addSums(table, difference, rows, -1);
  return [...difference.values()].filter(({ sums }) => !isZero(sums));
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const types: Readonly<Record<string, string>> = { day: "date", version: "integer" };
const typeOf = (column: string) =>
  types[column] ?? (/Id$/.test(column) && !/^(campaign|item)/.test(column) ? "uuid" : "text");

const measureColumns = measures.map(snake).join(", ");
const definition = (columns: readonly string[]) =>
  columns.map((column) => `${snake(column)} ${typeOf(column)}`).join(", ");
const toJson = <Key>({ key }: SumTable<Key>, rows: readonly Sum<Key>[]) =>
  JSON.stringify(
    rows.map((row) =>
      Object.fromEntries([
        ...key.map((column) => [snake(column), row[column]]),
        ...measures.map((measure) => [snake(measure), row.sums[measure]]),
      ]),
    ),
  );

/** Adds to the stored sums. In the order of the key, so that concurrent transactions cannot wait for each other in a circle. */
export async function writeSums<Key>(
  tx: Db,
  workspaceId: string,
  table: SumTable<Key>,
  rows: readonly Sum<Key>[],
): Promise<void> {
  if (rows.length === 0) return;
  const key = table.key.map(snake).join(", ");
  const added = measures.map((measure) => `${snake(measure)} = stored.${snake(measure)} + excluded.${snake(measure)}`);
  await sql`
    insert into ${sql.raw(table.name)} as stored (workspace_id, ${sql.raw(`${key}, ${measureColumns}`)})
    select ${workspaceId}, ${sql.raw(`${key}, ${measureColumns}`)}
    from jsonb_to_recordset(${toJson(table, rows)}::jsonb)
      as added (${sql.raw(`${definition(table.key)}, ${measures.map((measure) => `${snake(measure)} bigint`).join(", ")}`)})
    order by ${sql.raw(key)}
    on conflict (workspace_id, ${sql.raw(key)}) do update set ${sql.raw(added.join(", "))}`.execute(tx);
}

/** Deletes those of an agent's rows that count no review any more. */
export async function deleteEmptySums(tx: Db, workspaceId: string, rows: readonly Sum<AgentSumKey>[]): Promise<void> {
  const { key, name } = agentScoreSum;
  const isSame = key.map((column) => `stored.${snake(column)} = emptied.${snake(column)}`).join(" and ");
  await sql`
    delete from ${sql.raw(name)} as stored
    using jsonb_to_recordset(${toJson(agentScoreSum, rows)}::jsonb) as emptied (${sql.raw(definition(key))})
    where stored.workspace_id = ${workspaceId} and ${sql.raw(isSame)} and stored.scored = 0 and stored.unscored = 0`.execute(
    tx,
  );
}

/** The stored sums of a day. */
export async function readSums<Key>(
  tx: Db,
  workspaceId: string,
  table: SumTable<Key>,
  day: string,
): Promise<Sum<Key>[]> {
  const columns = table.key.map((column) => (column === "day" ? "day::text as day" : snake(column))).join(", ");
  const { rows } = await sql<Key & Measures>`
    select ${sql.raw(`${columns}, ${measureColumns}`)} from ${sql.raw(table.name)}
    where workspace_id = ${workspaceId} and day = ${day}::date`.execute(tx);
  return rows.map((row) => ({ ...row, sums: row }));
}
