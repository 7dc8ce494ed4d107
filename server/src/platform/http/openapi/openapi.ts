import { errorCodes, WebhookPayload } from "@hearback/contract";
import { z } from "zod";
import type { Route } from "../route.ts";
import { impliedErrors } from "./implied-errors.ts";
import {
  type Components,
  header,
  headers,
  type Json,
  openComponents,
  type Parameter,
  pascalCase,
} from "./openapi-components.ts";

/** The order of the tags in the document, with their descriptions. */
const tags = [
  { name: "Calls", description: "Import calls, search them, play them and change them." },
  { name: "Transcripts", description: "What was said in calls." },
  { name: "Users", description: "Agents, reviewers, supervisors and administrators." },
  { name: "Teams", description: "Groups of agents." },
  { name: "Campaigns", description: "Groups of calls with their own settings." },
  { name: "Scorecards", description: "The forms with which calls are reviewed." },
  { name: "Reviews", description: "What reviewers say about calls: answers, scores, release and acknowledgement." },
  {
    name: "Calibration",
    description: "Sessions in which reviewers score the same calls, and how far reviewers agree.",
  },
  { name: "Disputes", description: "Objections of agents to their reviews, and the decisions on them." },
  { name: "Plans", description: "Draws of calls for review that anyone can check." },
  { name: "Assignments", description: "Drawn calls on the queues of reviewers." },
  { name: "Scores", description: "Sums of released reviews, with intervals." },
  { name: "Events", description: "What happened in the workspace, in a stable order." },
  { name: "Webhooks", description: "Events sent to your URL as signed requests." },
  { name: "Keys", description: "API keys of the workspace." },
  { name: "Workspace", description: "The workspace and its settings." },
  { name: "Limits", description: "Rate limits and quotas." },
  { name: "Privacy", description: "Erasures and legal holds." },
  { name: "Audit", description: "The audit log." },
  { name: "Session", description: "Signing in, sessions and second factors, for browsers." },
];

/** Generates the OpenAPI document of the routes. */
export function buildOpenApi(routes: readonly Route[], version: string): Json {
  const components = openComponents();
  const paths: Record<string, Record<string, unknown>> = {};
  const rank = ({ tag }: Route) => tags.findIndex(({ name }) => name === tag);
  const queries = routes.flatMap((route) => queryParameters(route, components).map((each) => JSON.stringify(each)));
  const repeated = new Set(queries.filter((each, index) => queries.indexOf(each) !== index));
  // Stable: within a tag, the order of registration.
  for (const route of [...routes].sort((a, b) => rank(a) - rank(b))) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route, components, repeated) };
  }
  const webhooks = Object.fromEntries(
    WebhookPayload.options.map((payload) => {
      const type = [...payload.shape.type.values][0] as string;
      return [type, { post: toWebhook(type, payload, components) }];
    }),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Hearback",
      version,
      description:
        "Call quality management: import recorded calls, store them safely, search them and listen to them. Every response to an authenticated request has the headers `RateLimit-Policy` and `RateLimit`.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ key: [] }, { session: [] }],
    tags: tags.filter(({ name }) => routes.some(({ tag }) => tag === name)),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "x-api-key" },
        session: { type: "apiKey", in: "cookie", name: "__Host-hearback", description: "Set by POST /session." },
      },
      headers,
      ...components.all(),
    },
  };
}

