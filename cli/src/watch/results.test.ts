import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { filesIn, nameOf, once, openWatched, start, until, wav } from "./testing/watched-folder.ts";

test("writes a failure marker next to the recording and retries when the sidecar changes", async () => {
  const opened = await openWatched();
  const { service, root } = opened;
  await writeFile(join(root, "1.wav"), wav(1));
  await writeFile(join(root, "1.json"), '{"agent_email":"ann@example.com","time":');
  const { events } = start(opened, { sidecar: "{name}.json" });
  await until(() => events.length === 1);
  const note = JSON.parse(await readFile(join(root, "1.wav.failed.json"), "utf8"));
  expect(note).toMatchObject({ code: "sidecar_invalid", fix: expect.stringContaining("read again when it changes") });
  await sleep(600);
  expect(events).toHaveLength(1);
  await writeFile(join(root, "1.json"), '{"agent_email":"ann@example.com","time":1772438401}');
  await until(() => service.calls.size === 1);
  await until(async () => (await filesIn(root)).join() === "1.json,1.wav,1.wav.imported");
});

test("creates an agent only with createAgents and a known name", async () => {
  const opened = await openWatched();
  const { service, root, folder } = opened;
  const agentsFile = join(folder, "agents.csv");
  await writeFile(agentsFile, "agent,email,name\n1001,bob@example.com,Bob Ray\n1002,eve@example.com,\n");
  for (const [at, agent] of ["1001", "1002"].entries())
    await writeFile(join(root, `${agent}_2026030209000${at}.wav`), wav(at + 1));
  const plan = { agentsFile, pattern: "{agent}_{time:yyyyMMddHHmmss}.wav" };
  expect(await once(opened, { plan })).toMatchObject({ imported: 0, failed: 2 });
  for (const file of await filesIn(root)) if (file.endsWith(".failed.json")) await rm(join(root, file));
  expect(await once(opened, { plan, createAgents: true })).toMatchObject({ imported: 1, failed: 1 });
  expect([...service.agents]).toEqual(["ann@example.com", "bob@example.com"]);
  expect(await filesIn(root)).toContain("1002_20260302090001.wav.failed.json");
});

test("stops when the key lacks permission to create agents, without marking recordings as failed", async () => {
  const opened = await openWatched();
  const { service, root, folder } = opened;
  const agentsFile = join(folder, "agents.csv");
  await writeFile(agentsFile, "agent,email,name\n1001,bob@example.com,Bob Ray\n");
  await writeFile(join(root, "1001_20260302090000.wav"), wav(1));
  service.hooks.fault = (path) =>
    path === "/users/invite" ? { kind: "answer", status: 403, code: "scope_missing" } : undefined;
  const plan = { agentsFile, pattern: "{agent}_{time:yyyyMMddHHmmss}.wav" };
  await expect(once(opened, { plan, createAgents: true })).rejects.toMatchObject({ exitCode: 3 });
  expect(await filesIn(root)).toEqual(["1001_20260302090000.wav"]);
});

test("moves imported and failed recordings with their subfolders and sidecars, without overwriting files", async () => {
  const opened = await openWatched();
  const { root, folder } = opened;
  const [imported, failed] = [join(folder, "done"), join(root, "failed")];
  await mkdir(join(root, "mon"));
  await mkdir(join(imported, "mon"), { recursive: true });
  await writeFile(join(imported, "mon", "1.wav"), "another");
  await writeFile(join(root, "mon", "1.wav"), wav(1));
  await writeFile(join(root, "mon", "1.json"), '{"agent_email":"ann@example.com","time":1772438401}');
  await writeFile(join(root, "2.wav"), wav(2));
  await writeFile(join(root, "2.json"), '{"agent_email":"nobody","time":1772438402}');
  const status = await once(opened, {
    sidecar: "{name}.json",
    done: { how: "move", folder: imported },
    failedFolder: failed,
    except: new Set(["failed"]),
  });
  expect(status).toMatchObject({ imported: 1, failed: 1 });
  expect(await filesIn(imported)).toEqual(["mon", "mon/1 (2).wav", "mon/1.json", "mon/1.wav"]);
  expect(await filesIn(root)).toEqual(["failed", "failed/2.json", "failed/2.wav", "failed/2.wav.failed.json", "mon"]);
  expect(await readFile(join(imported, "mon", "1.wav"), "utf8")).toBe("another");
});

test.each([
  ["delete", []],
  ["leave", [nameOf(1)]],
] as const)("--done %s", async (how, left) => {
  const opened = await openWatched();
  await writeFile(join(opened.root, nameOf(1)), wav(1));
  expect(await once(opened, { done: { how } })).toMatchObject({ imported: 1 });
  expect(await filesIn(opened.root)).toEqual(left);
});

test("does not delete recordings that were rejected or not confirmed", async () => {
  const opened = await openWatched();
  const { service, root } = opened;
  service.hooks.knowsAgent = () => false;
  await writeFile(join(root, nameOf(1)), wav(1));
  expect(await once(opened, { done: { how: "delete" } })).toMatchObject({ failed: 1 });
  await rm(join(root, `${nameOf(1)}.failed.json`));
  service.hooks.knowsAgent = () => true;
  service.hooks.fault = (path) => (path === "/calls/audio" ? { kind: "cut" } : undefined);
  const { stop } = start(opened, { done: { how: "delete" } });
  await until(() => service.requests.some(({ path }) => path === "/calls/audio"));
  await stop();
  expect(await filesIn(root)).toEqual([nameOf(1)]);
});

test("reloads the agents file when it changes", async () => {
  const opened = await openWatched();
  const { service, root, folder } = opened;
  const agentsFile = join(folder, "agents.csv");
  await writeFile(agentsFile, "agent,email,name\n1002,eve@example.com,Eve\n");
  const plan = { agentsFile, pattern: "{agent}_{time:yyyyMMddHHmmss}.wav" };
  const { events } = start(opened, { plan, settleMs: 100 });
  await sleep(100);
  await writeFile(agentsFile, "agent,email,name\n1002,eve@example.com,Eve\n1001,ann@example.com,Ann Lee\n");
  await sleep(5000);
  await writeFile(join(root, "1001_20260302090000.wav"), wav(1));
  await until(() => events.length > 0);
  expect(events.map(({ event }) => event)).toEqual(["imported"]);
  expect(service.calls.size).toBe(1);
});
