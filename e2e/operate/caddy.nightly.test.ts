// Nightly, and for changes in: deploy/Caddyfile
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { download, waitForCall, withEveryScope } from "../support/http/call-details.ts";
import type { Service } from "../support/http/service.ts";
import { createUser, signIn, testPassword } from "../support/http/users.ts";
import { MB, makeRecording, serviceAt, tryImport } from "../support/recordings/recordings.ts";
import { type ApiProcess, openStack, type Stack } from "../support/stack/stack.ts";
import { type Caddy, startCaddy } from "./support/caddy.ts";

const trusted = getCACertificates();
let stack: Stack;
let api: ApiProcess;
let caddy: Caddy;
/** Through Caddy. */
let service: Service;

beforeAll(async () => {
  stack = await openStack();
  caddy = await startCaddy(async (publicUrl) => {
    api = await stack.startApi({ env: { PUBLIC_URL: publicUrl, TRUSTED_PROXIES: "127.0.0.1/32" } });
    return [api.port];
  });
  setDefaultCACertificates([...trusted, caddy.authority]);
  service = { ...(await withEveryScope(stack, serviceAt(stack, api.port))), baseUrl: caddy.url };
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await caddy?.stop();
  await stack?.stop();
});

test("serves the console with TLS, and redirects http", async () => {
  const page = await fetch(`${caddy.url}/console/`);
  expect(page.status).toBe(200);
  expect(page.headers.get("strict-transport-security")).toMatch(/max-age=\d+/);
  const redirected = await fetch(`${caddy.httpUrl}/console/`, { redirect: "manual" });
  // The port of the test is HTTPS_PORT, which Caddy takes for 443.
  expect([redirected.status, redirected.headers.get("location")]).toEqual([308, "https://localhost/console/"]);
});

test("keeps metrics internal", async () => {
  expect((await fetch(`${caddy.url}/metrics`)).status).toBe(404);
  expect((await fetch(`${api.baseUrl}/metrics`)).status).toBe(200);
});

test("streams imports and audio", async () => {
  const worker = await stack.startWorker();
  const answer = await tryImport(service, makeRecording(20 * MB));
  if (answer instanceof Error) throw answer;
  const { audio } = await waitForCall(service, answer.body.id);
  expect(await download(service, audio?.playback.url ?? "")).toHaveLength(audio?.playback.bytes ?? 0);
  await worker.stop();
});

test("tells the API the address of the client, whatever the client claims", async () => {
  const { email } = await createUser({ ...service, manageKey: service.apiKey }, "agent");
  const statuses: number[] = [];
  for (let n = 0; n < 6; n++) {
    const claimed = { "x-forwarded-for": `10.0.0.${n}`, forwarded: `for=10.0.0.${n}` };
    statuses.push((await signIn(caddy.url, email, "a guess", claimed)).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  const elsewhere = { "x-forwarded-for": "10.0.0.99", origin: caddy.url };
  expect((await signIn(api.baseUrl, email, testPassword, elsewhere)).status).toBe(200);
});
