import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { importCall, type Service } from "../e2e/support/http/service.ts";
import { openStack, type Stack, unlimited } from "../e2e/support/stack/stack.ts";
import { makeConversations } from "./support/conversations.ts";
import { cpuOfEndedChildren, cpuOfFamily } from "./support/cpu.ts";
import { makeFolder, startEngine } from "./support/engines.ts";
import { peakMemory } from "./support/peak-memory.ts";

const run = promisify(execFile);

const usage = `npm run bench -- prepare [--json] [--rounds N]

CPU time of preparing a five-minute stereo G.711 call (fetch, probe, decode, analyse, encode, store, commit) by the worker
and its children, compared with plain ffmpeg decoding the same file and encoding the playback copy. Also compares the memory
of a sixty-minute call with that of a five-minute one.

  --json    also print the results as JSON, in the last line
  --rounds  number of rounds, 1 to 100; default 12`;

const MB = 1024 * 1024;

/** Measures preparation. Returns the exit code. */
export async function benchPrepare(args: string[], signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean" },
      rounds: { type: "string", default: "12" },
      help: { type: "boolean", short: "h" },
    },
  });
  const rounds = Number(values.rounds);
  if (values.help || !Number.isInteger(rounds) || rounds < 1 || rounds > 100) {
    console.error(usage);
    return values.help ? 0 : 2;
  }

  await using cleanup = new AsyncDisposableStack();
  const dir = await makeFolder(cleanup);
  await startEngine("postgres");
  await startEngine("s3");
  const files = await makeConversations(dir, { five: 300, sixty: 3600 });
  const stack = await openStack("s3", unlimited);
  cleanup.defer(() => stack.stop());
  const api = await stack.startApi();
  const worker = await stack.startWorker({ WORKER_CONCURRENCY: "1", LOG_LEVEL: "info" });
  const service = { ...stack, baseUrl: api.baseUrl };
  const fiveMinutes = await readFile(files.five);
  await prepare(stack, service, fiveMinutes, 2);

  let bare = 0;
  let ours = 0;
  for (let round = 1; round <= rounds; round++) {
    signal.throwIfAborted();
    // Alternate, so that other load on the machine affects both equally.
    const bareSeconds = await encodeBare(files.five, dir);
    const ourSeconds = await costOf(worker.pid, () => prepare(stack, service, fiveMinutes, 1));
    bare += bareSeconds;
    ours += ourSeconds;
    console.error(`round ${round} of ${rounds}: bare ${bareSeconds.toFixed(2)} s, ours ${ourSeconds.toFixed(2)} s`);
  }
  const sixtyMinutes = await readFile(files.sixty);
  const short = await peakMemory(worker.pid, () => prepare(stack, service, fiveMinutes, 2));
  const long = await peakMemory(worker.pid, () => prepare(stack, service, sixtyMinutes, 1));
  const ratio = round(ours / bare);
  const growth = round((long - short) / MB);
  console.log(`Preparing a five-minute stereo G.711 call costs ${ratio}x the CPU time of plain ffmpeg.`);
  console.log(`Peak memory of worker and tools: ${round(short / MB)} MB for 5 minutes, ${growth} MB more for 60.`);
  if (values.json) console.log(JSON.stringify({ ratio, memory_growth_mb: growth }));
  return 0;
}

const round = (value: number) => Math.round(value * 100) / 100;

/**
 * CPU time of encoding the playback copy with plain ffmpeg, with the arguments of
 * server/src/platform/media/ffmpeg/transcode.ts.
 */
async function encodeBare(file: string, dir: string): Promise<number> {
  const encoder = ["-c:a", "aac", "-aac_coder", "fast", "-b:a", "48000", "-movflags", "+faststart", "-f", "ipod"];
  const args = ["-nostdin", "-v", "error", "-y", "-threads", "1", "-i", file, ...encoder, join(dir, "bare.m4a")];
  const before = cpuOfEndedChildren(process.pid);
  await run("ffmpeg", args);
  return cpuOfEndedChildren(process.pid) - before;
}

let conversation = 1_714_557_600;

/** Imports calls with different times and waits until the worker has prepared all of them. */
async function prepare(stack: Stack, service: Service, recording: Buffer, calls: number): Promise<void> {
  for (let call = 0; call < calls; call++) {
    await importCall(service, { file: recording, conversation_timestamp: String(conversation++) });
  }
  for (;;) {
    const { rows } = await stack.adminDb.query<{ status: string }>("select status from call where status <> 'ready'");
    if (rows.length === 0) return;
    if (rows.some(({ status }) => status === "failed")) throw new Error("a call failed");
    await sleep(100);
  }
}

/** CPU seconds of a worker and its tools during `work`. */
async function costOf(pid: number, work: () => Promise<void>): Promise<number> {
  const before = cpuOfFamily(pid);
  await work();
  return cpuOfFamily(pid) - before;
}
