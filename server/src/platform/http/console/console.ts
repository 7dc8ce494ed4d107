import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { notFound } from "../../errors.ts";
import { immutable, sendStatic } from "../body/static-body.ts";
import type { Api } from "../server.ts";
import { readConsoleFiles } from "./console-files.ts";
import { consoleHeaders, filePolicy, pagePolicy } from "./console-headers.ts";
import { preloadTags, readPreload } from "./console-preload.ts";

const built = join(import.meta.dirname, "../../../../../console/dist/site");
const publicRoute = { config: { access: "public" as const } };
/** Matches file extensions. Page paths have none. */
const looksLikeFile = /\.[a-z0-9]{1,11}$/i;
const notBuilt = `The console is not built. Run "npm run build --workspace console" and restart the API.
For development, "npm run dev" starts a separate console and prints its address.
`;

/**
 * Serves the console at /console/. All files are loaded into memory at startup, so requests never access the file
 * system. Every path without a file extension returns the page, which does its own routing.
 */
export async function consoleRoutes(api: Api, folder = built): Promise<void> {
  const [site, preload] = [await readConsoleFiles(folder), await readPreload(folder)];

  api.get("/", publicRoute, async (_request, reply) => reply.redirect(site ? "/console/" : "/docs/"));
  await api.register(async (scope) => {
    scope.addHook("onRequest", async (_request, reply) => {
      reply.headers(consoleHeaders).header("content-security-policy", filePolicy).header("cache-control", "no-store");
    });
    scope.get("/console", publicRoute, async (_request, reply) => reply.redirect("/console/"));
    scope.get("/console/*", publicRoute, async (request, reply) => {
      const path = (request.params as { "*": string })["*"];
      const file = site?.files.get(path);
      if (file) return sendStatic(request, reply, file, file.hashed ? immutable : "public, max-age=3600");
      if (looksLikeFile.test(path)) throw notFound.withDetail("This file does not exist in the console.");
      if (!site) return reply.code(503).type("text/plain; charset=utf-8").send(notBuilt);
      const nonce = randomBytes(18).toString("base64");
      const tags = preloadTags(preload, path, request.headers["accept-language"]);
      return reply
        .header("content-security-policy", pagePolicy(nonce))
        .type("text/html; charset=utf-8")
        .send(site.page.replaceAll("__NONCE__", nonce).replace("</head>", () => `${tags}</head>`));
    });
  });
}
