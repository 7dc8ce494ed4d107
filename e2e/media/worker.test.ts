import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countByState, countEvents } from "../support/data/count-events.ts";
import { findLeftovers, noLeftovers, sweepAll } from "../support/data/damage-report.ts";
import { withEveryScope } from "../support/http/call-details.ts";
import { postUser, type Service, uniqueEmail } from "../support/http/service.ts";
import { processes } from "../support/measuring/machine.ts";
import { KB, MB, makeRecording, serviceAt, tryImport } from "../support/recordings/recordings.ts";
import { random, scale, seed } from "../support/run-scale.ts";
import { openMailSink } from "../support/servers/mail-sink.ts";
import { openStack, type ServerProcess, type Stack, unlimited } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";
import { inParallel, percentile, say, until } from "../support/waiting.ts";

const kills = scale(1, 2, 25);
const killedJobs = scale(0, 0, 100);
const invitationKills = scale(1, 1, 25);
const backlog = scale(16, 30, 2_000);
/** Calls that become ready between two kills, because a fast machine may be done before any fixed time. */
const callsPerKill = scale(8, 8, 100);
/** For a change, only against waiting forever: other tests run beside it. */
const takenOverWithinMs = scale(90_000, 30_000, 30_000);

const chance = random();
let stack: Stack;
let store: Store;
let service: Service;
let scratch: string;
/** Running workers, for cleanup after a failed test. */
const workers = new Set<ServerProcess>();

beforeAll(async () => {
  stack = await openStack(undefined, unlimited);
  store = openStore(stack);
  const api = await stack.startApi();
  service = await withEveryScope(stack, serviceAt(stack, api.port));
  scratch = await mkdtemp(join(tmpdir(), "hearback-scratch-"));
});
afterAll(async () => {
  await stack?.stop();
  await store?.close();
  if (scratch) await rm(scratch, { recursive: true, force: true });
});

async function startWorker(env: Record<string, string> = {}): Promise<ServerProcess> {
  const worker = await stack.startWorker({ SCRATCH_DIR: scratch, WORKER_CONCURRENCY: "4", WORKER_PORT: "0", ...env });
  workers.add(worker);
  return worker;
}

async function kill(worker: ServerProcess): Promise<void> {
  workers.delete(worker);
  await worker.kill();
}

/** Stops the workers and checks that they left no files, processes or orphaned objects. */
async function expectNothingLeft(): Promise<void> {
  const running = [...workers];
  workers.clear();
  for (const worker of running) expect(await worker.stop()).toBe(0);
  expect(await readdir(scratch)).toEqual([]);
  expect((await processes()).filter(({ command }) => command.includes(scratch))).toEqual([]);
  await sweepAll(stack);
  expect(await findLeftovers(stack, store)).toEqual(noLeftovers);
}

async function importSome(count: number, size: () => number): Promise<string[]> {
  const ids: string[] = [];
  await inParallel(count, 4, async () => {
    const answer = await tryImport(service, makeRecording(size()));
    if (answer instanceof Error || answer.status !== 200) throw new Error(`not imported: ${inspect(answer)}`);
    ids.push(answer.body.id);
  });
  return ids;
}

async function among(ids: readonly string[], condition: string): Promise<number> {
  const { rows } = await stack.adminDb.query<{ count: number }>(
    `select count(*)::int from call left join call_step on call_id = call.id where call.id = any($1) and ${condition}`,
    [ids],
  );
  return rows[0]?.count ?? Number.NaN;
}

const allReady = (ids: readonly string[], withinMs: number) =>
  until("all calls are ready", withinMs, async () => (await among(ids, "status = 'ready'")) === ids.length, 100);

/** call.ready was emitted exactly once for each call. */
async function expectAnnouncedOnce(ids: readonly string[]): Promise<void> {
  const times = await countEvents(stack, "call.ready");
  expect(ids.filter((id) => times.get(id) !== 1).map((id) => [id, times.get(id) ?? 0])).toEqual([]);
  expect((await countEvents(stack, "call.failed")).size).toBe(0);
}

