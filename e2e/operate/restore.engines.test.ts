import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DeleteObjectCommand, ListObjectVersionsCommand, PutBucketVersioningCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Person, type ReviewTests, reviewTestsOn } from "../scoring/support/review-tests.ts";
import { findDamage, findLeftovers, noDamage, noLeftovers, sweepAll } from "../support/data/damage-report.ts";
import { type EventClient, eventClient } from "../support/http/event-client.ts";
import { type EventFollower, followEvents, readAllEvents } from "../support/http/follow-events.ts";
import { type Call, createAgent, postUser, type Service, type User } from "../support/http/service.ts";
import { type Backfill, backfillOptions, writeBackfill } from "../support/recordings/backfill.ts";
import { KB } from "../support/recordings/recordings.ts";
import { scale } from "../support/run-scale.ts";
import { openReceiver, type Receiver } from "../support/servers/webhook-receiver.ts";
import { runCommand } from "../support/stack/command.ts";
import { placesOf } from "../support/stack/dumps.ts";
import { server } from "../support/stack/environment.ts";
import { thisRelease } from "../support/stack/release.ts";
import { engine, openStack, type ServerProcess, type Stack, s3Client, unlimited } from "../support/stack/stack.ts";
import { openStore, type Store } from "../support/stack/store.ts";
import { templateOf } from "../support/stack/template.ts";
import { say, until } from "../support/waiting.ts";
import { type BackedUpCluster, startBackedUpCluster } from "./support/pgbackrest.ts";
import { type RestoreSteps, readRestoreSteps } from "./support/restore-steps.ts";
import { type SentCall, sendCall, sendCalls } from "./support/sent-calls.ts";

/*
 * The restore drill: the database folder and a part of the bucket are destroyed, and the commands of
 * docs/operations/backup-and-upgrade.md bring back the state of a point in time.
 */

const run = promisify(execFile);
/** Calls that clients send in each phase, and rows of each manifest. */
const count = scale(5, 5, 64);
const rows = scale(4, 4, 400);

let folder: string;
let backedUp: BackedUpCluster;
let stack: Stack;
let store: Store;
let tests: ReviewTests;
let service: Service;
let client: EventClient;
let receiver: Receiver;
let eventsBeforeWebhook: readonly string[];
let follower: EventFollower;
const followedIds = () => follower.events.map(({ id }) => id);
let reviewer: Person;
let supervisor: Person;
let processes: ServerProcess[] = [];
let steps: RestoreSteps;
let pointInTime: string;

interface Agents {
  readonly kept: User;
  readonly erasedBefore: User;
  readonly erasedAfter: User;
}
let agents: Agents;
/** Calls acknowledged before the point in time, and after it. */
const before: SentCall[] = [];
const after: SentCall[] = [];
const erased = new Set<SentCall>();
let held: SentCall;
/** Revoked after the point in time. */
let leakedKey: { readonly id: string; readonly key: string };
let backfills: Record<"before" | "after", Backfill>;
/** Reviews submitted before the point in time: path and content. */
const reviews = new Map<string, unknown>();
let lostReview: string;
interface CallKeys {
  readonly id: string;
  readonly recording_key: string;
  readonly playback_key: string;
  readonly drawing_key: string;
}
/** Calls that are ready at the point in time. */
let prepared: readonly CallKeys[];
/** Objects that were destroyed: those that can be restored, and those that only importers have. */
const destroyed = { restorable: [] as string[], gone: [] as string[] };

async function inBucket<T>(work: (Bucket: string, s3: ReturnType<typeof s3Client>) => Promise<T>): Promise<T> {
  const s3 = s3Client();
  return work(stack.env.S3_BUCKET ?? "", s3).finally(() => s3.destroy());
}

/** PostgreSQL is stopped already, like everything in this test: by a crash. */
async function stopUnit(unit: string): Promise<void> {
  if (unit === "postgresql") await backedUp.cluster.crash();
}

async function startUnit(unit: string): Promise<void> {
  if (unit === "postgresql") await backedUp.cluster.start();
  else if (unit === "hearback-api") processes.push(await stack.startApi({ port: tests.api.port }));
  else if (unit === "hearback-worker") processes.push(await stack.startWorker());
  else throw new Error(`unknown unit ${unit}`);
}

