import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { filesIn, nameOf, openWatched, until, wav } from "./testing/watched-folder.ts";

/** Starts a watcher in a child process. */
function spawnWatcher(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [new URL("testing/watch-child.ts", import.meta.url).pathname, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

test.each(["mark", "move"])(
  "--done %s: imports every file once, complete, despite ten kills",
  async (how) => {
    const opened = await openWatched();
    const { service, root, folder } = opened;
    const moveTo = how === "move" ? join(folder, "done") : "";
    const contents = Array.from({ length: 60 }, (_, at) => wav(at + 1, 2000 + at));
    service.hooks.fault = (path) => (path === "/calls/audio" ? { kind: "slow", ms: 20 } : undefined);

    for (let kill = 0; kill < 10; kill++) {
      const child = spawnWatcher(service.url, root, moveTo, "150");
      const some = [...contents.entries()].filter(([at]) => at % 10 === kill);
      // In two writes, like a recorder.
      const written = Promise.all(
        some.map(async ([at, content]) => {
          await writeFile(join(root, nameOf(at)), content.subarray(0, 500));
          await sleep(100);
          await writeFile(join(root, nameOf(at)), content);
        }),
      );
      await Promise.race([once(child.stdout as NodeJS.ReadableStream, "data"), sleep(3000)]);
      await sleep(Math.random() * 200);
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await Promise.all([exited, written]);
    }
    const last = spawnWatcher(service.url, root, moveTo, "150");
    const place = how === "move" ? moveTo : root;
    await until(
      async () => (await filesIn(place)).filter((file) => how === "move" || file.endsWith(".imported")).length === 60,
    );
    const exited = once(last, "exit");
    last.kill("SIGTERM");
    await exited;
    expect(service.calls.size).toBe(60);
    expect(service.counts.stored).toBe(60);
    expect((await stat(join(place, nameOf(0)))).size).toBe(contents[0]?.length);
    if (how === "move") expect(await filesIn(root)).toEqual([]);
  },
  60_000,
);
