import { type RawBuilder, sql } from "kysely";
import type { CallFilters } from "./call-filters.ts";

interface ColumnFilter {
  /** Name of the statement's parameter. */
  readonly parameter: string;
  readonly type: string;
  readonly column: string;
  readonly operator: "= any" | ">=" | "<=" | "<";
  /** Null: matches everything. */
  readonly value: (filters: CallFilters) => unknown;
}

/** The filters on the columns of a call. */
const columnFilters: readonly ColumnFilter[] = [
  { parameter: "campaigns", type: "text[]", column: "campaign_id", operator: "= any", value: (f) => f.campaignIds },
  { parameter: "agents", type: "uuid[]", column: "agent_id", operator: "= any", value: (f) => f.agentIds },
  { parameter: "statuses", type: "text[]", column: "status", operator: "= any", value: (f) => f.statuses },
  { parameter: "minMs", type: "bigint", column: "duration_ms", operator: ">=", value: (f) => f.minDurationMs },
  { parameter: "maxMs", type: "bigint", column: "duration_ms", operator: "<=", value: (f) => f.maxDurationMs },
  {
    parameter: "importedFrom",
    type: "timestamptz",
    column: "created_at",
    operator: ">=",
    value: (f) => f.importedFrom ?? null,
  },
  {
    parameter: "importedTo",
    type: "timestamptz",
    column: "created_at",
    operator: "<",
    value: (f) => f.importedTo ?? null,
  },
];

/** Condition of a prepared statement for any filters. Null parameters are ignored. */
export const columnConditions = columnFilters
  .map(
    ({ parameter, type, column, operator }) =>
      `(:${parameter}::${type} is null or ${column} ${operator} (:${parameter}::${type}))`,
  )
  .join(" and ");

/** Values of the parameters of `columnConditions`. */
export const columnValues = (filters: CallFilters): Record<string, unknown> =>
  Object.fromEntries(columnFilters.map(({ parameter, value }) => [parameter, value(filters)]));

/** Condition for these filters only, with their values, so that the planner's estimate takes them into account. */
export function columnConditionsFor(filters: CallFilters): RawBuilder<boolean> {
  const conditions = columnFilters
    .map((filter) => ({ ...filter, given: filter.value(filters) }))
    .filter(({ given }) => given !== null)
    .map(({ column, operator, type, given }) => sql`${sql.raw(`${column} ${operator}`)} (${given}::${sql.raw(type)})`);
  return conditions.length > 0 ? sql<boolean>`${sql.join(conditions, sql` and `)}` : sql<boolean>`true`;
}

export const filtersColumns = (filters: CallFilters) => columnFilters.some(({ value }) => value(filters) !== null);
