import { type Statement, statement } from "../../platform/database/prepared-statement.ts";
import { isCountedReview } from "../call/review-scope.ts";
import { type CallFilters, importDays, type ReviewFilter } from "./call-filters.ts";
import { columnConditions, columnValues, filtersColumns } from "./column-filters.ts";

/*
 * A search scans one index backwards, from the newest call, and checks the remaining filters on each call it finds. An index
 * scan defines which index supplies the ids, and which filters that index already covers.
 */

export interface IndexScan {
  readonly source: string;
  readonly statement: Statement;
  /** Statement parameters besides those that every scan gets. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Number of index prefixes scanned by one statement, one per value of the filter. */
  readonly prefixes: number;
  /** The filters that the index does not cover. */
  readonly rest: CallFilters;
}

/** Bounds of the partial indexes on duration (migration 0006). */
const longMs = 1_800_000;
const shortMs = 10_000;

const calls = (condition: string) => ({ table: "call", id: "id", condition });
const sources = {
  all: { prefixes: "(values (1)) as prefix", ...calls("true") },
  campaign: { prefixes: "unnest(:prefixes::text[]) as prefix (value)", ...calls("campaign_id = prefix.value") },
  agent: { prefixes: "unnest(:prefixes::uuid[]) as prefix (value)", ...calls("agent_id = prefix.value") },
  unsettled: {
    prefixes: "unnest(:prefixes::text[]) as prefix (value)",
    ...calls("status = prefix.value and status <> 'ready'"),
  },
  long: { prefixes: "(values (1)) as prefix", ...calls(`duration_ms >= ${longMs}`) },
  short: { prefixes: "(values (1)) as prefix", ...calls(`duration_ms <= ${shortMs}`) },
  "import-day": {
    prefixes: "unnest(:prefixes::date[], :belows::uuid[]) as prefix (value, below)",
    ...calls("imported_on = prefix.value and id < prefix.below"),
  },
  metadata: {
    prefixes: "unnest(:prefixes::text[]) as prefix (value)",
    table: "call_metadata",
    id: "call_id",
    condition: "key = :key::text and value = prefix.value",
  },
  phone: {
    prefixes: "unnest(:prefixes::text[]) as prefix (value)",
    table: "call_metadata",
    id: "call_id",
    condition: "phone_digits = prefix.value",
  },
  reviewed: { prefixes: "(values (1)) as prefix", table: "review", id: "call_id", condition: "true" },
  outcome: {
    prefixes: "unnest(:prefixes::text[]) as prefix (value)",
    table: "review",
    id: "call_id",
    condition: `outcome = prefix.value and ${isCountedReview}`,
  },
  reviewer: {
    prefixes: "unnest(:prefixes::uuid[]) as prefix (value)",
    table: "review",
    id: "call_id",
    condition: `reviewer_id = prefix.value and ${isCountedReview}`,
  },
} as const;

/**
 * Requires a metadata entry for the one requested key, or for each of several. A scalar subquery instead of "exists", which
 * PostgreSQL may turn into a hash join over all metadata entries.
 */
const hasEntry = `(
  select true from call_metadata as entry
  where entry.workspace_id = :workspaceId::uuid and entry.key = (:keys::text[])[1] and entry.value = any (:values::text[])
    and entry.call_id = scanned.id limit 1
)`;
const hasEntries = `:keyCount = (
  select count(distinct asked.key) from unnest(:keys::text[], :values::text[]) as asked (key, value)
  where (
    select true from call_metadata as entry
    where entry.workspace_id = :workspaceId::uuid and entry.key = asked.key and entry.value = asked.value
      and entry.call_id = scanned.id limit 1
  )
)`;

/** Requires an entry that is a phone number of the range. */
const hasPhone = `(
  select true from call_metadata as entry
  where entry.workspace_id = :workspaceId::uuid and entry.call_id = scanned.id
    and entry.phone_digits >= :phoneFrom::text and entry.phone_digits < :phoneTo::text limit 1
)`;

/** Whether the call has a review that matches, or has none. */
const hasReview = `:reviewed::boolean = coalesce((
  select true from review
  where review.workspace_id = :workspaceId::uuid and review.call_id = scanned.id and ${isCountedReview}
    and (:ownReviewer::uuid is null or reviewer_id = :ownReviewer::uuid)
    and (:ownAgent::uuid is null or (agent_id = :ownAgent::uuid and released_at is not null))
    and (:blindUser::uuid is null or reviewer_id = :blindUser::uuid or not exists (select from assignment as own
      where own.workspace_id = :workspaceId::uuid and own.call_id = scanned.id and own.reviewer_id = :blindUser::uuid
        and own.state = 'open'))
    and (:outcomes::text[] is null or outcome = any (:outcomes::text[]))
    and (:reviewers::uuid[] is null or reviewer_id = any (:reviewers::uuid[]))
    and (:minScore::integer is null or score >= :minScore::integer)
    and (:maxScore::integer is null or score <= :maxScore::integer) limit 1
), false)`;

