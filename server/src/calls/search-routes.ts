import {
  CallPageBody,
  CallsFoundBody,
  type Issue,
  LookupCallsBody,
  SearchCallsParameters,
  SearchCallsQuery,
} from "@hearback/contract";
import type { z } from "zod";
import type { App } from "../platform/app.ts";
import { anybody, supervisors } from "../platform/caller.ts";
import { errorAnswers } from "../platform/http/error-answers.ts";
import { jsonObject, parseFields } from "../platform/http/parse.ts";
import type { Api } from "../platform/http/server.ts";
import { happenedAt } from "./call-filters.ts";
import { toCallItem } from "./call-item.ts";
import { lookUpCalls } from "./look-up-calls.ts";
import { searchCalls } from "./search-calls.ts";

/** A thousand fingerprints with room to breathe. */
const lookupBodyBytes = 512 * 1024;

/** The query as it came → its fields: `metadata[KEY]` gathered, and what is not known named as wrong. */
export function readSearch<Schema extends z.ZodObject>(schema: Schema, query: unknown): z.output<Schema> {
  const known = Object.keys(schema.shape);
  const sent = query as Record<string, string | string[]>;
  const fields: Record<string, unknown> = {};
  const metadata: { key: string; value: string }[] = [];
  const wrong: Issue[] = [];
  for (const [name, value] of Object.entries(sent)) {
    const key = /^metadata\[(.*)\]$/s.exec(name)?.[1];
    if (key !== undefined) metadata.push(...[value].flat().map((one) => ({ key, value: one })));
    else if (known.includes(name) && name !== "metadata") fields[name] = value;
    else wrong.push(unknownParameter(name, known));
  }
  if (metadata.length > 0) fields.metadata = metadata;
  return parseFields(schema, fields, { missingCode: "member_missing", alsoWrong: wrong });
}

function unknownParameter(name: string, known: readonly string[]): Issue {
  const part = name.slice(0, 64);
  const names = known.map((one) => (one === "metadata" ? "metadata[KEY]" : one)).join(", ");
  return { part, code: "unknown_parameter", detail: `There is no parameter "${part}" here. There are ${names}.` };
}

/** Finding calls: by what is known of them, or by the recordings one has. */
export function searchRoutes(api: Api, app: App): void {
  const tags = ["Calls"];

  api.get(
    "/calls",
    {
      config: { access: ["read"], roles: anybody, campaignKeys: true },
      schema: {
        ...{ operationId: "searchCalls", summary: "Find calls", tags, querystring: SearchCallsParameters },
        description:
          "The calls that match all of the given filters, newest conversation first. Pass the answer's `next` as `after` for the older ones, until it is null. A page may be short or empty before that, where matches are rare: docs/searching.md says when.",
        response: { 200: CallPageBody.describe("A page of calls."), ...errorAnswers(401, 403, 422, 500, 503) },
      },
    },
    async (request) => {
      const { caller } = request;
      const query = readSearch(SearchCallsQuery, request.query);
      const { calls, next, short, estimate } = await searchCalls(app, caller, query);
      request.about = { workspaceId: caller.workspaceId, calls: calls.length };
      return {
        calls: calls.map(toCallItem),
        next,
        ...(short && next && { searched_to: happenedAt(next).toISOString() }),
        ...(estimate && { estimate }),
      };
    },
  );

  api.post(
    "/calls/lookup",
    {
      bodyLimit: lookupBodyBytes,
      config: { access: ["import", "read"], roles: supervisors, campaignKeys: true },
      schema: {
        ...{ operationId: "lookUpCalls", summary: "Which of these are here already", tags, body: LookupCallsBody },
        description:
          "Says of up to 1,000 recordings whether they were imported, before anything is sent: by SHA-256, conversation time, agent and campaign, as an import would have them.",
        response: {
          200: CallsFoundBody.describe("For each fingerprint, in the order asked, whether its call is here."),
          ...errorAnswers(400, 401, 403, 413, 422, 500, 503),
        },
      },
    },
    async (request) => {
      const { caller } = request;
      const { fingerprints } = parseFields(LookupCallsBody, jsonObject(request.body), {
        missingCode: "member_missing",
      });
      request.about = { workspaceId: caller.workspaceId, fingerprints: fingerprints.length };
      return { calls: await lookUpCalls(app, caller, fingerprints) };
    },
  );
}
