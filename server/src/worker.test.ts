import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openMetrics } from "./platform/metrics.ts";
import { openStorage } from "./platform/storage/storage.ts";
import { aForm } from "./testing/forms.ts";
import { aRecording } from "./testing/sounds.ts";
import { openTestApp } from "./testing/test-app.ts";
import { runWorker } from "./worker.ts";

const { app, api, campaignId, agentEmail, admin, key } = await openTestApp();

async function imported(seed: number): Promise<string> {
  const form = aForm(
    ["campaign_id", campaignId],
    ["conversation_timestamp", String(1_714_557_600 + seed)],
    ["agent_email", agentEmail],
    ["file", aRecording({ seed })],
  );
  const headers = { ...form.headers, "x-api-key": await key("import") };
  return (await api.inject({ method: "POST", url: "/calls/audio", headers, payload: form.payload })).json().id;
}

async function settled(
  id: string,
  meanwhile = async () => {},
): Promise<{ status: string; failure_code: string | null }> {
  for (let tries = 0; tries < 300; tries++) {
    await meanwhile();
    const { rows } = await admin.query("select status, failure_code from call where id = $1", [id]);
    if (rows[0].status !== "received") return rows[0];
    await sleep(100);
  }
  throw new Error("timed out waiting for the call");
}

test("a worker prepares imported calls and exports metrics", async () => {
  const id = await imported(1);
  const worker = await runWorker(app);
  expect(await settled(id)).toEqual({ status: "ready", failure_code: null });
  const shown = await app.metrics.registry.metrics();
  await worker.stop();
  expect(shown).toContain('hearback_queue_jobs{queue="call.prepare",state="waiting"} 0');
  expect(shown).toContain('hearback_queue_oldest_seconds{queue="call.prepare"} 0');
  expect(shown).toContain('hearback_calls_settled_total{outcome="ready"} 1');
  expect(shown).toMatch(/hearback_prepare_phase_seconds_count\{phase="store"\} 1/);
});

test("after its last retry, a job is abandoned and the call fails with a code", async () => {
  const storage = openStorage(app.config.storage);
  const failing = {
    ...app,
    metrics: openMetrics(),
    storage: { ...storage, get: () => Promise.reject(new Error("the object store is unavailable")) },
  };
  const id = await imported(2);
  const worker = await runWorker(failing);
  const waiting = async () => (await admin.query("select 1 from call_step where call_id = $1", [id])).rows.length > 0;
  while (!(await waiting())) await sleep(50);
  // Repeated in a loop, because a failing job is deleted and inserted again, which can undo the update.
  const lastTry = async () => {
    await admin.query(
      "update pgboss.job set retry_limit = retry_count, start_after = now() where name = 'call.prepare'",
    );
  };
  expect(await settled(id, lastTry)).toEqual({ status: "failed", failure_code: "preparation_abandoned" });
  await worker.stop();
});

test("a worker whose port is taken reports it, takes no job and leaves nothing running", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as { port: number };
  const id = await imported(3);
  const second = { ...app, metrics: openMetrics(), config: { ...app.config, worker: { port } } };
  await expect(runWorker(second)).rejects.toThrow(`Cannot listen on WORKER_PORT ${port} (EADDRINUSE)`);
  taken.close();
  await sleep(1_500);
  const { rows } = await admin.query("select status from call where id = $1", [id]);
  expect(rows).toEqual([{ status: "received" }]);
});
