import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { MachineBusy, runTool, ToolInterrupted } from "./run-tool.ts";
import { openScratch } from "./scratch.ts";

const root = await mkdtemp(join(tmpdir(), "hearback-tools-"));
const scratch = await openScratch(root, { required: true });
afterAll(async () => {
  await scratch.close();
  await rm(root, { recursive: true });
});
const limits = { cpuSeconds: 5, memoryBytes: 256 * 1024 * 1024, fileBytes: 1024 * 1024 };

/** Runs a shell command in the sandbox. */
async function shell(line: string, changed: Partial<typeof limits> = {}, signal?: AbortSignal) {
  return scratch.withFolder(async (folder) => {
    let output = "";
    const end = await runTool({
      args: ["sh", "-c", line],
      sandbox: scratch.sandbox,
      folder,
      limits: { ...limits, ...changed },
      signal,
      onOutput: (chunk) => {
        output += chunk.toString();
      },
    });
    return { ...end, output };
  });
}

test("runs a tool and returns its output", async () => {
  expect(await shell("echo heard")).toMatchObject({ ok: true, exhausted: false, output: "heard\n" });
});

test.each([
  ["CPU time", "while :; do :; done", { cpuSeconds: 2 }],
  ["memory", "head -c 500000000 /dev/zero | tail -c 400000000 >/dev/null", {}],
  ["disk", "head -c 50000000 /dev/zero > big", {}],
])("stops a tool that exceeds its %s limit", async (_, line, changed) => {
  expect(await shell(line, changed)).toMatchObject({ ok: false, exhausted: true });
});

test.each([
  ["it is asked to stop", "exit 255"],
  ["another process kills it", "sh -c 'kill -TERM $$'; exit $?"],
  ["it does not exist", "exec /usr/bin/no-such-tool"],
])("throws ToolInterrupted when %s", async (_, line) => {
  await expect(shell(line)).rejects.toBeInstanceOf(ToolInterrupted);
});

test("stops the tool when the signal is aborted", async () => {
  const signal = AbortSignal.timeout(300);
  await expect(shell("exec sleep 60", {}, signal)).rejects.toThrow(/abort/i);
});

test("background processes of a tool end with it", async () => {
  // The shell waits for all that hold its output: for longer than a test may take.
  await shell("setsid sleep 600 & echo gone").catch(() => {});
});

test("stops a tool that only waits, and reports it as retryable", async () => {
  await expect(shell("exec sleep 60", { cpuSeconds: 1 })).rejects.toBeInstanceOf(MachineBusy);
});

test("a tool has no access to host files, processes or network", async () => {
  const secret = join(root, "secret.txt");
  await writeFile(secret, "not to be read", { mode: 0o644 });
  let connections = 0;
  const server = createServer(() => {
    connections += 1;
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  const line = `cat ${secret} /etc/passwd; ls /proc /home /root; echo > /dev/tcp/127.0.0.1/${port}; id -u`;
  const end = await shell(`bash -c '${line}'`);
  server.close();
  expect(end.output).not.toContain("not to be read");
  expect(end.output).not.toContain("root:");
  expect(connections).toBe(0);
});

test("removes the folders of dead workers but not of running ones", async () => {
  const shared = join(root, "shared");
  const living = `worker-${hostname()}-${process.ppid}-0123abcd`;
  const gone = [`worker-${hostname()}-4194300-0123abcd`, `worker-${hostname()}-${process.pid}-0123abcd`];
  for (const name of [living, ...gone]) await mkdir(join(shared, name, "job"), { recursive: true });
  // The folder with our own process id was left by an earlier process.
  const ago = new Date(Date.now() - 600_000);
  for (const name of gone) await utimes(join(shared, name), ago, ago);
  const next = await openScratch(shared, { required: true });
  await next.close();
  expect(await readdir(shared)).toEqual([living]);
});
