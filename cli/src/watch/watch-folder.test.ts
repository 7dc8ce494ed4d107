import { appendFile, mkdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Mapping } from "../manifest/mapping.ts";
import { filesIn, nameOf, once, openWatched, start, until, wav } from "./testing/watched-folder.ts";

test("imports and marks existing and new recordings, including subfolders", async () => {
  const opened = await openWatched();
  const { service, root } = opened;
  await mkdir(join(root, "monday"));
  await writeFile(join(root, nameOf(1)), wav(1));
  await writeFile(join(root, "monday", "notes.txt"), "not a recording");
  const { events, stop } = start(opened, { plan: { pattern: undefined, mapping: byName } });
  await until(() => service.calls.size === 1);
  await writeFile(join(root, "monday", nameOf(2)), wav(2));
  await until(() => events.length === 2);
  const status = await stop();
  expect(status).toMatchObject({ imported: 2, present: 0, failed: 0 });
  const [call] = service.calls.values();
  // 9:00:01 in Paris on 2 March is 8:00:01 UTC.
  expect(call).toMatchObject({ agent: "ann@example.com", timestamp: 1_772_438_401, campaign: "support" });
  expect(events.map(({ event }) => event)).toEqual(["imported", "imported"]);
  const mark = JSON.parse(await readFile(join(root, `${nameOf(1)}.imported`), "utf8"));
  expect(mark).toMatchObject({ call: call?.id, sha256: call?.sha256, bytes: 1644 });
});

/** A mapping that reads everything from the path. */
const byName: Mapping = {
  columns: ["name"],
  agent_email: "{name|/([^\\/_]+)_\\d{14}/}",
  time: { from: "{name|/_(\\d{14})/}", format: "yyyyMMddHHmmss" },
  rest: "drop",
};

test("imports nothing twice: in the next pass, after a restart, or without markers", async () => {
  const opened = await openWatched();
  const { service, root } = opened;
  await writeFile(join(root, nameOf(1)), wav(1));
  const first = start(opened);
  await until(() => service.calls.size === 1);
  await sleep(500);
  await first.stop();
  await once(opened);
  expect(service.counts).toMatchObject({ uploads: 1, lookedUp: 1 });
  await rm(join(root, `${nameOf(1)}.imported`));
  const status = await once(opened);
  expect(status).toMatchObject({ imported: 0, present: 1 });
  expect(service.counts).toMatchObject({ uploads: 1, lookedUp: 2 });
  expect(await filesIn(root)).toEqual([nameOf(1), `${nameOf(1)}.imported`]);
});

test("waits until a file stops growing", async () => {
  const opened = await openWatched();
  const { service, root } = opened;
  const whole = wav(3, 4000);
  const path = join(root, nameOf(1));
  await writeFile(path, whole.subarray(0, 1000));
  start(opened);
  for (let at = 1000; at < whole.length; at += 1000) {
    await sleep(150);
    expect(service.calls.size).toBe(0);
    await appendFile(path, whole.subarray(at, at + 1000));
  }
  await until(() => service.calls.size > 0);
  expect(service.counts.uploads).toBe(1);
});

test("waits while the length in the WAV header does not match the file", async () => {
  const opened = await openWatched();
  const { service, root } = opened;
  const whole = wav(4, 4000);
  const path = join(root, nameOf(1));
  await writeFile(path, whole.subarray(0, 3000));
  start(opened, { settleMs: 200 });
  await sleep(700);
  expect(service.calls.size).toBe(0);
  await writeFile(path, whole);
  await until(() => service.calls.size === 1);
});

test("imports an old recording whose header was never completed", async () => {
  const opened = await openWatched();
  const { service, root } = opened;
  await writeFile(join(root, nameOf(1)), wav(4, 4000).subarray(0, 3000));
  const hourAgo = new Date(Date.now() - 3_600_000);
  await utimes(join(root, nameOf(1)), hourAgo, hourAgo);
  await once(opened);
  expect(service.calls.size).toBe(1);
});