function toOperation(route: Route, components: Components, repeated: ReadonlySet<string>): Json {
  const { access, body, form } = route;
  const query = queryParameters(route, components).map((parameter) =>
    repeated.has(JSON.stringify(parameter)) ? components.parameter(parameter, route.tag) : parameter,
  );
  const parameters = [
    ...pathParameters(route, components),
    ...query,
    ...(route.ifMatch ? [components.parameter(ifMatchParameter, "If")] : []),
  ];
  const input = form ?? body;
  return {
    operationId: route.id,
    summary: route.summary,
    description: route.description,
    tags: [route.tag],
    ...(access === "public" && { security: [] }),
    ...(access === "session" && { security: [{ session: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(input && {
      requestBody: {
        required: !(input instanceof z.ZodOptional),
        content: {
          [form ? "multipart/form-data" : "application/json"]: {
            schema: components.schema(input instanceof z.ZodOptional ? input.unwrap() : input, "input"),
          },
        },
      },
    }),
    responses: { ...successResponses(route, components), ...errorResponses(route, components) },
  };
}

const ifMatchParameter = {
  name: "If-Match",
  in: "header",
  description:
    "The `draft_number` that you loaded. If it has another number now, nothing changes (412). Without the header, the draft is changed whatever its number is.",
  schema: { type: "string" },
  example: '"4"',
};

const pathParameters = ({ path, params = {}, tag }: Route, components: Components) =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => {
    const schema = params[name] ? components.schema(params[name], "input") : { type: "string", format: "uuid" };
    return components.parameter({ name, in: "path", required: true, schema }, tag);
  });

function queryParameters({ query }: Route, components: Components): Parameter[] {
  if (!query) return [];
  const { properties = {}, required = [] } = components.schema(query, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    ...(required.includes(name) && { required: true }),
    ...(description !== undefined && { description }),
    // name[key]=value
    ...(schema.type === "object" && { style: "deepObject", explode: true }),
    schema,
  }));
}

const successResponses = ({ answers }: Route, components: Components): Json =>
  Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      if (typeof answer === "string") return [status, { description: answer }];
      if (isBody(answer)) {
        const [body, description, files = []] = answer;
        const json = { "application/json": { schema: components.schema(body, "output") } };
        return [status, { description, content: { ...json, ...contentOf(files) } }];
      }
      const { description, files, location } = answer;
      const content = files && contentOf(files);
      const headers = location && { Location: header(location, "string") };
      return [status, { description, ...(headers && { headers }), ...(content && { content }) }];
    }),
  );

const isBody = (
  answer: Route["answers"][number],
): answer is readonly [z.ZodType, string] | readonly [z.ZodType, string, readonly string[]] => Array.isArray(answer);
const contentOf = (files: readonly string[]): Json =>
  Object.fromEntries(files.map((type) => [type, { schema: fileSchema(type) }]));
const fileSchema = (type: string) =>
  /^text|json/.test(type) ? { type: "string" } : { type: "string", format: "binary" };

/** One response per status; a route may name an error that is also implied. */
function errorResponses(route: Route, components: Components): Json {
  const errors = new Map([...impliedErrors(route), ...(route.errors ?? [])].map((error) => [error.code, error]));
  const byStatus = Object.groupBy(errors.values(), ({ code }) => errorCodes[code].status);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group]) => [status, components.errorResponse(group)]),
  );
}

/** Standard Webhooks headers. */
const webhookHeaders = {
  "webhook-id": "The event's id.",
  "webhook-timestamp": "When this attempt was made, in Unix seconds.",
  "webhook-signature": "Space-separated signatures, each `v1,` and base64.",
};

const toWebhook = (type: string, payload: z.ZodType, components: Components) => ({
  operationId: `receive${pascalCase(type.replace(".", "_"))}`,
  summary: type,
  description: "Sent to your webhook, signed (Standard Webhooks), at least once. See docs/webhooks.md.",
  tags: ["Webhooks"],
  security: [],
  parameters: Object.entries(webhookHeaders).map(([name, description]) =>
    components.parameter({ name, in: "header", required: true, description, schema: { type: "string" } }, "Webhooks"),
  ),
  requestBody: { required: true, content: { "application/json": { schema: components.schema(payload, "output") } } },
  responses: {
    "2XX": components.response(
      "EventReceived",
      "The event is delivered. Respond within the timeout, and process the event afterwards.",
    ),
    "410": components.response("WebhookGone", "The webhook is disabled."),
  },
});
