import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  download,
  failureCodes,
  findCall,
  get,
  sha256,
  waitForCall,
  withEveryScope,
} from "../support/http/call-details.ts";
import { callParts, importCall, postCall, type Service } from "../support/http/service.ts";
import { childrenOf, peakMemoryMb, processes, watchChildren } from "../support/measuring/machine.ts";
import { type Canary, canaryHeardIn, openCanary } from "../support/recordings/hostile/canary.ts";
import type { HostileFile } from "../support/recordings/hostile/hostile-file.ts";
import { hostileFiles } from "../support/recordings/hostile/hostile-files.ts";
import { costliest } from "../support/recordings/hostile/sizes.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { random, scale, seed } from "../support/run-scale.ts";
import { openStack, type ServerProcess, type Stack } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";
import { inParallel, say, until } from "../support/waiting.ts";

const run = promisify(execFile);
const mostMb = 512;
/** For a change, only against waiting forever: other tests run beside it. */
const longestMs = scale(90_000, 30_000, 30_000);
/** Files for the worker, without the costliest one; nightly all. */
const prepared = scale(16, undefined, undefined);
/** Each file is given to the worker with its claimed format; at full size also with others. */
const disguises = scale([], [], ["wav", "mp3", "m4a", "aac", "ogg", "flac", "amr", "webm", "au"]);

let stack: Stack;
let store: Store;
let service: Service;
let canary: Canary;
let scratch: string;
let files: readonly HostileFile[];

beforeAll(async () => {
  stack = await openStack();
  store = openStore(stack);
  const api = await stack.startApi();
  service = await withEveryScope(stack, serviceAt(stack, api.port));
  canary = await openCanary();
  scratch = await mkdtemp(join(tmpdir(), "hearback-scratch-"));
  files = await hostileFiles(canary.decoys);
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await store?.close();
  await canary?.close();
  if (scratch) await rm(scratch, { recursive: true, force: true });
});

let worker: ServerProcess | undefined;
async function startWorker(): Promise<ServerProcess> {
  worker = await stack.startWorker({ SCRATCH_DIR: scratch, WORKER_CONCURRENCY: "2", WORKER_PORT: "0" });
  return worker;
}
// Cleans up after a failed test.
afterEach(() => worker?.kill());

/** Imports a valid call and replaces its recording in the store, to bypass the importer's checks. */
async function smuggle({ format, bytes }: HostileFile): Promise<string> {
  const { id } = await importCall(service, { file: makeWav() });
  const { rows } = await stack.adminDb.query<{ recording_key: string }>(
    `update call set format = $2, recording_bytes = $3, sha256 = decode($4, 'hex'),
       codec = null, channels = null, sample_rate = null, duration_ms = null
      where id = $1 returning recording_key`,
    [id, format, bytes.length, sha256(bytes)],
  );
  await store.overwrite(rows[0]?.recording_key ?? "", bytes);
  return id;
}

test("the canary and the memory sampler detect violations", async () => {
  const bait = await openCanary();
  const folder = await mkdtemp(join(tmpdir(), "hearback-control-"));
  try {
    const baits = await hostileFiles(bait.decoys);
    const follow = async (name: string, ...options: string[]) => {
      const path = join(folder, "bait.wav");
      await writeFile(path, baits.find((file) => file.name === name)?.bytes ?? "");
      const copy = join(folder, "copy.m4a");
      const careless = ["-protocol_whitelist", "file,http,tcp", ...options];
      const words = ["-nostdin", "-y", "-v", "error", ...careless, "-i", path, copy];
      await run("ffmpeg", words, { timeout: 20_000 }).catch(() => {});
      return readFile(copy).catch(() => undefined);
    };
    expect([bait.connections(), await bait.filesRead()]).toEqual([0, []]);
    await follow("HLS with a segment by http");
    expect(bait.connections()).toBeGreaterThan(0);
    const copy = await follow("ffconcat by file", "-safe", "0");
    expect(await bait.filesRead()).toContain(bait.decoys.sound);
    expect(await canaryHeardIn(copy ?? Buffer.alloc(0))).toBeGreaterThan(0.5);

    const eat = "const eaten = Buffer.alloc(600 * 1024 * 1024, 1); setTimeout(() => eaten, 1500)";
    const between = "require('node:child_process').spawnSync(process.execPath, ['-e', process.argv[1]])";
    const parent = spawn(process.execPath, ["-e", between, eat]);
    const watch = watchChildren(parent.pid ?? 0);
    await once(parent, "exit");
    expect((await watch.stop()).mostMb).toBeGreaterThan(600);
  } finally {
    await rm(folder, { recursive: true });
    await bait.close();
  }
}, 60_000);