test("imports a file that is renamed into place, and ignores its temporary name", async () => {
  const opened = await openWatched();
  const { service, root } = opened;
  const partial = join(root, `.${nameOf(1)}.part`);
  await writeFile(partial, wav(5));
  await writeFile(join(root, `${nameOf(2)}.tmp`), wav(6));
  const { events } = start(opened);
  await sleep(600);
  expect(service.requests).toEqual([]);
  await rename(partial, join(root, nameOf(1)));
  await until(() => events.length === 1);
  expect(service.calls.size).toBe(1);
});

test("waits for a sidecar that is written after the recording", async () => {
  const opened = await openWatched();
  const { service, root } = opened;
  const sidecar = JSON.stringify({
    agent: { mail: "ann@example.com" },
    started: 1_772_438_401,
    caller: "+33612345678",
    seconds: 42,
  });
  await writeFile(join(root, "88213.wav"), wav(7));
  const mapping: Mapping = {
    agent_email: ["{agent.login}", "{agent.mail}"],
    time: { from: "{started}", format: "unix" },
    metadata: { client_phone: ["{callback}", "{caller}"], queue: "{queue}" },
    rest: "drop",
  };
  const { stop } = start(opened, { sidecar: "{name}.json", plan: { mapping } });
  await sleep(700);
  await writeFile(join(root, "88213.json"), sidecar.slice(0, 20));
  await sleep(150);
  expect(service.calls.size).toBe(0);
  await appendFile(join(root, "88213.json"), sidecar.slice(20));
  await until(() => service.calls.size === 1);
  const [call] = service.calls.values();
  expect(call).toMatchObject({
    timestamp: 1_772_438_401,
    metadata: '[{"key":"client_phone","value":"+33612345678"}]',
  });
  expect(await stop()).toMatchObject({ failed: 0 });
});

test("waits for an unreachable service and resumes", async () => {
  const opened = await openWatched();
  const { service, root, folder } = opened;
  await service.close();
  await writeFile(join(root, nameOf(1)), wav(1));
  const statusFile = join(folder, "status.json");
  const { stop, events } = start(opened, { statusFile });
  await sleep(1500);
  const reopenedAt = Date.now();
  await service.reopen();
  await until(() => events.some(({ event }) => event === "imported" || event === "present"));
  await stop();
  const status = JSON.parse(await readFile(statusFile, "utf8"));
  expect(status).toMatchObject({
    watching: root,
    imported: 1,
    failed: 0,
    waiting_now: 0,
    failed_now: 0,
    problem: null,
  });
  expect(Date.parse(status.at)).toBeGreaterThanOrEqual(reopenedAt);
});

test("resumes when the folder reappears", async () => {
  const opened = await openWatched();
  const { service, root, folder } = opened;
  const { events } = start(opened);
  await rename(root, join(folder, "away"));
  await until(() => events.length === 1);
  await sleep(300);
  expect(events).toEqual([{ event: "problem", detail: expect.stringContaining("ENOENT") }]);
  await writeFile(join(folder, "away", nameOf(1)), wav(1));
  await rename(join(folder, "away"), root);
  await until(() => service.calls.size === 1);
});

test("stops although an upload hangs", async () => {
  const opened = await openWatched();
  const { service, root } = opened;
  service.hooks.fault = (path) => (path === "/calls/audio" ? { kind: "slow", ms: 600_000 } : undefined);
  await writeFile(join(root, nameOf(1)), wav(1));
  const { stop } = start(opened);
  await until(() => service.requests.some(({ path }) => path === "/calls/audio"));
  await stop();
  expect(await filesIn(root)).toEqual([nameOf(1)]);
});

test("--once imports existing recordings even if a scan takes longer than --settle", async () => {
  const opened = await openWatched();
  await writeFile(join(opened.root, nameOf(1)), wav(1));
  await once(opened, { settleMs: 1 });
  expect(opened.service.calls.size).toBe(1);
});

test("imports a recording again after it was replaced", async () => {
  const opened = await openWatched();
  const { service, root } = opened;
  await writeFile(join(root, nameOf(1)), wav(1));
  await once(opened);
  await writeFile(join(root, nameOf(1)), wav(2, 900));
  await once(opened);
  expect(service.calls.size).toBe(2);
});