/** The channel of the side that is asked for. */
const askedChannel = `(
  select case :saidBy::text when 'agent' then side.agent when 'customer' then case side.agent when 'left' then 'right'
      when 'right' then 'left' end else :saidBy::text end
  from (
    select coalesce(call.agent_channel, (
      select campaign.agent_channel from campaign where campaign.workspace_id = :workspaceId::uuid and campaign.id = call.campaign_id limit 1
    )) as agent
    from call where call.workspace_id = :workspaceId::uuid and call.id = scanned.id limit 1
  ) as side
)`;

/** Requires that one side said it. Of a long side, the first row has all words, and each phrase is in one of the others. */
const hasSaid = (ofSide: boolean) => `(
  select true from call_words as spoken
  where spoken.workspace_id = :workspaceId::uuid and spoken.call_id = scanned.id
    ${ofSide ? `and spoken.channel = ${askedChannel}` : ""}
    and (spoken.words @@ :said::tsquery or spoken.part = 0 and spoken.parts > 0 and (
      select bool_and((
        select true from call_words as piece
        where piece.workspace_id = :workspaceId::uuid and piece.call_id = scanned.id and piece.channel = spoken.channel
          and piece.words @@ term limit 1
      ) is true) from unnest(:saidTerms::tsquery[]) as asked (term)
    )) limit 1
)`;

const callExists = `(
  select true from call where call.workspace_id = :workspaceId::uuid and call.id = scanned.id limit 1
)`;

/** Which remaining filters the statement has to check. */
interface RemainingFilters {
  readonly columns: boolean;
  readonly phone: boolean;
  readonly review: boolean;
  readonly entries: "none" | "one" | "several";
  /** `index`: the index of words has decided it. */
  readonly said: "none" | "index" | "any" | "side";
}

const nameOf = ({ columns, entries, phone, review, said }: RemainingFilters) =>
  `${columns ? "-columns" : ""}-${entries}${phone ? "-phone" : ""}${review ? "-review" : ""}${said === "none" ? "" : `-said-${said}`}`;

/** Condition on `scanned`: the filters that the scan has not checked. */
function conditionsOf({ columns, entries, phone, review, said }: RemainingFilters, table: string): string {
  const lookedUp = `(select ${columnConditions} from call where workspace_id = :workspaceId::uuid and id = scanned.id limit 1)`;
  const wanted = [
    ...(columns ? [table === "call" ? "wanted" : lookedUp] : []),
    // Reviews outlive their calls.
    ...(table === "review" && !columns ? [callExists] : []),
    ...(entries === "none" ? [] : [entries === "one" ? hasEntry : hasEntries]),
    ...(phone ? [hasPhone] : []),
    ...(review ? [hasReview] : []),
    ...(said === "any" || said === "side" ? [hasSaid(said === "side")] : []),
  ];
  return wanted.length > 0 ? wanted.join(" and ") : "true";
}

/**
 * Scans at most :scanLimit entries of each prefix, newest first, and returns the first :page ids that match. `edge` is the last id
 * up to which the scan is complete, or null at the end of the index.
 */
function scanStatement(source: keyof typeof sources, remaining: RemainingFilters): Statement {
  const { prefixes, table, id, condition } = sources[source];
  const ofCall = remaining.columns && table === "call" ? `, ${columnConditions} as wanted` : "";
  const wanted = conditionsOf(remaining, table);
  return statement(
    `scan-${source}${nameOf(remaining)}`,
    `with met as materialized (
      select step.* from ${prefixes} cross join lateral (
        select entry.*, row_number() over (order by entry.id desc) as number from (
          select ${id} as id${ofCall} from ${table}
          where workspace_id = :workspaceId::uuid and ${condition} and ${id} < :below::uuid and ${id} >= :floor::uuid
          order by ${id} desc limit :scanLimit
        ) as entry
      ) as step
    ), edge as materialized (
      select id from met where number = :scanLimit order by id desc limit 1
    ), scanned as materialized (
      select distinct on (id) * from met
      where id >= coalesce((select id from edge), '00000000-0000-0000-0000-000000000000') order by id desc
    )
    select (select id from edge) as edge,
      array(select id from scanned where ${wanted} limit :page) as ids`,
  );
}

/**
 * Reads the index of words slice by slice, newest first, until it has :most entries, and returns the first :page ids that
 * match in the slices that were read completely.
 */
function wordsStatement(remaining: RemainingFilters): Statement {
  return statement(
    `scan-words${nameOf(remaining)}`,
    `with found as materialized (
      select slice.number, spoken.id
      from unnest(:floors::uuid[], :belows::uuid[]) with ordinality as slice (floor, below, number)
        cross join lateral said_calls(:every::tsquery, :query::tsquery, slice.floor, slice.below, :most::integer) as spoken (id)
      limit :most::integer
    ), read as materialized (
      select count(*)::integer as entries,
        (case when count(*) < :most::integer then cardinality(:floors::uuid[]) else max(number) - 1 end)::integer as slices
      from found
    ), scanned as materialized (
      select distinct id from found where number <= (select slices from read) and id is not null order by id desc
    )
    select (select entries from read) as entries, (select slices from read) as slices,
      array(select id from scanned where ${conditionsOf(remaining, "call_words")} limit :page) as ids`,
  );
}