test(`calls become ready although the worker is killed ${kills} times`, {
  timeout: scale(180_000, 180_000, 3_600_000),
}, async () => {
  say(`seed ${seed}`);
  const all: string[] = [];
  const takenOver: number[] = [];
  let killed = 0;
  let interrupted = 0;
  let worker = await startWorker();
  for (let attempt = 0; killed < kills || interrupted < killedJobs; attempt++) {
    expect(attempt, "jobs are under way when the worker is killed").toBeLessThan(kills * 4);
    // Several minutes long, so that the kill hits a running preparation.
    const ids = await importSome(4, () => Math.floor(MB * (4 + chance() * 4)));
    all.push(...ids);
    const wanted = 1 + Math.floor(chance() * 4);
    const under = "state = 'running' and status = 'received'";
    await until(
      "jobs are running",
      30_000,
      async () => (await among(ids, under)) >= wanted || (await among(ids, "status = 'received'")) === 0,
    );
    await sleep(chance() * 800);
    await kill(worker);
    const at = Date.now();
    const open = await among(ids, under);
    worker = await startWorker();
    await allReady(ids, takenOverWithinMs + 30_000);
    if (open === 0) continue;
    killed++;
    interrupted += open;
    takenOver.push(Date.now() - at);
  }
  say(
    `${killed} kills, ${interrupted} jobs killed; all done ${Math.max(...takenOver)} ms later at most, half of them ${percentile(takenOver, 0.5)}`,
  );
  expect(Math.max(...takenOver)).toBeLessThan(takenOverWithinMs);
  await expectAnnouncedOnce(all);
  await expectNothingLeft();
});

test(`an invitation is sent once although the worker is killed ${invitationKills} times`, {
  timeout: scale(120_000, 120_000, 1_800_000),
}, async () => {
  const sink = await openMailSink();
  const mail = { SMTP_URL: sink.url };
  const api = await stack.startApi({ env: mail });
  try {
    const emails: string[] = [];
    let slowest = 0;
    for (let time = 0; time < invitationKills; time++) {
      sink.stall(true);
      let worker = await startWorker(mail);
      const email = uniqueEmail("reviewer");
      emails.push(email);
      const body = { email, name: "Rita", role: "reviewer", send_invite_email: true };
      expect((await postUser({ ...service, baseUrl: api.baseUrl }, body)).status).toBe(201);
      await until("the email is half sent", 20_000, () => sink.waiting() === 1);
      await kill(worker);
      const at = Date.now();
      sink.stall(false);
      worker = await startWorker(mail);
      await until("the email is accepted", takenOverWithinMs, () => sink.taken.includes(email));
      slowest = Math.max(slowest, Date.now() - at);
      workers.delete(worker);
      expect(await worker.stop()).toBe(0);
    }
    say(`${invitationKills} kills; the email accepted at most ${slowest} ms later`);
    expect(sink.taken.toSorted()).toEqual(emails.toSorted());
  } finally {
    sink.close();
    await api.stop();
  }
});

test(`a backlog of ${backlog} calls is processed although one of two workers is killed repeatedly`, {
  timeout: scale(240_000, 240_000, 7_200_000),
}, async () => {
  const ids = await importSome(backlog, () => Math.floor(KB * (60 + chance() * 200)));
  const begun = Date.now();
  const pair = await Promise.all([startWorker(), startWorker()]);
  let killed = 0;
  const countReady = () => among(ids, "status = 'ready'");
  for (let ready = 0; ready < ids.length; ready = await countReady(), await sleep(50)) {
    if (Date.now() - begun > scale(180_000, 180_000, 6_000_000))
      throw new Error(`not done: ${JSON.stringify(await countByState(stack))}`);
    if (ready < 1 + killed * callsPerKill) continue;
    const victim = pair.shift();
    if (victim) await kill(victim);
    pair.push(await startWorker());
    killed++;
  }
  const seconds = (Date.now() - begun) / 1000;
  say(`${backlog} calls in ${seconds.toFixed(0)} s (${(backlog / seconds).toFixed(1)}/s), ${killed} kills`);
  expect(killed).toBeGreaterThan(0);
  await expectAnnouncedOnce(ids);
  await expectNothingLeft();
});
