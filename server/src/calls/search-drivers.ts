import { type Statement, statement } from "../platform/database/prepared.ts";
import { type CallFilters, importDays } from "./call-filters.ts";

/*
 * A search walks along one index, from the newest call to older ones, and looks at each call it meets. A driver is such
 * an index: where the ids come from, and which of the filters it has answered by that.
 */

export interface Driver {
  readonly statement: Statement;
  /** What is given to the statement beside what every walk gets. */
  readonly values: Readonly<Record<string, unknown>>;
  /** How many places of the index it walks from at once. */
  readonly places: number;
  /** The filters that are left to be looked at. */
  readonly rest: CallFilters;
}

/** The ends of durations that have an index of their own (migration 0006). */
const longMs = 1_800_000;
const shortMs = 10_000;

const calls = (condition: string) => ({ table: "call", id: "id", condition });
const sources = {
  all: { places: "(values (1)) as place", ...calls("true") },
  campaign: { places: "unnest(:places::text[]) as place (value)", ...calls("campaign_id = place.value") },
  agent: { places: "unnest(:places::uuid[]) as place (value)", ...calls("agent_id = place.value") },
  unsettled: {
    places: "unnest(:places::text[]) as place (value)",
    ...calls("status = place.value and status <> 'ready'"),
  },
  long: { places: "(values (1)) as place", ...calls(`duration_ms >= ${longMs}`) },
  short: { places: "(values (1)) as place", ...calls(`duration_ms <= ${shortMs}`) },
  "import-day": {
    places: "unnest(:places::date[], :belows::uuid[]) as place (value, below)",
    ...calls("imported_on = place.value and id < place.below"),
  },
  metadata: {
    places: "unnest(:places::text[]) as place (value)",
    ...{ table: "call_metadata", id: "call_id", condition: "key = :key::text and value = place.value" },
  },
} as const;

/** What the columns of a call must say. A value that is null says nothing. */
const columns = `(:campaigns::text[] is null or campaign_id = any (:campaigns))
  and (:agents::uuid[] is null or agent_id = any (:agents))
  and (:statuses::text[] is null or status = any (:statuses))
  and (:minMs::bigint is null or duration_ms >= :minMs) and (:maxMs::bigint is null or duration_ms <= :maxMs)
  and (:importedFrom::timestamptz is null or created_at >= :importedFrom)
  and (:importedTo::timestamptz is null or created_at < :importedTo)`;

/**
 * That a call has an entry of the one key that is asked for, or of each of several. Not "exists": for many calls PostgreSQL
 * would read every entry there is, to look the calls up among them.
 */
const hasEntry = `(
  select true from call_metadata as entry
  where entry.workspace_id = :workspaceId::uuid and entry.key = (:keys::text[])[1] and entry.value = any (:values::text[])
    and entry.call_id = walked.id limit 1
)`;
const hasEntries = `:keyCount = (
  select count(distinct asked.key) from unnest(:keys::text[], :values::text[]) as asked (key, value)
  where (
    select true from call_metadata as entry
    where entry.workspace_id = :workspaceId::uuid and entry.key = asked.key and entry.value = asked.value
      and entry.call_id = walked.id limit 1
  )
)`;

/** What is asked of a call that the driver has not answered. */
interface Shape {
  readonly columns: boolean;
  readonly entries: "none" | "one" | "several";
}

/**
 * Walks at most :walk entries from each place, newest first, and gives the first :page ids of calls that match. `edge`:
 * down to this id all was looked at; null: there is nothing more.
 */
