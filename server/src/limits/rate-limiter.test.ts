import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { operator } from "../platform/actor.ts";
import type { KeyCaller, SessionCaller } from "../platform/caller.ts";
import { openTestApp } from "../testing/test-app.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { type Admission, type LimitedRequest, openRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import { setKeyLimits, setWorkspaceLimits } from "./set-limits.ts";

const { app, admin, log } = await openTestApp({
  LIMIT_KEY_REQUESTS_PER_SECOND: "10",
  LIMIT_KEY_UPLOADS_AT_ONCE: "2",
  LIMIT_WORKSPACE_REQUESTS_PER_SECOND: "15",
  LIMIT_WORKSPACE_IMPORTS_PER_SECOND: "5",
  LIMIT_WORKSPACE_UPLOADS_AT_ONCE: "3",
  LIMIT_KEY_DOWNLOADS_AT_ONCE: "2",
  LIMIT_WORKSPACE_DOWNLOADS_AT_ONCE: "3",
});

const noon = Date.UTC(2026, 4, 1, 12);
let monotonicMs = 1_000;
let limiter: RateLimiter;
const limiters: RateLimiter[] = [];
const newLimiter = () => {
  const created = openRateLimiter(app, () => ({ monotonicMs, epochMs: noon + monotonicMs }));
  limiters.push(created);
  return created;
};
beforeEach(() => {
  limiter = newLimiter();
});
afterAll(() => Promise.all(limiters.map((one) => one.close())));

async function aCaller(workspaceId?: string): Promise<KeyCaller> {
  const workspace = workspaceId ?? (await createWorkspace(app, "Acme")).id;
  const keyId = randomUUID();
  await admin.query(
    "insert into api_key (workspace_id, id, name, hash, scopes) values ($1, $2, 'test', $3, array['import'])",
    [workspace, keyId, randomBytes(32)],
  );
  return { kind: "key", workspaceId: workspace, keyId, scopes: ["import"], campaignIds: null, agentId: null };
}

const anUpload: LimitedRequest = { uploadBytes: 1_000 };

async function send(caller: KeyCaller, count: number, kind: LimitedRequest = "request"): Promise<Admission[]> {
  const admissions: Admission[] = [];
  for (let n = 0; n < count; n++) admissions.push(await limiter.acquire(caller, kind));
  return admissions;
}

const outcomes = (admissions: readonly Admission[]) => [...new Set(admissions.map((one) => one.refusedBy?.name))];
const passed = (admissions: readonly Admission[]) => admissions.filter((one) => !one.refusedBy).length;

test("a key is limited to its rate, and the bucket refills within a second", async () => {
  const caller = await aCaller();
  const burst = await send(caller, 30);
  expect([passed(burst), outcomes(burst)]).toEqual([10, [undefined, "key_requests"]]);
  monotonicMs += 500;
  expect(passed(await send(caller, 30))).toBe(5);
});

test("the keys of a workspace share its rate; other workspaces are independent", async () => {
  const first = await aCaller();
  const second = await aCaller(first.workspaceId);
  expect(passed(await send(first, 10))).toBe(10);
  const more = await send(second, 10);
  expect([passed(more), outcomes(more)]).toEqual([5, [undefined, "workspace_requests"]]);
  expect(passed(await send(await aCaller(), 10))).toBe(10);
});

test("refused requests take no tokens", async () => {
  const first = await aCaller();
  const second = await aCaller(first.workspaceId);
  await send(first, 10);
  await send(second, 200);
  monotonicMs += 1_000;
  expect(passed(await send(first, 20))).toBe(10);
});

test("concurrent uploads are limited, and a finished or failed upload frees its slot", async () => {
  const caller = await aCaller();
  const [one, two, three] = await send(caller, 3, anUpload);
  expect([one, two, three].map((each) => each?.refusedBy?.name)).toEqual([undefined, undefined, "key_uploads"]);
  expect(outcomes(await send(await aCaller(caller.workspaceId), 2, anUpload))).toEqual([
    undefined,
    "workspace_uploads",
  ]);
  expect(outcomes(await send(caller, 1))).toEqual([undefined]);
  one?.release(undefined);
  expect(outcomes(await send(caller, 1, anUpload))).toEqual([undefined]);
});

test("concurrent downloads are limited per key and workspace, and a finished download frees its slot", async () => {
  const caller = await aCaller();
  const [one, two, three] = await send(caller, 3, "download");
  expect([one, two, three].map((each) => each?.refusedBy?.name)).toEqual([undefined, undefined, "key_downloads"]);
  const others = await send(await aCaller(caller.workspaceId), 2, "download");
  expect(others.map((each) => each.refusedBy?.name)).toEqual([undefined, "workspace_downloads"]);
  expect(await limiter.state(caller)).toMatchObject({ downloads: { caller: 2, workspace: 3 } });
  expect(outcomes(await send(await aCaller(), 1, "download"))).toEqual([undefined]);
  one?.release(undefined);
  expect(outcomes(await send(caller, 1, "download"))).toEqual([undefined]);
  expect(three?.policy).toMatch(/"key_downloads";q=2;qu="concurrent-requests", "workspace_downloads";q=3;qu=/);
});

test("all sessions of a user share the download limit", async () => {
  const { workspaceId } = await aCaller();
  const userId = randomUUID();
  const aSession = (): SessionCaller => ({
    kind: "session",
    workspaceId,
    userId,
    sessionId: randomUUID(),
    role: "agent",
    twoStepNeeded: false,
    campaignIds: null,
    agentId: null,
  });
  const admissions = [];
  for (let n = 0; n < 3; n++) admissions.push(await limiter.acquire(aSession(), "download"));
  expect(admissions.map((each) => each.refusedBy?.name)).toEqual([undefined, undefined, "key_downloads"]);
});

