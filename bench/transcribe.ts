import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { importCall, type Service } from "../e2e/support/http/service.ts";
import { openStack, type Stack, unlimited } from "../e2e/support/stack/stack.ts";
import { makeConversations } from "./support/conversations.ts";
import { cpuOfFamily } from "./support/cpu.ts";
import { makeFolder, startEngine } from "./support/engines.ts";
import { peakMemory } from "./support/peak-memory.ts";

const usage = `npm run bench -- transcribe [--json] [--rounds N]

CPU time of everything but the engine when a five-minute stereo G.711 call is transcribed (fetch, decode, cut, send, mask,
store, commit), by the worker and its tools, compared with preparing the same call. Also compares the memory of a two-hour
call with that of a five-minute one. The engine answers at once, with three words per second.

  --json    also print the results as JSON, in the last line
  --rounds  number of rounds of three calls, 1 to 100; default 5`;

const MB = 1024 * 1024;
const callsPerRound = 3;

/** Measures transcription. Returns the exit code. */
export async function benchTranscribe(args: string[], signal: AbortSignal): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean" },
      rounds: { type: "string", default: "5" },
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
  const files = await makeConversations(dir, { five: 300, hours: 7200 });
  const engine = await openEngine();
  cleanup.defer(() => engine.close());
  const stack = await openStack("s3", unlimited);
  cleanup.defer(() => stack.stop());
  const api = await stack.startApi();
  const worker = await stack.startWorker({ WORKER_CONCURRENCY: "1", LOG_LEVEL: "info", TRANSCRIBER_URL: engine.url });
  const service = { ...stack, baseUrl: api.baseUrl };
  await stack.adminDb.query(`update workspace set settings = settings || '{"transcription": true}'`);
  const fiveMinutes = await readFile(files.five);
  await prepare(stack, service, fiveMinutes, 1);
  await transcribe(stack);

  let preparing = 0;
  let transcribing = 0;
  for (let round = 1; round <= rounds; round++) {
    signal.throwIfAborted();
    const prepared = await costOf(worker.pid, () => prepare(stack, service, fiveMinutes, callsPerRound));
    const transcribed = await costOf(worker.pid, () => transcribe(stack));
    preparing += prepared;
    transcribing += transcribed;
    console.error(
      `round ${round} of ${rounds}: preparing ${(prepared / callsPerRound).toFixed(2)} s, transcribing ${(transcribed / callsPerRound).toFixed(2)} s per call`,
    );
  }
  await prepare(stack, service, fiveMinutes, 2);
  const short = await peakMemory(worker.pid, () => transcribe(stack));
  await prepare(stack, service, await readFile(files.hours), 1);
  const long = await peakMemory(worker.pid, () => transcribe(stack));
  const ratio = round(transcribing / preparing);
  const growth = round((long - short) / MB);
  console.log(
    `Transcribing a five-minute stereo call costs ${ratio}x the CPU time of preparing it, without the engine.`,
  );
  console.log(`Peak memory of worker and tools: ${round(short / MB)} MB for 5 minutes, ${growth} MB more for 2 hours.`);
  if (values.json) console.log(JSON.stringify({ ratio, memory_growth_mb: growth }));
  return 0;
}

const round = (value: number) => Math.round(value * 100) / 100;

/** A transcription server that answers at once, in a process that is not measured. */
async function openEngine() {
  const server = createServer(async (request, response) => {
    let bytes = 0;
    for await (const chunk of request) bytes += chunk.length;
    const seconds = bytes / 32_000;
    const words = Array.from({ length: Math.floor(seconds * 3) }, (_, index) => ({
      word: `word${index % 97}`,
      start: index / 3,
      end: index / 3 + 0.3,
      probability: 0.9,
    }));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text: "", words }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

let conversation = 1_714_557_600;

/** Imports calls with different times and waits until the worker has prepared all of them. */
async function prepare(stack: Stack, service: Service, recording: Buffer, calls: number): Promise<void> {
  await stack.adminDb.query("update campaign set transcription_language = null");
  for (let call = 0; call < calls; call++)
    await importCall(service, { file: recording, conversation_timestamp: String(conversation++) });
  await settled(stack, "select status as state from call where status <> 'ready'");
}

/** Transcribes every call that has no transcript. */
async function transcribe(stack: Stack): Promise<void> {
  await stack.adminDb.query("update campaign set transcription_language = 'en'");
  await stack.adminDb.query(`
    with queued as (
      insert into call_step (workspace_id, call_id, step, state, attempts, started_at, ended_at)
      select workspace_id, id, 'transcribe', 'running', 0, now(), now() from call
      on conflict do nothing returning workspace_id, call_id
    )
    insert into outgoing_job (name, payload)
    select 'call.transcribe', jsonb_build_object('workspaceId', workspace_id, 'callId', call_id) from queued`);
  await settled(stack, "select state from call_step where step = 'transcribe' and state <> 'done'");
}

async function settled(stack: Stack, pending: string): Promise<void> {
  for (;;) {
    const { rows } = await stack.adminDb.query<{ state: string }>(pending);
    if (rows.length === 0) return;
    if (rows.some(({ state }) => state === "failed")) throw new Error("a call failed");
    await sleep(100);
  }
}

/** CPU seconds of a worker and its tools during `work`. */
async function costOf(pid: number, work: () => Promise<void>): Promise<number> {
  const before = cpuOfFamily(pid);
  await work();
  return cpuOfFamily(pid) - before;
}