interface Outcome {
  readonly id: string;
  readonly status: string;
  readonly code: string | null;
  readonly attempts: number;
  readonly ms: number;
}

async function outcomes(): Promise<Map<string, Outcome>> {
  const { rows } = await stack.adminDb.query<Outcome>(
    `select call.id, status, failure_code as code, attempts,
       (extract(epoch from ended_at - started_at) * 1000)::int as ms
      from call left join call_step on call_id = call.id and call_step.workspace_id = call.workspace_id`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** All API responses about a call, and its playback audio. */
async function readEverything(id: string): Promise<{ text: string; playback: Buffer | undefined }> {
  const call = await findCall(service, id);
  if (!call.audio) return { text: JSON.stringify(call), playback: undefined };
  const [playback, waveform, speech] = await Promise.all([
    download(service, call.audio.playback.url),
    download(service, call.audio.waveform.url),
    get(service, call.audio.speech.url),
  ]);
  return {
    text: JSON.stringify(call) + speech.text + playback.toString("latin1") + waveform.toString("latin1"),
    playback,
  };
}

async function expectNothingLeft(worker: ServerProcess): Promise<void> {
  const filesLeft = async () =>
    (await readdir(scratch, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  await until("the worker's children ended", 5_000, async () => (await childrenOf(worker.pid)).length === 0);
  expect(await filesLeft()).toEqual([]);
  expect(await worker.stop()).toBe(0);
  expect(await readdir(scratch)).toEqual([]);
  const orphans = (await processes()).filter(({ command, pid }) => command.includes(scratch) && pid !== process.pid);
  expect(orphans).toEqual([]);
}

function chooseFiles(): readonly HostileFile[] {
  if (prepared === undefined) return files;
  const chance = random();
  return files
    .filter(({ name }) => name !== costliest)
    .map((file) => ({ file, order: chance() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, prepared)
    .map(({ file }) => file);
}

test(
  "the worker finishes each file in time without file access, network access or high memory use",
  async () => {
    const smuggled = new Map<string, string>();
    say(`seed ${seed}`);
    const disguised = disguises.flatMap((format) => files.map((file) => ({ ...file, format })));
    const all = [...chooseFiles(), ...disguised.filter(({ name }) => name !== costliest)];
    await inParallel(all.length, 4, async (index) => {
      const file = all[index];
      if (file) smuggled.set(await smuggle(file), `${file.name} as ${file.format}`);
    });
    const worker = await startWorker();
    const watch = watchChildren(worker.pid);
    const begun = Date.now();
    const ended = await until(
      "every call is ready or failed",
      scale(300_000, 300_000, 3_600_000),
      async () => {
        const now = await outcomes();
        return [...now.values()].some(({ status }) => status === "received") ? undefined : now;
      },
      1000,
    ).catch(async (error) => {
      const open = [...(await outcomes()).values()].filter(({ status }) => status === "received");
      throw new Error(`unfinished: ${open.map(({ id }) => smuggled.get(id) ?? id).join("; ")}`, { cause: error });
    });
    const memory = await watch.stop();
    const ownMb = await peakMemoryMb(worker.pid);
    const results = [...ended.values()];
    const slowest = results.reduce((most, one) => (one.ms > most.ms ? one : most));
    const codes = Map.groupBy(results, ({ code, status }) => code ?? status);
    say(`${results.length} jobs in ${Math.round((Date.now() - begun) / 1000)} s, ${canary.connections()} connections`);
    say(`  ${[...codes].map(([code, these]) => `${these.length} × ${code}`).join(", ")}`);
    say(
      `  slowest ${slowest.ms} ms (${smuggled.get(slowest.id)}), most memory ${memory.mostMb.toFixed(0)} MB, the worker itself ${ownMb.toFixed(0)} MB`,
    );
    for (const { id, ms, code, status } of results.filter((one) => one.ms > 5_000)) {
      say(`  ${ms} ms: ${smuggled.get(id)}, ${code ?? status}`);
    }

    expect(canary.connections()).toBe(0);
    expect(await canary.filesRead()).toEqual([]);
    const named = (these: readonly Outcome[]) => these.map((one) => ({ ...one, name: smuggled.get(one.id) }));
    expect(named(results.filter(({ ms }) => !(ms <= longestMs)))).toEqual([]);
    // Retried only when the machine was too busy to decode in time.
    const busy = worker
      .log()
      .split("\n")
      .filter((line) => line.includes("MachineBusy")).length;
    const further = results.reduce((sum, { attempts }) => sum + attempts - 1, 0);
    if (busy > 0) say(`  ${busy} attempts timed out on a busy machine`);
    expect(further, JSON.stringify(named(results.filter(({ attempts }) => attempts !== 1)))).toBe(busy);
    expect(results.filter(({ status, code }) => status === "failed" && !failureCodes.includes(code ?? ""))).toEqual([]);
    expect(memory.samples).toBeGreaterThan(10);
    expect(memory.mostMb, memory.command).toBeLessThan(mostMb);
    expect(ownMb).toBeLessThan(mostMb);

    expect(worker.log()).not.toContain(canary.secret);
    await inParallel(results.length, 4, async (index) => {
      const id = results[index]?.id ?? "";
      const { text, playback } = await readEverything(id);
      expect(text.includes(canary.secret), smuggled.get(id)).toBe(false);
      if (playback) expect(await canaryHeardIn(playback), smuggled.get(id)).toBe(0);
    });
    await expectNothingLeft(worker);
  },
  scale(400_000, 400_000, 3_700_000),
);

test.runIf(prepared === undefined)(
  "a valid call waits for at most one slot behind the costliest file",
  async () => {
    const bomb = files.find(({ name }) => name === costliest);
    if (!bomb) throw new Error(`no file "${costliest}"`);
    const bombs = await Promise.all([smuggle(bomb), smuggle(bomb)]);
    const worker = await startWorker();
    const running = "select 1 from call_step where call_id = any($1) and state = 'running'";
    await until(
      "both slots are busy",
      20_000,
      async () => (await stack.adminDb.query(running, [bombs])).rowCount === 2,
    );
    const begun = Date.now();
    const { id } = await importCall(service, { file: makeWav({ seconds: 5 }) });
    const good = await waitForCall(service, id, longestMs + 10_000);
    say(`the valid call is ${good.status} after ${Date.now() - begun} ms`);
    expect(good.status).toBe("ready");
    for (const id of bombs) {
      expect(["recording_too_costly", "recording_too_long"]).toContain((await waitForCall(service, id)).failure?.code);
    }
    await expectNothingLeft(worker);
  },
  120_000,
);

// Last: no worker prepares what it imports.
test("the API accepts each hostile file or rejects it with a reason", async () => {
  expect(files.length).toBeGreaterThanOrEqual(60);
  const answers = new Map<number, number>();
  const wrong: string[] = [];
  await inParallel(files.length, 4, async (index) => {
    const file = files[index];
    if (!file) return;
    const filename = index % 2 === 0 ? "../../../../etc/passwd" : "$(reboot);|call.wav";
    const part = { name: "file", value: file.bytes, filename, type: "audio/wav" };
    const answer = await postCall(service, callParts(service, { file: part }));
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
    if (![200, 422].includes(answer.status)) wrong.push(`${file.name}: ${answer.status} ${answer.text}`);
  });
  say(`${files.length} files: ${[...answers].map(([status, count]) => `${count} × ${status}`).join(", ")}`);
  expect(wrong).toEqual([]);
}, 120_000);