const allReady = () =>
  until("every call is ready", 120_000, async () => {
    const { rows } = await stack.adminDb.query("select from call where status <> 'ready'");
    return rows.length === 0;
  });

async function runImport(backfill: Backfill): Promise<void> {
  const { code, stderr } = await runCommand(
    { baseUrl: tests.baseUrl, apiKey: service.apiKey },
    ...["import", ...backfillOptions(backfill, stack.campaignId), "--create-agents", "--yes"],
  );
  expect(code, stderr).toBe(0);
}

/** Reviews a call and returns the path of the review. */
async function review({ id }: SentCall, { release }: { release: boolean }): Promise<string> {
  const ok = ({ status, text }: { status: number; text: string }) => expect(status, text).toBeLessThan(300);
  const body = { call_id: id, scorecard_id: tests.scorecardId };
  const started = await reviewer.ask<{ id: string }>("POST", "/reviews", { body });
  ok(started);
  const path = `/reviews/${started.body.id}`;
  for (const [nth, question] of ["greeting", "identity"].entries())
    ok(await reviewer.ask("PUT", `${path}/answers/${question}`, { body: { value: "yes" }, ifMatch: nth + 1 }));
  ok(await reviewer.ask("POST", `${path}/submit`, { ifMatch: 3 }));
  if (release) ok(await supervisor.ask("POST", `${path}/release`));
  return path;
}

async function erase(subject: object, ...calls: (SentCall | undefined)[]): Promise<void> {
  const requested = await client.ask<{ id: string }>("POST", "/erasures", subject);
  expect(requested.status, requested.text).toBe(202);
  await until("the erasure is done", 60_000, async () => {
    const { body } = await client.ask<{ state: string }>("GET", `/erasures/${requested.body.id}`);
    return body.state === "done";
  });
  for (const call of calls) if (call) erased.add(call);
}

async function eraseCall(call: SentCall | undefined): Promise<void> {
  expect((await client.ask("DELETE", `/calls/${call?.id}`)).status).toBe(204);
  if (call) erased.add(call);
}

async function workBeforeBackup(): Promise<void> {
  leakedKey = await stack.command("key", "create", "--workspace", stack.workspaceId, "--name", "leaked", "--json");
  agents = {
    kept: await createAgent(service),
    erasedBefore: await createAgent(service, "Quentin Zzbefore"),
    erasedAfter: await createAgent(service, "Quentin Zzafter"),
  };
  const [kept, ofErased, ofErasedLater] = await Promise.all([
    sendCalls(service, count, agents.kept.email),
    sendCalls(service, 2, agents.erasedBefore.email),
    sendCalls(service, 3, agents.erasedAfter.email),
    runImport(backfills.before),
  ]);
  before.push(...kept, ...ofErased, ...ofErasedLater);
  await allReady();
  for (const call of kept.slice(0, 3)) reviews.set(await review(call, { release: true }), undefined);
  await eraseCall(kept.at(-1));
  await erase({ agent_id: agents.erasedBefore.id }, ...ofErased);
}

async function workUntilPointInTime(): Promise<void> {
  const more = await sendCalls(service, count, agents.kept.email);
  before.push(...more);
  await allReady();
  const [first, second, third] = more as [SentCall, SentCall, SentCall];
  reviews.set(await review(first, { release: true }), undefined);
  reviews.set(await review(second, { release: false }), undefined);
  await eraseCall(third);
  const { rows: found } = await stack.adminDb.query<CallKeys>(
    "select id, recording_key, playback_key, drawing_key from call order by id",
  );
  prepared = found;
  // Not prepared at the point in time.
  before.push(...(await sendCalls(service, 2, agents.kept.email)));
  for (const path of reviews.keys()) reviews.set(path, (await supervisor.ask("GET", path)).body);
  const [row] = await backedUp.cluster.query<{ now: string }>("select clock_timestamp()::text as now");
  pointInTime = row?.now ?? "";
}

