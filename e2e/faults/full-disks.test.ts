import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { countByState, countEvents } from "../support/data/count-events.ts";
import { expectProblem } from "../support/http/expect-problem.ts";
import type { Call } from "../support/http/service.ts";
import { startLoad } from "../support/load/load.ts";
import { KB, MB, makeRecording, serviceAt, tryImport } from "../support/recordings/recordings.ts";
import { scale } from "../support/run-scale.ts";
import type { SmallDisk } from "../support/stack/small-disk.ts";
import type { ApiProcess, Stack } from "../support/stack/stack.ts";
import { inParallel, say, until } from "../support/waiting.ts";
import { expectRecovery, firstRefusal, mount, open } from "./support/full-disk.ts";

const calls = scale(3, 6, 100);
const kills = scale(1, 3, 100);

describe("a storage folder without disk space", () => {
  let disk: SmallDisk;
  let stack: Stack;
  let api: ApiProcess;
  beforeAll(async () => {
    disk = await mount(30);
    stack = await open("filesystem", { STORAGE_DIR: join(disk.folder, "recordings") });
    api = await stack.startApi();
  });

  test("refuses with 503 until there is some, and no acknowledged call is lost", async () => {
    const load = startLoad(serviceAt(stack, api.port), { clients: 4, size: () => 60 * KB });
    try {
      await until("calls are imported", 30_000, () => load.acknowledged.size > 20);
      await disk.fill(100 * KB);
      await firstRefusal(load);
      expect(load.refusals[0]?.text).toContain("storage_unavailable");
      await disk.free();
      await expectRecovery(stack, api, load);
    } finally {
      load.abandon();
    }
    expect(api.log()).toContain("ENOSPC");
  });

  test("keeps nothing of a recording that does not fit", async () => {
    const service = serviceAt(stack, api.port);
    const refused = await tryImport(service, makeRecording(40 * MB));
    if (refused instanceof Error) throw refused;
    expectProblem(refused, 503, "storage_unavailable");
    expect(await tryImport(service, makeRecording(5 * MB))).toMatchObject({ status: 200 });
  });
});

test(`a full scratch folder delays ${calls} calls without losing any`, { timeout: 900_000 }, async () => {
  const disk = await mount(24);
  const stack = await open();
  const service = serviceAt(stack, (await stack.startApi()).port);
  const worker = await stack.startWorker({ SCRATCH_DIR: disk.folder, WORKER_CONCURRENCY: "2" });
  await disk.fill(64 * KB);
  const ids: string[] = [];
  await inParallel(calls, 4, async () => {
    const answer = await tryImport(service, makeRecording(MB));
    expect(answer).toMatchObject({ status: 200 });
    ids.push((answer as { body: Call }).body.id);
  });
  const reasons = "select from call_step where reason_code = 'scratch_full'";
  await until(
    "every job has failed",
    scale(60_000, 60_000, 600_000),
    async () => (await stack.adminDb.query(reasons)).rowCount === calls,
  );
  expect(await countByState(stack)).toEqual({ received: calls, ready: 0, failed: 0 });

  await disk.free();
  const freed = Date.now();
  const allReady = async () => (await countByState(stack)).ready === calls;
  await until("all calls are ready", scale(120_000, 120_000, 600_000), allReady, 200);
  say(`${calls} calls ready ${Date.now() - freed} ms after space was freed`);
  const times = await countEvents(stack, "call.ready");
  expect(ids.filter((id) => times.get(id) !== 1)).toEqual([]);
  expect(await worker.stop()).toBe(0);
  expect(await readdir(disk.folder)).toEqual([]);
});

test(`a worker killed during a job (${kills}x) leaves nothing in the scratch folder`, {
  timeout: 3_600_000,
}, async () => {
  const stack = await open();
  const service = serviceAt(stack, (await stack.startApi()).port);
  const { SCRATCH_DIR = "" } = stack.env;
  const files = async () =>
    (await readdir(SCRATCH_DIR, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  for (let kill = 0; kill < kills; kill++) {
    expect(await tryImport(service, makeRecording(6 * MB))).toMatchObject({ status: 200 });
    const worker = await stack.startWorker();
    const left = (await readdir(SCRATCH_DIR)).filter((name) => !name.includes(`-${worker.pid}-`));
    expect(left).toEqual([]);
    await until("a job has written a file", 60_000, async () => (await files()).length > 0, 5);
    await worker.kill();
    expect((await files()).length).toBeGreaterThan(0);
  }
  const last = await stack.startWorker();
  expect(await last.stop()).toBe(0);
  expect(await readdir(SCRATCH_DIR)).toEqual([]);
});