const scanStatements = new Map<string, Statement>();

function remainingOf(rest: CallFilters): RemainingFilters {
  const keys = rest.metadata.size;
  return {
    columns: filtersColumns(rest),
    phone: rest.phone !== null,
    review: rest.review !== null,
    entries: keys === 0 ? "none" : keys === 1 ? "one" : "several",
    said: rest.said === null ? "none" : rest.said.side === null ? "any" : "side",
  };
}

/** The statement that reads the index of words and checks the other filters. */
export function wordsScanFor(filters: CallFilters): Statement {
  const remaining = remainingOf(filters);
  const given: RemainingFilters = filters.said?.indexed ? { ...remaining, said: "index" } : remaining;
  const key = `words${nameOf(given)}`;
  const known = scanStatements.get(key) ?? wordsStatement(given);
  scanStatements.set(key, known);
  return known;
}

function indexScan(
  source: keyof typeof sources,
  rest: CallFilters,
  values: { prefixes?: readonly unknown[] } & Record<string, unknown> = {},
): IndexScan {
  const remaining = remainingOf(rest);
  const key = `${source}${nameOf(remaining)}`;
  const known = scanStatements.get(key) ?? scanStatement(source, remaining);
  scanStatements.set(key, known);
  return { source, statement: known, values, prefixes: values.prefixes?.length ?? 1, rest };
}

/** The reviews that match, in the order of their calls. The filter is checked again: a call can have several reviews. */
function reviewScan(filters: CallFilters, { reviewerIds, reviewerId, outcomes }: ReviewFilter): IndexScan {
  const reviewers = reviewerId ? [reviewerId] : reviewerIds;
  if (reviewers) return indexScan("reviewer", filters, { prefixes: reviewers });
  return outcomes ? indexScan("outcome", filters, { prefixes: outcomes }) : indexScan("reviewed", filters);
}

/** All index scans that can serve the filters, most selective first. Never empty. */
export function indexScansFor(filters: CallFilters): IndexScan[] {
  const { campaignIds, agentIds, statuses, minDurationMs, maxDurationMs } = filters;
  if (filters.confined === "agent" && agentIds) {
    return [indexScan("agent", { ...filters, agentIds: null }, { prefixes: agentIds })];
  }
  if (filters.confined === "campaigns" && campaignIds) {
    return [indexScan("campaign", { ...filters, campaignIds: null }, { prefixes: campaignIds })];
  }
  const scans = [...filters.metadata].map(([key, values]) => {
    const others = new Map([...filters.metadata].filter(([other]) => other !== key));
    return indexScan("metadata", { ...filters, metadata: others }, { key, prefixes: values });
  });
  if (filters.phoneNumbers) {
    scans.push(indexScan("phone", { ...filters, phone: null }, { prefixes: filters.phoneNumbers }));
  }
  if (filters.review?.reviewed) scans.push(reviewScan(filters, filters.review));
  if (minDurationMs !== null && minDurationMs >= longMs) scans.push(indexScan("long", filters));
  if (maxDurationMs !== null && maxDurationMs <= shortMs) scans.push(indexScan("short", filters));
  if (statuses && !statuses.includes("ready")) {
    scans.push(indexScan("unsettled", { ...filters, statuses: null }, { prefixes: statuses }));
  }
  if (agentIds) scans.push(indexScan("agent", { ...filters, agentIds: null }, { prefixes: agentIds }));
  if (campaignIds) scans.push(indexScan("campaign", { ...filters, campaignIds: null }, { prefixes: campaignIds }));
  const days = importDays(filters);
  if (days) {
    scans.push(
      indexScan("import-day", filters, {
        prefixes: days.map(({ day }) => day),
        belows: days.map(({ below }) => below),
      }),
    );
  }
  return scans.length > 0 ? scans : [indexScan("all", filters)];
}

/** Parameters for the remaining filters. */
export function filterValues(filters: CallFilters): Record<string, unknown> {
  const { metadata, phone, review, said } = filters;
  const asked = [...metadata].flatMap(([key, values]) => values.map((value) => ({ key, value })));
  return {
    ...columnValues(filters),
    keyCount: metadata.size,
    keys: asked.map(({ key }) => key),
    values: asked.map(({ value }) => value),
    phoneFrom: phone?.from ?? null,
    phoneTo: phone?.to ?? null,
    reviewed: review?.reviewed ?? null,
    ownReviewer: review?.reviewerId ?? null,
    ownAgent: review?.agentId ?? null,
    blindUser: review?.userId ?? null,
    outcomes: review?.outcomes ?? null,
    reviewers: review?.reviewerIds ?? null,
    minScore: review?.minScore ?? null,
    maxScore: review?.maxScore ?? null,
    said: said?.query ?? null,
    saidTerms: said?.terms ?? null,
    saidBy: said?.side ?? null,
  };
}

/** True if the index covers all filters, so every id it supplies matches. */
export const coversAllFilters = ({ rest }: IndexScan) =>
  !filtersColumns(rest) &&
  rest.metadata.size === 0 &&
  rest.phone === null &&
  rest.review === null &&
  rest.said === null;
