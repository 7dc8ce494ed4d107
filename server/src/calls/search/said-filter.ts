import type { SearchCallsQuery } from "@hearback/contract";
import type { Db } from "../../platform/database/database.ts";
import { preparedStatement } from "../../platform/database/prepared-statement.ts";
import type { IdRange } from "./id-range.ts";
import { termsOfSaid } from "./words-of-text.ts";

/** What was said, as PostgreSQL's tsqueries. */
export interface SaidFilter {
  /** Every word, and the pairs of words in phrases: the index answers it alone. Empty: nothing can match. */
  readonly every: string;
  /** Words and phrases. */
  readonly query: string;
  /** Each word or phrase by itself: in a long call, they are in different rows. */
  readonly terms: readonly string[];
  /** True if a call matches whenever the index has found it. */
  readonly indexed: boolean;
  readonly side: NonNullable<SearchCallsQuery["said_by"]> | null;
  /** Where the workspace's calls are. Null: none are in the range, or the caller does not see all. */
  readonly extent: CallsExtent | null;
}

export interface CallsExtent {
  readonly newest: string;
  /** The call after the newest ones (`firstCalls`). Null: there are not as many. */
  readonly later: string | null;
  readonly oldest: string;
}

/** Calls that a search of the index of words reads first. */
const firstCalls = 200;

export interface Said {
  readonly filter: SaidFilter;
  /** Words of earlier calls are not searched (searchable_months). */
  readonly since: Date | undefined;
}

export interface SaidQuery extends Pick<SearchCallsQuery, "said" | "said_by"> {
  /** Null: without an extent. */
  readonly range: IdRange | null;
}

interface Row {
  readonly number: number;
  readonly query: string;
  /** Lexemes of the pairs of words in a phrase (said_pairs). */
  readonly pairs: readonly string[];
  readonly since: Date | null;
  readonly newest: string | null;
  readonly later: string | null;
  readonly oldest: string | null;
}

const anyOf = (queries: readonly string[]) => `(${[...new Set(queries)].map((query) => `(${query})`).join(" | ")})`;
const allOf = (queries: readonly string[]) => queries.join(" & ");

/** The words have letters and digits only, so an operator is one of a phrase. */
const isPhrase = (query: string) => query.includes("<");

/** Pairs are rarer than their words, so that the index reads less for them. */
const indexedQuery = ({ query, pairs }: Row) =>
  pairs.length > 0 ? pairs.map((pair) => `'${pair}'`).join(" & ") : query.replaceAll(/<(-|\d+)>/g, "&");

/**
 * Reads what is searched for in all languages that the workspace's calls were indexed in. One statement, because each takes
 * longer to arrive than to run.
 */
export async function readSaid(tx: Db, workspaceId: string, { said, said_by, range }: SaidQuery): Promise<Said | null> {
  if (said === undefined) return null;
  const asked = termsOfSaid(said);
  const [below, floor] = [range?.below ?? null, range?.floor ?? null];
  const rows = await preparedStatement<Row>(tx, "read-said")`
    with call_extent as materialized (
      select (
        select id from call where workspace_id = ${workspaceId}::uuid and id < ${below}::uuid and id >= ${floor}::uuid
        order by id desc limit 1
      ) as newest, (
        select id from call where workspace_id = ${workspaceId}::uuid and id < ${below}::uuid and id >= ${floor}::uuid
        order by id desc offset ${firstCalls}::integer limit 1
      ) as later, (
        select id from call where workspace_id = ${workspaceId}::uuid and id < ${below}::uuid and id >= ${floor}::uuid
        order by id limit 1
      ) as oldest
    )
    select asked.number::integer as number, (
        now() - (nullif(workspace.settings ->> 'searchable_months', '') || ' months')::interval
      ) as since, phraseto_tsquery(('said_' || words_language.language)::regconfig, asked.term)::text as query,
      said_pairs(to_tsvector(('said_' || words_language.language)::regconfig, asked.term)) as pairs,
      call_extent.newest, call_extent.later, call_extent.oldest
    from call_extent cross join workspace join words_language on words_language.workspace_id = workspace.id
      cross join unnest(${asked.map((words) => words.join(" "))}::text[]) with ordinality as asked (term, number)
    where workspace.id = ${workspaceId}::uuid order by asked.number, words_language.language`;
  const byTerm = Map.groupBy(
    rows.filter(({ query }) => query !== ""),
    ({ number }) => number,
  );
  const terms = [...byTerm.values()];
  const { newest = null, later = null, oldest = null } = rows[0] ?? {};
  const queries = terms.map((languages) => anyOf(languages.map(({ query }) => query)));
  return {
    filter: {
      extent: newest && oldest ? { newest, later, oldest } : null,
      every: allOf(terms.map((languages) => anyOf(languages.map(indexedQuery)))),
      query: allOf(queries),
      terms: queries,
      indexed: said_by === undefined && !queries.some(isPhrase),
      side: said_by ?? null,
    },
    since: rows[0]?.since ?? undefined,
  };
}