/** Everything here is after the point in time. The last calls are not even in the archive. */
async function workThatIsLost(): Promise<void> {
  const [first, second, third, fourth] = before as [SentCall, SentCall, SentCall, SentCall];
  after.push(...(await sendCalls(service, count, agents.kept.email)));
  await runImport(backfills.after);
  await allReady();
  lostReview = await review(fourth, { release: true });
  held = first;
  expect((await client.ask("POST", "/holds", { call_id: held.id, reason: "Case 2026-114" })).status).toBe(201);
  await stack.command("key", "revoke", leakedKey.id, "--workspace", stack.workspaceId);
  await eraseCall(second);
  await erase({ metadata: { key: "client_phone", value: third.phone } }, third);
  await eraseCall(after[0]);
  await erase(
    { agent_id: agents.erasedAfter.id },
    ...before.filter(({ agentId }) => agentId === agents.erasedAfter.id),
  );
  await backedUp.archiveNow();
  after.push(await sendCall(service, agents.kept.email));
  await until("the reader has all events", 20_000, async () => {
    const all = await readAllEvents(client);
    return all.every((id) => followedIds().includes(id));
  });
}

async function destroy(): Promise<void> {
  const gone = new Set([...erased].map(({ id }) => id));
  const sent = new Set(before.map(({ id }) => id));
  const [ofClients, ofManifest] = [true, false].map((isSent) =>
    prepared.filter(({ id }) => sent.has(id) === isSent && !gone.has(id)),
  ) as [CallKeys[], CallKeys[]];
  const at = (calls: readonly CallKeys[], ...places: number[]) => places.flatMap((place) => calls[place] ?? []);
  destroyed.restorable.push(
    ...[...at(ofClients, 0), ...at(ofManifest, 0)].map((keys) => keys.recording_key),
    ...at(ofClients, 1).flatMap((keys) => [keys.playback_key, keys.drawing_key]),
  );
  destroyed.gone.push(
    ...[...at(ofClients, 2), ...at(ofManifest, 1)].map((keys) => keys.recording_key),
    ...at(ofClients, 3).map((keys) => keys.playback_key),
    ...at(ofManifest, 2).map((keys) => keys.drawing_key),
  );
  if (engine === "filesystem") await cp(stack.env.STORAGE_DIR ?? "", join(folder, "copy"), { recursive: true });
  for (const process of processes.splice(0)) await process.kill();
  await backedUp.cluster.crash();
  for (const part of ["base", "global", "pg_wal"])
    await rm(join(backedUp.cluster.data, part), { recursive: true, force: true });
  for (const key of [...destroyed.restorable, ...destroyed.gone]) await store.remove(key);
  for (const key of destroyed.gone) await removeForever(key);
}

/** Also deletes the old versions of an object, or its copy. */
async function removeForever(key: string): Promise<void> {
  if (engine === "filesystem") return rm(join(folder, "copy", key));
  await inBucket(async (Bucket, s3) => {
    const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix: key }));
    for (const { Key, VersionId } of Versions) await s3.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
  });
}

/** Reports of the steps. */
let replayed: unknown;
let verified: { restored: number; prepared_again: number; damaged: { call_id: string }[] };
let missingAfterRestore: string[];

async function restore(): Promise<void> {
  await steps.run(1);
  await steps.run(2, { "2026-11-18 03:15:00+00": pointInTime });
  const { rows: found } = await stack.adminDb.query<{ id: string }>("select id from call");
  const ids = new Set(found.map(({ id }) => id));
  missingAfterRestore = [...before, ...after].filter(({ id }) => !ids.has(id)).map(({ id }) => id);
  await steps.run(3);
  await steps.run(4, {
    ...{ WORKSPACE: stack.workspaceId, CALL: held.id, CAMPAIGN: stack.campaignId, KEY: leakedKey.id },
    // The conversations of this test were years ago.
    "--days 180": "--days 36500",
  });
  replayed = (await steps.run(5))[0]?.output;
  await steps.run(6);
  const source: Record<string, string> =
    engine === "filesystem" ? { "--restore-from versions": `--restore-from ${join(folder, "copy")}` } : {};
  verified = (await steps.run(7, source))[0]?.output as typeof verified;
}

