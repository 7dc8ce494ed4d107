import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { AppError } from "../errors.ts";
import { type ConsoleFile, chooseEncoding, readConsoleFiles } from "./console-files.ts";
import { firstTags, readFirst } from "./console-first.ts";
import { consoleHeaders, filePolicy, pagePolicy } from "./console-headers.ts";
import type { Api } from "./server.ts";

const built = join(import.meta.dirname, "../../../../console/dist/site");
const publicRoute = { config: { access: "public" as const }, schema: { hide: true } };
/** Paths of pages have none: their parts are words and ids. */
const looksLikeFile = /\.[a-z0-9]{1,11}$/i;
const notBuilt = `The console is not built. In the clone: npm run build --workspace console
Then start the API again. "npm run dev" starts a console of its own and prints its address.
`;

/**
 * The console at /console/. Its files are read once, now: a request picks one of them by name and never touches the
 * file system. Every address that names no file is the page, which finds out by itself what to show.
 */
export async function consoleRoutes(api: Api, app: App, folder = built): Promise<void> {
  const [site, first] = [await readConsoleFiles(folder), await readFirst(folder)];
  const headers = consoleHeaders({ secure: app.config.publicUrl.startsWith("https:") });

  api.get("/", publicRoute, async (_request, reply) => reply.redirect(site ? "/console/" : "/docs/"));
  await api.register(async (scope) => {
    scope.addHook("onRequest", async (_request, reply) => {
      reply.headers(headers).header("content-security-policy", filePolicy).header("cache-control", "no-store");
    });
    scope.get("/console", publicRoute, async (_request, reply) => reply.redirect("/console/"));
    scope.get("/console/*", publicRoute, async (request, reply) => {
      const path = (request.params as { "*": string })["*"];
      const file = site?.files.get(path);
      if (file) return sendFile(request, reply, file);
      if (looksLikeFile.test(path)) throw new AppError("not_found", "The console has no such file.");
      if (!site) return reply.code(503).type("text/plain; charset=utf-8").send(notBuilt);
      const nonce = randomBytes(18).toString("base64");
      const tags = firstTags(first, path, request.headers["accept-language"]);
      return reply
        .header("content-security-policy", pagePolicy(nonce))
        .type("text/html; charset=utf-8")
        .send(site.page.replaceAll("__NONCE__", nonce).replace("</head>", () => `${tags}</head>`));
    });
  });
}

function sendFile({ headers }: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  const encoding = chooseEncoding(file, headers["accept-encoding"]);
  const etag = `"${file.etag}${encoding ? `-${encoding}` : ""}"`;
  reply
    .header("cache-control", file.hashed ? "public, max-age=31536000, immutable" : "public, max-age=3600")
    .header("vary", "accept-encoding")
    .header("etag", etag);
  const known = (headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (known.includes(etag)) return reply.code(304).send();
  if (encoding) reply.header("content-encoding", encoding);
  return reply.type(file.type).send((encoding && file.encoded[encoding]) ?? file.body);
}
