import { expect, test } from "vitest";
import { operator } from "../platform/actor.ts";
import { aForm } from "../testing/forms.ts";
import { aRecording } from "../testing/sounds.ts";
import { openTestApp } from "../testing/test-app.ts";
import { recountWorkspaces } from "./recount-usage.ts";
import { setKeyLimits, setWorkspaceLimits } from "./set-limits.ts";

const { app, api, caller, campaignId, agentEmail, key, restrictedKey, admin, storedFiles } = await openTestApp({
  LIMIT_KEY_REQUESTS_PER_SECOND: "5",
  LIMIT_WORKSPACE_REQUESTS_PER_SECOND: "400",
  LIMIT_WORKSPACE_IMPORTS_PER_SECOND: "200",
});
const { workspaceId } = caller;

const ask = (apiKey: string, method: "GET" | "POST" = "GET", url = "/limits") =>
  api.inject({ method, url, headers: { "x-api-key": apiKey } });

function importOne(apiKey: string, seed: number) {
  const { headers, payload } = aForm(
    ["campaign_id", campaignId],
    ["agent_email", agentEmail],
    ["conversation_timestamp", "1714557600"],
    ["file", aRecording({ seed })],
  );
  return api.inject({ method: "POST", url: "/calls/audio", headers: { ...headers, "x-api-key": apiKey }, payload });
}

test("a key restricted to campaigns does not see the workspace's usage without a quota", async () => {
  const { workspace } = (await ask(await restrictedKey(campaignId))).json();
  expect([workspace.calls_per_day.used, workspace.stored_bytes.used]).toEqual([null, null]);
});

test.each(["import", "read", "manage"] as const)("returns the limits of a key with the scope %s", async (scope) => {
  const answer = await ask(await key(scope));
  expect(answer.statusCode).toBe(200);
  const body = answer.json();
  expect(body.key).toEqual({
    requests_per_second: { limit: 5, remaining: 4 },
    uploads_at_once: { limit: 100, used: 0 },
    downloads_at_once: { limit: 50, used: 0 },
  });
  expect(body.workspace).toMatchObject({
    imports_per_second: { limit: 200, remaining: 200 },
    calls_per_day: { limit: null, used: 0 },
    stored_bytes: { limit: null, used: 0 },
  });
  expect(body.interface).toMatchObject({ recording_bytes: 512 * 1024 * 1024, metadata_entries: 100, page_size: 500 });
});

test("over the rate: 429 with code, Retry-After and RateLimit headers, without side effects", async () => {
  const apiKey = await key("import");
  const before = await storedFiles();
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => importOne(apiKey, 100 + n)));
  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  expect(await storedFiles()).toHaveLength(before.length + 5);
  for (const { headers, json } of refused) {
    expect(json()).toMatchObject({ type: "/errors/rate_exceeded", code: "rate_exceeded", limit: "key_requests" });
    expect(json().detail).toContain("5 requests per second");
    expect(headers).toMatchObject({ "retry-after": "1", "content-type": expect.stringContaining("problem+json") });
    expect(headers["ratelimit-policy"]).toMatch(/^"key_requests";q=5;w=1, "workspace_requests";q=400;w=1, /);
    expect(headers.ratelimit).toMatch(/^"key_requests";r=0;t=1, "workspace_requests";r=\d+;t=1, /);
  }
});

test("runs before the scope check, and every response to a valid key has the headers", async () => {
  const apiKey = await key("read");
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask(apiKey, "POST", "/webhooks")));
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([403, 403, 403, 403, 403, 429]);
  for (const { headers } of answers) expect(headers).toHaveProperty("ratelimit");
  const unknown = await ask("hb_c0_x");
  expect([unknown.statusCode, unknown.headers.ratelimit]).toEqual([401, undefined]);
});

test("a quota counts new calls, is freed by deletions, and is corrected by a recount", async () => {
  const apiKey = await key("import");
  const quotaOf = async () => (await ask(await key("read"))).json().workspace;
  const storedUsage = async () =>
    (await admin.query("select calls::int, bytes::int, day_calls::int from workspace_usage")).rows;
  // Counted even without a quota, with a delay of up to one second.
  await expect.poll(storedUsage, { timeout: 5_000 }).toMatchObject([{ calls: 5 }]);
  const { usage } = await setWorkspaceLimits(app, operator, workspaceId, { callsPerDay: 100_000, storedBytes: 1e9 });
  const size = aRecording().length;
  await importOne(apiKey, 500);
  await importOne(apiKey, 500);
  await importOne(apiKey, 501);
  const before = { calls: usage?.calls ?? 0, bytes: usage?.bytes ?? 0 };
  expect(before).toEqual({ calls: 5, bytes: 5 * size });
  await expect.poll(quotaOf).toMatchObject({ calls_per_day: { used: 7 }, stored_bytes: { used: 7 * size } });

  await expect.poll(storedUsage, { timeout: 5_000 }).toEqual([{ calls: 7, bytes: 7 * size, day_calls: 7 }]);
  await admin.query("delete from call_metadata");
  await admin.query("delete from call where id in (select id from call limit 2)");
  expect(await storedUsage()).toEqual([{ calls: 5, bytes: 5 * size, day_calls: 7 }]);

  await admin.query("update workspace_usage set calls = 1, bytes = 1, day_calls = 1");
  await recountWorkspaces(app);
  expect(await storedUsage()).toEqual([{ calls: 5, bytes: 5 * size, day_calls: 5 }]);
});

test("finished and failed uploads free their slots", async () => {
  const apiKey = await key("import", "read");
  const { rows } = await admin.query("select id from api_key order by created_at desc limit 1");
  await setKeyLimits(app, operator, { workspaceId, keyId: rows[0].id }, { requestsPerSecond: 0 });
  await Promise.all(Array.from({ length: 150 }, (_, n) => importOne(apiKey, 1000 + (n % 3))));
  expect((await ask(apiKey)).json().key.uploads_at_once.used).toBe(0);
});
