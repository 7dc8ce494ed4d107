import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findLeftovers, noLeftovers, sweepAll } from "../support/aftermath.ts";
import { announced, countByState } from "../support/announced.ts";
import { processes } from "../support/machine.ts";
import { openMailSink } from "../support/mail-sink.ts";
import { withEveryScope } from "../support/prepared.ts";
import { aRecording, KB, MB, serviceAt, tryImport } from "../support/recordings.ts";
import { anEmail, postUser, type Service } from "../support/service.ts";
import { full, random, seed } from "../support/sizes.ts";
import { openStack, type ServerProcess, type Stack, unlimited } from "../support/stack.ts";
import { openStore, type Store } from "../support/store.ts";
import { inParallel, percentile, say, until } from "../support/waiting.ts";

const kills = full ? 25 : 2;
const killedJobs = full ? 100 : 0;
const invitationKills = full ? 25 : 1;
const backlog = full ? 2_000 : 30;
const backlogKillMs = full ? 20_000 : 5_000;
/** Sixty calls may be done before the first five seconds are over. */
const firstKillMs = full ? 20_000 : 1_000;
const takenOverWithinMs = 30_000;

const chance = random();
let stack: Stack;
let store: Store;
let service: Service;
let scratch: string;
/** Whatever still runs when a test has failed. */
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

/** Ends what runs and shows that nothing of it is left: no file, no process, no object without a call. */
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
    const answer = await tryImport(service, aRecording(size()));
    if (answer instanceof Error || answer.status !== 200) throw new Error(`not imported: ${answer}`);
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

/** Each of these was announced as ready, once. */
async function expectAnnouncedOnce(ids: readonly string[]): Promise<void> {
  const times = await announced(stack, "call.ready");
  expect(ids.filter((id) => times.get(id) !== 1).map((id) => [id, times.get(id) ?? 0])).toEqual([]);
  expect((await announced(stack, "call.failed")).size).toBe(0);
}

test(`calls are prepared though their worker is killed ${kills} times in the middle`, {
  timeout: full ? 3_600_000 : 180_000,
}, async () => {
  say(`seed ${seed}`);
  const all: string[] = [];
  const takenOver: number[] = [];
  let killed = 0;
  let interrupted = 0;
  let worker = await startWorker();
  for (let attempt = 0; killed < kills || interrupted < killedJobs; attempt++) {
    expect(attempt, "jobs are under way when the worker is killed").toBeLessThan(kills * 4);
    // Some minutes long, so that there is a middle.
    const ids = await importSome(4, () => Math.floor(MB * (4 + chance() * 4)));
    all.push(...ids);
    const wanted = 1 + Math.floor(chance() * 4);
    const under = "state = 'running' and status = 'received'";
    await until(
      "jobs are under way",
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

test(`an invitation is sent once though the worker is killed ${invitationKills} times in the middle`, {
  timeout: full ? 1_800_000 : 120_000,
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
      const email = anEmail("reviewer");
      emails.push(email);
      const body = { email, name: "Rita", role: "reviewer", send_invite_email: true };
      expect((await postUser({ ...service, baseUrl: api.baseUrl }, body)).status).toBe(201);
      await until("the letter is half sent", 20_000, () => sink.waiting() === 1);
      await kill(worker);
      const at = Date.now();
      sink.stall(false);
      worker = await startWorker(mail);
      await until("the letter is taken", takenOverWithinMs, () => sink.taken.includes(email));
      slowest = Math.max(slowest, Date.now() - at);
      workers.delete(worker);
      expect(await worker.stop()).toBe(0);
    }
    say(`${invitationKills} kills; the letter taken ${slowest} ms later at most`);
    expect(sink.taken.toSorted()).toEqual(emails.toSorted());
  } finally {
    sink.close();
    await api.stop();
  }
});

test(`a backlog of ${backlog} calls is worked off though one of two workers is killed again and again`, {
  timeout: full ? 7_200_000 : 240_000,
}, async () => {
  const ids = await importSome(backlog, () => Math.floor(KB * (60 + chance() * 200)));
  const pair = [await startWorker(), await startWorker()];
  const begun = Date.now();
  let killed = 0;
  const done = async () => (await among(ids, "status = 'ready'")) === ids.length;
  for (let next = Date.now() + firstKillMs; !(await done()); await sleep(200)) {
    if (Date.now() - begun > (full ? 6_000_000 : 180_000))
      throw new Error(`not done: ${JSON.stringify(await countByState(stack))}`);
    if (Date.now() < next) continue;
    next += backlogKillMs;
    const victim = pair.shift();
    if (victim) await kill(victim);
    pair.push(await startWorker());
    killed++;
  }
  const seconds = (Date.now() - begun) / 1000;
  say(`${backlog} calls in ${seconds.toFixed(0)} s (${(backlog / seconds).toFixed(1)} a second), ${killed} kills`);
  expect(killed).toBeGreaterThan(0);
  await expectAnnouncedOnce(ids);
  await expectNothingLeft();
});
