import type { FastifyContextConfig, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import { z } from "zod";
import type { Caller, SessionCaller } from "../caller.ts";
import type { DocumentedError } from "../errors.ts";
import { jsonObject, parseFields } from "./parse.ts";
import type { Api } from "./server.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** The routes of the OpenAPI document. */
    documentedRoutes: Route[];
  }
}

/** A success response: a JSON body with its description, the description of one without a body, or a file. */
type Answer =
  | readonly [z.ZodType, string]
  // A JSON body that is also served as files of these types.
  | readonly [z.ZodType, string, readonly string[]]
  | string
  | { readonly description: string; readonly files?: readonly string[]; readonly location?: string };

type Access = NonNullable<FastifyContextConfig["access"]>;
type JsonBody = z.ZodObject | z.ZodOptional<z.ZodObject>;

/** Definition of a route: validates its requests, types its handler and documents it in openapi.json. */
export interface Route extends FastifyContextConfig {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** The operation id. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  /** Documents path parameters that are not UUIDs. Operations check them: what does not exist is a 404. */
  readonly params?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodObject;
  /** Replaces `parseFields` for the query. */
  readonly parseQuery?: <Schema extends z.ZodObject>(
    schema: Schema,
    query: Readonly<Record<string, unknown>>,
  ) => z.output<Schema>;
  /** A JSON body. */
  readonly body?: JsonBody;
  /** Documents a multipart form. The handler reads the form, and validates the query together with it. */
  readonly form?: z.ZodObject;
  readonly bodyLimit?: number;
  /** Documents the If-Match header, with which a request names the number of the state that it changes (if-match.ts). */
  readonly ifMatch?: true;
  readonly onRequest?: onRequestAsyncHookHandler;
  /** Success responses by status. The response gets the first status unless the handler sets another. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Errors of the operation itself. Those of access, validation and limits are derived (implied-errors.ts). */
  readonly errors?: readonly DocumentedError[];
  /** false: no HEAD route, because the response is expensive to prepare. */
  readonly exposeHeadRoute?: boolean;
}

type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [Key in Name]: string } & ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { readonly [Key in Name]: string }
    : unknown;

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

type BodyOf<Answers> = {
  [Status in keyof Answers]: Answers[Status] extends readonly [infer Schema extends z.ZodType, string, ...unknown[]]
    ? z.output<Schema>
    : Answers[Status] extends string
      ? // biome-ignore lint/suspicious/noConfusingVoidType: a handler that returns nothing.
        void
      : never;
}[keyof Answers];

type RequestOf<Definition extends Route> = FastifyRequest<{
  Params: ParamsOf<Definition["path"]>;
  Querystring: Definition extends { readonly form: unknown } ? Record<string, unknown> : OutputOf<Definition["query"]>;
  Body: Definition["body"] extends z.ZodOptional<infer Schema> ? OutputOf<Schema> : OutputOf<Definition["body"]>;
}> & { readonly caller: Definition["access"] extends "session" ? SessionCaller : Caller };

type Handler<Definition extends Route> = (
  request: RequestOf<Definition>,
  reply: FastifyReply,
) => Promise<BodyOf<Definition["answers"]> | FastifyReply>;

/** Defines a documented route. `handle` registers it. */
export function route<const Definition extends Route>(api: Api, definition: Definition) {
  const { method, path, query, parseQuery = parseFields, body, form, answers, bodyLimit, onRequest } = definition;
  const status = Number(Object.keys(answers)[0]);
  const isEmpty = typeof answers[status] === "string";
  const bodySchema = body instanceof z.ZodOptional ? body.unwrap() : body;

  function parse(request: FastifyRequest): RequestOf<Definition> {
    if (query && !form) request.query = parseQuery(query, request.query as Record<string, unknown>);
    if (bodySchema) {
      const sent = bodySchema === body ? request.body : (request.body ?? {});
      request.body = parseFields(bodySchema, jsonObject(sent));
    }
    // The schemas have parsed the request to what the type says.
    return request as RequestOf<Definition>;
  }

  return {
    handle(handler: Handler<Definition>): void {
      api.documentedRoutes.push(definition);
      api.route({
        method,
        url: path,
        config: configOf(definition),
        ...(definition.exposeHeadRoute === undefined ? {} : { exposeHeadRoute: definition.exposeHeadRoute }),
        ...(bodyLimit === undefined ? {} : { bodyLimit }),
        ...(onRequest && { onRequest }),
        handler: async (request, reply) => {
          if (request.caller) request.about = { workspaceId: request.caller.workspaceId };
          const parsed = parse(request);
          if (status !== 200) reply.code(status);
          const result = await handler(parsed, reply);
          return isEmpty ? reply.send() : result;
        },
      });
    },
  };
}

function configOf(definition: Route): FastifyContextConfig {
  const { access, roles, beforeTwoStep, campaignKeys, upload, download } = definition;
  return Object.fromEntries(
    Object.entries({ access, roles, beforeTwoStep, campaignKeys, upload, download }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}