test("imports have a separate rate limit", async () => {
  const caller = await aCaller();
  const admissions: Admission[] = [];
  for (let n = 0; n < 8; n++) {
    const admission = await limiter.acquire(caller, anUpload);
    admission.release(undefined);
    admissions.push(admission);
  }
  expect([passed(admissions), outcomes(admissions)]).toEqual([5, [undefined, "workspace_imports"]]);
});

test("the headers contain limits and remaining quota", async () => {
  const caller = await aCaller();
  const [first] = await send(caller, 1);
  expect(first?.policy).toBe('"key_requests";q=10;w=1, "workspace_requests";q=15;w=1');
  expect(first?.state).toBe('"key_requests";r=10;t=1, "workspace_requests";r=15;t=1');
  const [upload] = await send(caller, 1, anUpload);
  expect(upload?.policy).toBe(
    '"key_requests";q=10;w=1, "workspace_requests";q=15;w=1, "workspace_imports";q=5;w=1, "key_uploads";q=2;qu="concurrent-requests", "workspace_uploads";q=3;qu="concurrent-requests"',
  );
  expect(upload?.state).toMatch(/^"key_requests";r=9;t=1, .*"key_uploads";r=2, "workspace_uploads";r=3$/);
});

test("limits of a workspace or key take effect within seconds and can be unlimited", async () => {
  const caller = await aCaller();
  await send(caller, 1);
  await setWorkspaceLimits(app, operator, caller.workspaceId, { requestsPerSecond: 0 });
  await setKeyLimits(app, operator, caller, { requestsPerSecond: 3 });
  monotonicMs += 11_000;
  expect(passed(await send(caller, 20))).toBe(3);
  await setKeyLimits(app, operator, caller, { requestsPerSecond: 0 });
  monotonicMs += 11_000;
  const free = await send(caller, 500);
  expect([passed(free), free[0]?.policy]).toEqual([500, ""]);
  await setKeyLimits(app, operator, caller, { requestsPerSecond: null });
  monotonicMs += 11_000;
  expect(passed(await send(caller, 20))).toBe(10);
});

test("changing limits adds one audit entry, and reading them adds none", async () => {
  const { workspaceId, keyId } = await aCaller();
  await setWorkspaceLimits(app, operator, workspaceId, { callsPerDay: 5, storedBytes: null });
  await setKeyLimits(app, operator, { workspaceId, keyId }, { uploadsAtOnce: 1 });
  await setWorkspaceLimits(app, operator, workspaceId, {});
  const { rows } = await admin.query("select action, data from audit_entry where workspace_id = $1 order by number", [
    workspaceId,
  ]);
  expect(rows).toEqual([
    { action: "workspace.limits_changed", data: { changed: ["calls_per_day", "stored_bytes"] } },
    { action: "key.limits_changed", data: { changed: ["uploads_at_once"] } },
  ]);
});

test.each([
  ["workspace", () => setWorkspaceLimits(app, operator, randomUUID(), { callsPerDay: 1 })],
  ["key", async () => setKeyLimits(app, operator, { ...(await aCaller()), keyId: randomUUID() }, { uploadsAtOnce: 1 })],
])("setting limits of an unknown %s fails", async (_, change) => {
  await expect(change).rejects.toThrow("There is no");
});

test("a daily quota applies across processes until the next day", async () => {
  const caller = await aCaller();
  await setWorkspaceLimits(app, operator, caller.workspaceId, { callsPerDay: 3, importsPerSecond: 0 });
  const importOne = async (at: RateLimiter) => {
    const admission = await at.acquire(caller, anUpload);
    admission.release(1_000);
    return admission.refusedBy?.name;
  };
  expect([await importOne(limiter), await importOne(limiter)]).toEqual([undefined, undefined]);
  await limiter.close();
  const other = newLimiter();
  expect([await importOne(other), await importOne(other)]).toEqual([undefined, "workspace_calls_per_day"]);
  await other.close();
  const { rows } = await admin.query("select calls, bytes, day_calls from workspace_usage where workspace_id = $1", [
    caller.workspaceId,
  ]);
  expect(rows).toEqual([{ calls: 3, bytes: 3000, day_calls: 3 }]);
  monotonicMs += 12 * 3600 * 1000;
  expect(await importOne(newLimiter())).toBeUndefined();
});

test("an upload over the storage quota is refused by its content length", async () => {
  const caller = await aCaller();
  await setWorkspaceLimits(app, operator, caller.workspaceId, { storedBytes: 2_500 });
  for (const [uploadBytes, expected] of [
    [1_000, undefined],
    [2_000, "workspace_stored_bytes"],
    [1_500, undefined],
    [0, "workspace_stored_bytes"],
  ] as const) {
    const admission = await limiter.acquire(caller, { uploadBytes });
    expect([uploadBytes, admission.refusedBy?.name]).toEqual([uploadBytes, expected]);
    if (!admission.refusedBy) admission.release(uploadBytes);
  }
  expect(outcomes(await send(caller, 1))).toEqual([undefined]);
});

test("refusals are counted and logged in one line", async () => {
  const before = log().length;
  await send(await aCaller(), 30);
  await limiter.close();
  const lines = log().slice(before).trim().split("\n");
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ limit: "key_requests", refused: 20 });
  expect(await app.metrics.registry.metrics()).toMatch(/hearback_limited_requests_total\{limit="key_requests"\} \d+/);
});