describe.skipIf(process.getuid?.() !== 0)("a restore by the document (needs root)", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "hearback-restore-"));
    backedUp = await startBackedUpCluster();
    const settings = { ...unlimited, WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32" };
    const [create = "", ...rest] = backedUp.commands;
    await backedUp.shell(create);
    stack = await openStack(engine, settings, { postgres: backedUp.cluster.env });
    // Half of what is backed up and restored.
    await backedUp.cluster.query(`drop database ${templateOf(thisRelease)}`);
    store = openStore(stack);
    // As deploy/roles.sql does in the database of an installation.
    await stack.adminDb.query("grant execute on function pg_ls_waldir() to hearback_service");
    if (engine === "s3") {
      const VersioningConfiguration = { Status: "Enabled" } as const;
      await inBucket((Bucket, s3) => s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration })));
    }
    tests = await reviewTestsOn(stack, await stack.startApi());
    const { baseUrl } = tests;
    client = await eventClient(stack, baseUrl);
    service = { ...tests.service, apiKey: client.apiKey };
    receiver = await openReceiver();
    await client.createWebhook(receiver.url);
    eventsBeforeWebhook = await readAllEvents(client);
    follower = followEvents(client);
    steps = await readRestoreSteps(backedUp, stack, { start: startUnit, stop: stopUnit });
    const [worker, ...people] = await Promise.all([
      stack.startWorker(),
      tests.person("reviewer"),
      tests.person("supervisor"),
    ]);
    processes = [tests.api, worker];
    [reviewer, supervisor] = people;
    backfills = {
      before: await writeBackfill(join(folder, "before"), { calls: rows, agents: 2, bytes: 8 * KB }),
      after: await writeBackfill(join(folder, "after"), { calls: rows, agents: 2, bytes: 8 * KB }),
    };

    await workBeforeBackup();
    for (const command of rest) await backedUp.shell(command);
    await workUntilPointInTime();
    await workThatIsLost();
    await destroy();
    await restore();
  }, 600_000);

  afterAll(async () => {
    follower?.abandon();
    await receiver?.close();
    await stack?.stop();
    await store?.close();
    await backedUp?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test("the restored database has every call acknowledged before the point in time, and none after it", () => {
    const erasedBefore = before.filter((call) => erased.has(call) && missingAfterRestore.includes(call.id));
    expect(new Set(missingAfterRestore)).toEqual(new Set([...erasedBefore, ...after].map(({ id }) => id)));
    expect(erasedBefore).toHaveLength(4);
  });

  test("erasures after the point in time are replayed; the hold and the revoked key are in effect again", async () => {
    // Two calls, and the three of the agent. The call that was imported after the point in time is only blocked.
    expect(replayed).toMatchObject({ erased: 5, held_back: 0 });
    expect((await client.ask("DELETE", `/calls/${held.id}`)).status).toBe(409);
    const answer = await fetch(`${tests.baseUrl}/calls`, { headers: { "x-api-key": leakedKey.key } });
    expect(answer.status).toBe(401);

    const hold = (...args: string[]) =>
      stack.command<{ id: string; call_id: string }[]>("hold", ...args, "--workspace", stack.workspaceId, "--json");
    const [listed] = await hold("list");
    expect(listed?.call_id).toBe(held.id);
    await hold("release", listed?.id ?? "");
    expect(await hold("list")).toEqual([]);
  });

  test("lost objects of calls are restored from versions or a copy, others are reported or made again", () => {
    expect(verified).toMatchObject({ restored: destroyed.restorable.length, prepared_again: 2 });
    expect(verified.damaged).toHaveLength(2);
  });

  test("importers that send everything again heal what was lost, and bring back nothing erased", async () => {
    for (const { email, name } of [agents.erasedBefore, agents.erasedAfter])
      await postUser(service, { email, name, role: "agent", send_invite_email: false });
    const calls = [...before, ...after];
    const answers = new Map<string, Call>();
    await Promise.all(calls.map(async (call) => answers.set(call.id, await call.again())));
    const expected = (call: SentCall) => {
      if (erased.has(call)) return { id: call.id, duplicate: true, status: "erased" };
      return { id: call.id, duplicate: before.includes(call) };
    };
    expect(calls.map(({ id }) => answers.get(id))).toMatchObject(calls.map(expected));
    const isRestored = ({ warnings }: Call) => warnings.some(({ code }) => code === "recording_restored");
    const healed = [...answers.values()].filter(isRestored).map(({ id }) => id);
    expect(healed).toEqual(verified.damaged.map(({ call_id }) => call_id).filter((id) => answers.has(id)));
    expect(healed).toHaveLength(1);

    const connection = { baseUrl: tests.baseUrl, apiKey: service.apiKey };
    await Promise.all(
      Object.values(backfills).map(async (backfill) => {
        const reconciled = await runCommand(connection, "reconcile", ...backfillOptions(backfill, stack.campaignId));
        expect(reconciled.code, reconciled.stdout).toBe(5);
        await runImport(backfill);
      }),
    );
    await allReady();
    const acknowledged = new Map(calls.filter((call) => !erased.has(call)).map(({ sha256, id }) => [sha256, id]));
    expect(await findDamage(stack, store, acknowledged)).toEqual(noDamage);
    const { rows: stored } = await stack.adminDb.query<{ count: number }>("select count(*)::int as count from call");
    expect(stored[0]?.count).toBe(acknowledged.size + 2 * rows);
  });

  test("reviews submitted before the point in time are unchanged; later ones are gone", async () => {
    expect(reviews.size).toBe(5);
    for (const [path, content] of reviews) expect((await supervisor.ask("GET", path)).body).toEqual(content);
    expect((await supervisor.ask("GET", lostReview)).status).toBe(404);
  });

  test("no trace remains of erased calls and agents", async () => {
    const words = [...[...erased].flatMap((call) => call.words), "Zzbefore", "Zzafter"];
    // Sent again, the agents exist again, without calls.
    for (const { id } of [agents.erasedBefore, agents.erasedAfter]) await erase({ agent_id: id });
    expect(await placesOf(words, { store, databaseUrl: stack.env.DATABASE_URL })).toEqual([]);
    for (const { id } of erased) expect((await client.ask("GET", `/calls/${id}`)).status).toBe(404);
  });

  test("readers of events and webhooks continue without a gap, and recognise repeats", async () => {
    after.push(await sendCall(service, agents.kept.email));
    await allReady();
    const all = await readAllEvents(client);
    const stored = new Set(all);
    const missingFrom = (ids: Iterable<string>) => {
      const seen = new Set(ids);
      return all.filter((id) => !seen.has(id));
    };
    await expect.poll(() => missingFrom(followedIds()), { timeout: 30_000 }).toEqual([]);
    const delivered = () => [...eventsBeforeWebhook, ...receiver.taken()];
    await expect.poll(() => missingFrom(delivered()), { timeout: 30_000 }).toEqual([]);
    expect(follower.refusals.filter(({ status }) => status >= 400 && status < 500)).toEqual([]);
    expect(new Set(followedIds()).size, "no event twice").toBe(followedIds().length);
    expect(
      followedIds().filter((id) => stored.has(id)),
      "in order",
    ).toEqual(all);
    const bodies = Map.groupBy(receiver.received, ({ headers }) => String(headers["webhook-id"]));
    for (const deliveries of bodies.values()) expect(new Set(deliveries.map(({ body }) => body)).size).toBe(1);
    const repeats = receiver.received.length - bodies.size;
    say(`${all.length} events, of ${followedIds().length} that were read; the webhook got ${repeats} again`);
  });

  test("a new backup passes, and every check is clean", async () => {
    const checks = await steps.run(9);
    expect(checks.find(({ line }) => line === "hearback-server verify")?.output).toMatchObject({ damaged: [] });
  });

  test("the next day, the sweep finds and deletes the objects without rows", async () => {
    const tomorrow = async (...args: string[]) => {
      const clock = ["--import", join(import.meta.dirname, "support/shift-clock.ts")];
      const env = { ...stack.env, CLOCK_AHEAD_HOURS: "30" };
      return JSON.parse((await run(process.execPath, [...clock, server, ...args], { env })).stdout);
    };
    const { rows: staged } = await stack.adminDb.query<{ key: string }>("select key from staged_object");
    const known = new Set(staged.map(({ key }) => key));
    const orphans = (await findLeftovers(stack, store)).objectsWithoutRow.filter(
      (key) => !key.startsWith("erasures/") && !known.has(key),
    );
    expect(orphans.length).toBeGreaterThanOrEqual(after.length);
    const swept = await steps.run(10, { DAY: pointInTime.slice(0, 10) }, tomorrow);
    expect(swept).toMatchObject([{ output: { orphans: orphans.length } }]);
    await sweepAll(stack);
    const leftovers = await findLeftovers(stack, store);
    const objectsWithoutRow = leftovers.objectsWithoutRow.filter((key) => !key.startsWith("erasures/"));
    expect({ ...leftovers, objectsWithoutRow }).toEqual(noLeftovers);
    expect(steps.left()).toEqual([]);
  });
});
