import { spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { command, runCommand } from "../testing/run-command.ts";
import { nameOf, openWatched, pattern, wav } from "../watch/testing/watched-folder.ts";

const apiKey = `hb_c0_${"k".repeat(40)}`;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs `hearback watch` in a child process. */
function run(url: string, args: readonly string[], onOutput: (stop: () => void) => void = () => {}): Promise<Ended> {
  const env = { PATH: "/usr/bin:/bin", HEARBACK_URL: url, HEARBACK_API_KEY: apiKey };
  const child = spawn(process.execPath, [command, "watch", ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
    onOutput(() => child.kill("SIGTERM"));
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

const options = ["--pattern", pattern, "--time-zone", "Europe/Paris", "--campaign", "support"];

test.each([
  ["a missing folder", ["/nowhere", ...options], "No such folder: /nowhere"],
  ["no source of agent and time", ["FOLDER"], "Cannot determine the agent and time"],
  ["a time without a time zone", ["FOLDER", "--pattern", pattern, "--campaign", "support"], "--time-zone"],
  ["a recipe that does not exist", ["FOLDER", "--recipe", "abacus"], "Unknown recipe"],
  ["an invalid --done value", ["FOLDER", ...options, "--done", "burn"], "mark, move:FOLDER, delete or leave"],
  [
    "a move to the watched folder",
    ["FOLDER", ...options, "--done", "move:FOLDER"],
    "cannot be moved to the watched folder",
  ],
  ["an invalid number of seconds", ["FOLDER", ...options, "--settle", "soon"], "a number of seconds"],
])("exits with code 2 for %s", async (_, args, message) => {
  const { service, root } = await openWatched();
  const ran = await runCommand(["watch", ...args.map((arg) => arg.replace("FOLDER", root))], {
    env: { HEARBACK_URL: service.url, HEARBACK_API_KEY: apiKey },
  });
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  expect(service.requests).toEqual([]);
});

test("--once imports, prints text or JSON, and exits with code 1 if something failed", async () => {
  const { service, root, folder } = await openWatched();
  await writeFile(join(root, nameOf(1)), wav(1));
  await writeFile(join(root, "bob@example.com_20260302090000.wav"), wav(2));
  const status = join(folder, "status.json");
  const first = await run(service.url, [root, ...options, "--once", "--settle", "0.2", "--status", status]);
  expect(first).toMatchObject({ code: 1, err: "" });
  const [call] = service.calls.values();
  expect(first.out.split("\n")).toEqual(
    expect.arrayContaining([
      `started: watching ${root} for ${service.url}`,
      `imported: ${nameOf(1)} (call ${call?.id})`,
      expect.stringContaining("failed: bob@example.com_20260302090000.wav: agent_not_found: "),
      "ended: 1 imported, 0 already imported, 1 failed, 0 waiting",
    ]),
  );
  expect(JSON.parse(await readFile(status, "utf8"))).toMatchObject({ imported: 1, failed: 1, failed_now: 1 });

  const again = await run(service.url, [root, ...options, "--once", "--settle", "0.2", "--json"]);
  expect(
    again.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).event),
  ).toEqual(["started", "ended"]);
  expect(again.code).toBe(0);
});

test("allows one watcher per folder and exits cleanly on SIGTERM", async () => {
  const { service, root } = await openWatched();
  let second: Promise<Ended> | undefined;
  const first = await run(service.url, [root, ...options], (stop) => {
    second ??= run(service.url, [root, ...options]).finally(stop);
  });
  expect(await second).toMatchObject({ code: 2, err: expect.stringContaining("Another watcher is running") });
  expect(first.code).toBe(0);
  expect(first.out).toContain("ended: 0 imported");
  expect(await readdir(root)).toEqual([]);
});
