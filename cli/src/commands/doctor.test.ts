import { afterAll, expect, test } from "vitest";
import { makeFolder, runCommand } from "../testing/run-command.ts";
import { forbidden, openStubService, problem } from "../testing/stub-service.ts";

const services: Awaited<ReturnType<typeof openStubService>>[] = [];
afterAll(() => Promise.all(services.map((service) => service.close())));
async function startService(...args: Parameters<typeof openStubService>) {
  const service = await openStubService(...args);
  services.push(service);
  return service;
}

interface Report {
  readonly ok: boolean;
  readonly checks: readonly { name: string; state: string; detail: string; fix: string | null }[];
}

async function examine(env: Readonly<Record<string, string>>, ...args: string[]) {
  const { code, stdout } = await runCommand(["doctor", "--json", ...args], { env });
  const report = JSON.parse(stdout) as Report;
  return { code, report, states: Object.fromEntries(report.checks.map(({ name, state }) => [name, state])) };
}

test("reports no problem for a working setup", async () => {
  const service = await startService({
    "GET /campaigns/support-fr": () => ({ body: { id: "support-fr", archived: false, archived_at: null } }),
  });
  const { code, stdout } = await runCommand(["doctor", "--campaign", "support-fr"], { env: service.env });
  expect(code).toBe(0);
  expect(stdout.split("\n").filter((line) => /^[✗!]/.test(line))).toEqual([]);
  for (const name of ["node", "settings", "connection", "service", "clock", "key", "limits", "campaign"])
    expect(stdout).toContain(`✓ ${name}: `);
  expect(stdout).not.toContain("kkkk");
});

test("stops at the first failure that the other checks depend on", async () => {
  const { code, states } = await examine({ HOME: await makeFolder() });
  expect([code, states]).toEqual([1, { node: "good", settings: "bad" }]);
  const away = await examine({ HEARBACK_URL: "http://127.0.0.1:9", HEARBACK_API_KEY: "hb_c0_key12345" });
  expect([away.code, away.states]).toEqual([1, { node: "good", settings: "good", connection: "bad" }]);
});

test.each<[string, Parameters<typeof openStubService>[0], string[], string, string]>([
  [
    "a service without a database",
    { "GET /readyz": () => ({ status: 503, body: { status: "waiting", reason: "database_unavailable" } }) },
    [],
    "service",
    "bad",
  ],
  ["another server at the address", { "GET /readyz": () => ({ body: "<html>" }) }, [], "service", "bad"],
  [
    "a wrong clock",
    { "GET /readyz": () => ({ body: { status: "ready" }, headers: { date: "Sun, 15 Nov 2020 08:00:00 GMT" } }) },
    [],
    "clock",
    "warning",
  ],
  ["a key without the import scope", { "POST /calls/audio": forbidden }, [], "key", "warning"],
  ["no campaigns", { "GET /campaigns": () => ({ body: { campaigns: [], next: null } }) }, [], "campaigns", "warning"],
  [
    "an unknown campaign",
    { "GET /campaigns/x": () => problem(404, "campaign_not_found", "There is no campaign x.") },
    ["--campaign", "x"],
    "campaign",
    "bad",
  ],
  [
    "an archived campaign",
    { "GET /campaigns/x": () => ({ body: { id: "x", archived: true, archived_at: "2026-01-01T00:00:00Z" } }) },
    ["--campaign", "x"],
    "campaign",
    "bad",
  ],
  ["a missing folder", {}, ["--recordings", "/nowhere"], "recordings", "bad"],
])("detects %s", async (_, answers, args, name, state) => {
  const service = await startService(answers);
  const { code, report, states } = await examine(service.env, ...args);
  expect(states[name]).toBe(state);
  expect(report.ok).toBe(state !== "bad");
  expect(code).toBe(state === "bad" ? 1 : 0);
});

test("detects a rejected key", async () => {
  const service = await startService();
  const { report } = await examine({ ...service.env, HEARBACK_API_KEY: `hb_c0_${"z".repeat(49)}` });
  expect(report.checks.at(-1)).toMatchObject({
    name: "key",
    state: "bad",
    fix: expect.stringContaining("Create an API key"),
  });
});
