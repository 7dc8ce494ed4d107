import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from "fastify";
import { type AppError, methodNotAllowed } from "../errors.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** The error 405 if the path of the request exists, but only with other methods. */
    wrongMethod: (request: FastifyRequest) => AppError | undefined;
  }
}

type Api = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger>;

interface Path {
  readonly matches: RegExp;
  readonly methods: Set<string>;
}

/** Collects the methods of every path that is registered from now on. */
export function indexMethods(api: Api): void {
  const paths = new Map<string, Path>();
  api.addHook("onRoute", ({ url, method }) => {
    const path = paths.get(url) ?? { matches: patternOf(url), methods: new Set<string>() };
    paths.set(url, path);
    for (const each of [method].flat()) path.methods.add(each);
  });
  api.decorate("wrongMethod", (request) => {
    const [sent = ""] = request.url.split("?");
    // GET /users/invite matches the route GET /users/:id, but means POST /users/invite.
    const same = paths.get(sent);
    if (!request.is404 && (!same || request.routeOptions.url === sent)) return undefined;
    const matching = same ? [same] : [...paths.values()].filter(({ matches }) => matches.test(sent));
    const allowed = [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
    return allowed.length > 0 ? methodNotAllowed(request.method, allowed) : undefined;
  });
}

/** Parameters match one segment, and a wildcard everything. */
function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, "[^/]+").replaceAll("*", ".*")}$`);
}
