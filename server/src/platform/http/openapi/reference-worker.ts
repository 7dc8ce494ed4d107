// Worker thread: renders and compresses the API reference, sends it to the parent and exits.
import { parentPort } from "node:worker_threads";
import scalar from "@scalar/fastify-api-reference";
import Fastify from "fastify";
import { etagOf, makeStaticBody } from "../body/static-body.ts";

const configuration = {
  url: "/openapi.json",
  title: "Hearback",
  // Disable features that use the vendor's services.
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
} as const;

async function render(path: string, cdn?: string): Promise<Buffer> {
  const docs = Fastify();
  await docs.register(scalar, { routePrefix: "/docs", configuration: { ...configuration, ...(cdn && { cdn }) } });
  const { statusCode, rawPayload } = await docs.inject(path);
  if (statusCode !== 200) throw new Error(`the API reference returned ${statusCode} for ${path}`);
  return rawPayload;
}

const code = await render("/docs/js/scalar.js");
// The URL contains a content hash, so that browsers can cache it indefinitely.
const html = await render("/docs/", `js/scalar.js?v=${etagOf(code)}`);
const [page, script] = await Promise.all([
  makeStaticBody("text/html; charset=utf-8", html),
  makeStaticBody("text/javascript; charset=utf-8", code),
]);
parentPort?.postMessage({ page, script });