function walkStatement(driver: keyof typeof sources, shape: Shape): Statement {
  const { places, table, id, condition } = sources[driver];
  const ofCall = shape.columns && table === "call" ? `, ${columns} as wanted` : "";
  const lookedUp = `(select ${columns} from call where workspace_id = :workspaceId::uuid and id = walked.id limit 1)`;
  const wanted = [
    ...(shape.columns ? [table === "call" ? "wanted" : lookedUp] : []),
    ...(shape.entries === "none" ? [] : [shape.entries === "one" ? hasEntry : hasEntries]),
  ];
  const name = `walk-${driver}${shape.columns ? "-columns" : ""}-${shape.entries}`;
  return statement(
    name,
    `with met as materialized (
      select step.* from ${places} cross join lateral (
        select entry.*, row_number() over (order by entry.id desc) as number from (
          select ${id} as id${ofCall} from ${table}
          where workspace_id = :workspaceId::uuid and ${condition} and ${id} < :below::uuid and ${id} >= :floor::uuid
          order by ${id} desc limit :walk
        ) as entry
      ) as step
    ), edge as materialized (
      select id from met where number = :walk order by id desc limit 1
    ), walked as materialized (
      select distinct on (id) * from met
      where id >= coalesce((select id from edge), '00000000-0000-0000-0000-000000000000') order by id desc
    )
    select (select id from edge) as edge,
      array(select id from walked ${wanted.length > 0 ? `where ${wanted.join(" and ")}` : ""} limit :page) as ids`,
  );
}

const walkStatements = new Map<string, Statement>();

function driverOf(
  source: keyof typeof sources,
  rest: CallFilters,
  values: { places?: readonly unknown[] } & Record<string, unknown> = {},
): Driver {
  const keys = rest.metadata.size;
  const shape: Shape = { columns: asksColumns(rest), entries: keys === 0 ? "none" : keys === 1 ? "one" : "several" };
  const key = `${source} ${shape.columns} ${shape.entries}`;
  const known = walkStatements.get(key) ?? walkStatement(source, shape);
  walkStatements.set(key, known);
  return { statement: known, values, places: values.places?.length ?? 1, rest };
}

const asksColumns = (filters: CallFilters) =>
  [
    ...[filters.campaignIds, filters.agentIds, filters.statuses, filters.minDurationMs, filters.maxDurationMs],
    ...[filters.importedFrom ?? null, filters.importedTo ?? null],
  ].some((filter) => filter !== null);

/** Every index that could serve the filters, the likeliest to be short first; at least one. */
export function driversOf(filters: CallFilters): Driver[] {
  const { campaignIds, agentIds, statuses, minDurationMs, maxDurationMs } = filters;
  if (filters.confined === "agent" && agentIds) {
    return [driverOf("agent", { ...filters, agentIds: null }, { places: agentIds })];
  }
  if (filters.confined === "campaigns" && campaignIds) {
    return [driverOf("campaign", { ...filters, campaignIds: null }, { places: campaignIds })];
  }
  const drivers = [...filters.metadata].map(([key, values]) => {
    const others = new Map([...filters.metadata].filter(([other]) => other !== key));
    return driverOf("metadata", { ...filters, metadata: others }, { key, places: values });
  });
  if (minDurationMs !== null && minDurationMs >= longMs) drivers.push(driverOf("long", filters));
  if (maxDurationMs !== null && maxDurationMs <= shortMs) drivers.push(driverOf("short", filters));
  if (statuses && !statuses.includes("ready")) {
    drivers.push(driverOf("unsettled", { ...filters, statuses: null }, { places: statuses }));
  }
  if (agentIds) drivers.push(driverOf("agent", { ...filters, agentIds: null }, { places: agentIds }));
  if (campaignIds) drivers.push(driverOf("campaign", { ...filters, campaignIds: null }, { places: campaignIds }));
  const days = importDays(filters);
  if (days) {
    drivers.push(
      driverOf("import-day", filters, { places: days.map(({ day }) => day), belows: days.map(({ below }) => below) }),
    );
  }
  return drivers.length > 0 ? drivers : [driverOf("all", filters)];
}

/** The values of what is left to be looked at. */
export function restValues({ metadata, confined: _, ...filters }: CallFilters): Record<string, unknown> {
  const asked = [...metadata].flatMap(([key, values]) => values.map((value) => ({ key, value })));
  return {
    campaigns: filters.campaignIds,
    agents: filters.agentIds,
    statuses: filters.statuses,
    minMs: filters.minDurationMs,
    maxMs: filters.maxDurationMs,
    importedFrom: filters.importedFrom ?? null,
    importedTo: filters.importedTo ?? null,
    keyCount: metadata.size,
    keys: asked.map(({ key }) => key),
    values: asked.map(({ value }) => value),
  };
}

/** Whether every call that the driver gives is one that is looked for. */
export const answersAll = ({ rest }: Driver) => !asksColumns(rest) && rest.metadata.size === 0;
