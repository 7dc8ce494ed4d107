import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { supervise } from "./supervise.ts";
import { watchSources } from "./watch-sources.ts";

test("a process that ends is announced and started again until it is stopped", async () => {
  const said: string[] = [];
  const pids = new Set<number | undefined>();
  const start = () => {
    const child = spawn("sleep", ["1000"]);
    pids.add(child.pid);
    return child;
  };
  const worker = supervise("worker", start, { say: (text) => said.push(text), pauseMs: 10 });
  for (const count of [1, 2]) {
    expect(pids.size).toBe(count);
    process.kill([...pids].at(-1) ?? 0, "SIGKILL");
    await expect.poll(() => pids.size, { timeout: 20_000 }).toBe(count + 1);
  }
  expect(said).toHaveLength(2);
  expect(said[0]).toBe("worker ended with SIGKILL. It starts again in 0.01 s");
  await worker.restart();
  expect(pids.size).toBe(4);
  await worker.stop();
  expect([said.length, pids.size]).toEqual([2, 4]);
  for (const pid of pids) expect(() => process.kill(pid ?? 0, 0)).toThrow("ESRCH");
});

test("changes of sources are reported together, and tests are not sources", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hearback-sources-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const reports = Promise.withResolvers<readonly string[]>();
  const watcher = watchSources([folder], async (files) => reports.resolve(files));
  for (const name of ["a.test.ts", "a.ts", "1.sql", "notes.md"]) await writeFile(join(folder, name), "");
  expect([...(await reports.promise)].sort()).toEqual(["1.sql", "a.ts"]);
  await watcher.stop();
});
