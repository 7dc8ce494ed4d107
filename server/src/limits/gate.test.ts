import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { operator } from "../platform/actor.ts";
import type { KeyCaller } from "../platform/caller.ts";
import { openTestApp } from "../testing/test-app.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { type Admission, type Asking, type Gate, openGate } from "./gate.ts";
import { setKeyLimits, setWorkspaceLimits } from "./set-limits.ts";

const { app, admin, log } = await openTestApp({
  LIMIT_KEY_REQUESTS_PER_SECOND: "10",
  LIMIT_KEY_UPLOADS_AT_ONCE: "2",
  LIMIT_WORKSPACE_REQUESTS_PER_SECOND: "15",
  LIMIT_WORKSPACE_IMPORTS_PER_SECOND: "5",
  LIMIT_WORKSPACE_UPLOADS_AT_ONCE: "3",
});

const noon = Date.UTC(2026, 4, 1, 12);
let steadyMs = 1_000;
let gate: Gate;
const gates: Gate[] = [];
const aGate = () => {
  const made = openGate(app, () => ({ steadyMs, epochMs: noon + steadyMs }));
  gates.push(made);
  return made;
};
beforeEach(() => {
  gate = aGate();
});
afterAll(() => Promise.all(gates.map((one) => one.close())));

async function aCaller(workspaceId?: string): Promise<KeyCaller> {
  const workspace = workspaceId ?? (await createWorkspace(app, "Acme")).id;
  const keyId = randomUUID();
  await admin.query(
    "insert into api_key (workspace_id, id, name, hash, scopes) values ($1, $2, 'test', $3, array['import'])",
    [workspace, keyId, randomBytes(32)],
  );
  return { kind: "key", workspaceId: workspace, keyId, scopes: ["import"], campaignIds: null, agentId: null };
}

const anUpload: Asking = { uploadBytes: 1_000 };

async function send(caller: KeyCaller, count: number, asking: Asking = "request"): Promise<Admission[]> {
  const admissions: Admission[] = [];
  for (let n = 0; n < count; n++) admissions.push(await gate.enter(caller, asking));
  return admissions;
}

const outcomes = (admissions: readonly Admission[]) => [...new Set(admissions.map((one) => one.refusedBy?.name))];
const passed = (admissions: readonly Admission[]) => admissions.filter((one) => !one.refusedBy).length;

test("a key sends its rate and no more; a second later it may again", async () => {
  const caller = await aCaller();
  const burst = await send(caller, 30);
  expect([passed(burst), outcomes(burst)]).toEqual([10, [undefined, "key_requests"]]);
  steadyMs += 500;
  expect(passed(await send(caller, 30))).toBe(5);
});

test("the keys of a workspace share its rate; another workspace has its own", async () => {
  const first = await aCaller();
  const second = await aCaller(first.workspaceId);
  expect(passed(await send(first, 10))).toBe(10);
  const more = await send(second, 10);
  expect([passed(more), outcomes(more)]).toEqual([5, [undefined, "workspace_requests"]]);
  expect(passed(await send(await aCaller(), 10))).toBe(10);
});

test("what is refused takes nothing from what may be sent", async () => {
  const first = await aCaller();
  const second = await aCaller(first.workspaceId);
  await send(first, 10);
  await send(second, 200);
  steadyMs += 1_000;
  expect(passed(await send(first, 20))).toBe(10);
});

test("so many uploads at once, and the next when one is over, however it ended", async () => {
  const caller = await aCaller();
  const [one, two, three] = await send(caller, 3, anUpload);
  expect([one, two, three].map((each) => each?.refusedBy?.name)).toEqual([undefined, undefined, "key_uploads"]);
  expect(outcomes(await send(await aCaller(caller.workspaceId), 2, anUpload))).toEqual([
    undefined,
    "workspace_uploads",
  ]);
  expect(outcomes(await send(caller, 1))).toEqual([undefined]);
  one?.leave(undefined);
  expect(outcomes(await send(caller, 1, anUpload))).toEqual([undefined]);
});

test("imports have a rate of their own", async () => {
  const caller = await aCaller();
  const admissions: Admission[] = [];
  for (let n = 0; n < 8; n++) {
    const admission = await gate.enter(caller, anUpload);
    admission.leave(undefined);
    admissions.push(admission);
  }
  expect([passed(admissions), outcomes(admissions)]).toEqual([5, [undefined, "workspace_imports"]]);
});

test("the headers say what holds and what is left", async () => {
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

test("a workspace and a key have limits of their own, within seconds, and can have none", async () => {
  const caller = await aCaller();
  await send(caller, 1);
  await setWorkspaceLimits(app, operator, caller.workspaceId, { requestsPerSecond: 0 });
  await setKeyLimits(app, operator, caller, { requestsPerSecond: 3 });
  steadyMs += 11_000;
  expect(passed(await send(caller, 20))).toBe(3);
  await setKeyLimits(app, operator, caller, { requestsPerSecond: 0 });
  steadyMs += 11_000;
  const free = await send(caller, 500);
  expect([passed(free), free[0]?.policy]).toEqual([500, ""]);
  await setKeyLimits(app, operator, caller, { requestsPerSecond: null });
  steadyMs += 11_000;
  expect(passed(await send(caller, 20))).toBe(10);
});

test("a change of limits leaves one entry in the audit log, and looking at them none", async () => {
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
])("a %s that does not exist has no limits", async (_, change) => {
  await expect(change).rejects.toThrow("There is no");
});

test("a quota holds over all processes, and until the next day", async () => {
  const caller = await aCaller();
  await setWorkspaceLimits(app, operator, caller.workspaceId, { callsPerDay: 3, importsPerSecond: 0 });
  const importOne = async (at: Gate) => {
    const admission = await at.enter(caller, anUpload);
    admission.leave(1_000);
    return admission.refusedBy?.name;
  };
  expect([await importOne(gate), await importOne(gate)]).toEqual([undefined, undefined]);
  await gate.close();
  const other = aGate();
  expect([await importOne(other), await importOne(other)]).toEqual([undefined, "workspace_calls_per_day"]);
  await other.close();
  const { rows } = await admin.query("select calls, bytes, day_calls from workspace_usage where workspace_id = $1", [
    caller.workspaceId,
  ]);
  expect(rows).toEqual([{ calls: 3, bytes: 3000, day_calls: 3 }]);
  steadyMs += 12 * 3600 * 1000;
  expect(await importOne(aGate())).toBeUndefined();
});

test("what does not fit into the quota of bytes is refused by its length", async () => {
  const caller = await aCaller();
  await setWorkspaceLimits(app, operator, caller.workspaceId, { storedBytes: 2_500 });
  for (const [uploadBytes, expected] of [
    [1_000, undefined],
    [2_000, "workspace_stored_bytes"],
    [1_500, undefined],
    [0, "workspace_stored_bytes"],
  ] as const) {
    const admission = await gate.enter(caller, { uploadBytes });
    expect([uploadBytes, admission.refusedBy?.name]).toEqual([uploadBytes, expected]);
    if (!admission.refusedBy) admission.leave(uploadBytes);
  }
  expect(outcomes(await send(caller, 1))).toEqual([undefined]);
});

test("refusals are counted, and told in one line", async () => {
  const before = log().length;
  await send(await aCaller(), 30);
  await gate.close();
  const lines = log().slice(before).trim().split("\n");
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ limit: "key_requests", refused: 20 });
  expect(await app.metrics.registry.metrics()).toMatch(/hearback_limited_requests_total\{limit="key_requests"\} \d+/);
});
