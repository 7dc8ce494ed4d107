import { ifMatchHeader } from "./if-match.ts";
import { type Items, paged } from "./pages.ts";
import { inSnakeCase } from "./snake-case.ts";
import type { RequestOptions, Transport } from "./transport.ts";
import type {
  ScorecardBody,
  ScorecardDetailBody,
  ScorecardLanguage,
  ScorecardPageBody,
  ScorecardTemplate,
  ScorecardVersionBody,
  ScorecardVersionPageBody,
  TestCasesBody,
} from "./wire.ts";

type JsonObject = Readonly<Record<string, unknown>>;

export interface ListScorecards extends RequestOptions {
  /** true: only retired scorecards. false (default): only the others. */
  readonly retired?: boolean | undefined;
  /** Only published scorecards for calls of this campaign. */
  readonly campaignId?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface CreateScorecard extends RequestOptions {
  /** Start from a template, not together with `document`. */
  readonly template?: ScorecardTemplate | undefined;
  readonly language?: ScorecardLanguage | undefined;
  /** A scorecard document. It may be incomplete. */
  readonly document?: JsonObject | undefined;
  readonly name?: string | undefined;
  /** Empty or omitted: all campaigns. */
  readonly campaignIds?: readonly string[] | undefined;
}

export interface ChangeScorecard extends RequestOptions {
  readonly campaignIds?: readonly string[] | undefined;
  /** The users who decide disputes. Empty: all supervisors and administrators. */
  readonly arbiterIds?: readonly string[] | undefined;
  /** true: no new reviews. */
  readonly retired?: boolean | undefined;
}

export interface ChangeDraft extends RequestOptions {
  /** The number of the draft that you loaded. If it has another number now, nothing changes: "draft_changed". */
  readonly ifMatch?: number | undefined;
}

export interface ListScorecardVersions extends RequestOptions {
  readonly limit?: number | undefined;
  readonly cursor?: number | undefined;
}

export function openScorecards(transport: Transport) {
  const list = paged(
    ({ signal, ...query }: ListScorecards) =>
      transport.json<ScorecardPageBody>({ method: "GET", path: "/scorecards", query, signal }),
    ({ scorecards, next }) => ({ items: scorecards, next }),
  );
  return {
    /** Scorecards, newest first. */
    list: (filter: ListScorecards = {}): Items<ScorecardBody> => list.all(filter),
    page: (filter: ListScorecards = {}): Promise<ScorecardPageBody> => list.page(filter),
    find: (id: string, options: RequestOptions = {}): Promise<ScorecardDetailBody> =>
      transport.json({ method: "GET", path: pathOf(id), ...options }),
    /** Creates a scorecard with a draft. */
    create: ({ signal, document, ...scorecard }: CreateScorecard): Promise<ScorecardDetailBody> => {
      // The members of a document keep their names.
      const body = { ...inSnakeCase(scorecard), ...(document && { document }) };
      return transport.json({ method: "POST", path: "/scorecards", body, signal });
    },
    change: (id: string, { signal, ...change }: ChangeScorecard): Promise<ScorecardBody> =>
      transport.json({ method: "PATCH", path: pathOf(id), body: inSnakeCase(change), signal }),
    /** Replaces the draft. The response contains what the linter found. */
    saveDraft: (
      id: string,
      document: JsonObject,
      { ifMatch, signal }: ChangeDraft = {},
    ): Promise<ScorecardDetailBody> =>
      transport.json({
        method: "PUT",
        path: pathOf(id, "/draft"),
        body: { document },
        headers: ifMatchHeader(ifMatch),
        signal,
      }),
    discardDraft: (id: string, { ifMatch, signal }: ChangeDraft = {}): Promise<void> =>
      transport.send({ method: "DELETE", path: pathOf(id, "/draft"), headers: ifMatchHeader(ifMatch), signal }),
    /** Publishes the draft. Throws a ServiceError with code "scorecard_invalid" if the linter finds errors. */
    publish: (id: string, { ifMatch, signal }: ChangeDraft = {}): Promise<ScorecardVersionBody> =>
      transport.json({ method: "POST", path: pathOf(id, "/publish"), headers: ifMatchHeader(ifMatch), signal }),
    /** Decided disputes that are kept as test cases: a file for `hearback scorecards test`. */
    testCases: (id: string, options: RequestOptions = {}): Promise<TestCasesBody> =>
      transport.json({ method: "GET", path: pathOf(id, "/test-cases"), ...options }),
    /** Published versions without their documents, newest first. */
    versionsPage: (id: string, { signal, ...query }: ListScorecardVersions = {}): Promise<ScorecardVersionPageBody> =>
      transport.json({ method: "GET", path: pathOf(id, "/versions"), query, signal }),
    /** A published version with its document. */
    version: (id: string, version: number, options: RequestOptions = {}): Promise<ScorecardVersionBody> =>
      transport.json({ method: "GET", path: pathOf(id, `/versions/${version}`), ...options }),
  };
}
export type Scorecards = ReturnType<typeof openScorecards>;

const pathOf = (id: string, rest = "") => `/scorecards/${encodeURIComponent(id)}${rest}`;
