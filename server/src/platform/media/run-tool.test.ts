import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { MachineBusy, runTool, ToolInterrupted } from "./run-tool.ts";
import { openScratch } from "./scratch.ts";

const root = await mkdtemp(join(tmpdir(), "hearback-tools-"));
const scratch = await openScratch(root);
afterAll(async () => {
  await scratch.close();
  await rm(root, { recursive: true });
});
const limits = { cpuSeconds: 5, memoryBytes: 256 * 1024 * 1024, fileBytes: 1024 * 1024 };

/** Runs a shell line as the tools are run. */
async function shell(line: string, changed: Partial<typeof limits> = {}, signal?: AbortSignal) {
  return scratch.withFolder(async (folder) => {
    let output = "";
    const end = await runTool({
      words: ["sh", "-c", line],
      confinement: scratch.confinement,
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

test("a tool runs in its folder and its output comes back", async () => {
  expect(await shell("echo heard")).toMatchObject({ ok: true, exhausted: false, output: "heard\n" });
});

test.each([
  ["processor time", "while :; do :; done", { cpuSeconds: 1 }],
  ["memory", "head -c 500000000 /dev/zero | tail -c 400000000 >/dev/null", {}],
  ["disk", "head -c 50000000 /dev/zero > big", {}],
])("a tool that wants too much %s is stopped", async (_, line, changed) => {
  expect(await shell(line, changed)).toMatchObject({ ok: false, exhausted: true });
});

test.each([
  ["it was asked to stop", "exit 255"],
  ["somebody else ended it", "sh -c 'kill -TERM $$'; exit $?"],
  ["it is not there", "exec /usr/bin/no-such-tool"],
])("a tool is no judge of a recording when %s", async (_, line) => {
  await expect(shell(line)).rejects.toBeInstanceOf(ToolInterrupted);
});

test("a tool is ended when nobody waits for it any more", async () => {
  const nobody = AbortSignal.timeout(300);
  await expect(shell("exec sleep 60", {}, nobody)).rejects.toThrow(/abort/i);
});

test("what a tool leaves running ends with it", async () => {
  const began = performance.now();
  await shell("setsid sleep 8 & echo gone").catch(() => {});
  if (scratch.confinement.name === "sandbox") expect(performance.now() - began).toBeLessThan(4_000);
});

test("a tool that only waits is stopped, too, and may be tried again", async () => {
  await expect(shell("exec sleep 60", { cpuSeconds: 1 })).rejects.toBeInstanceOf(MachineBusy);
});

test.runIf(scratch.confinement.name === "sandbox")(
  "a tool sees no file, no process and no network of ours",
  async () => {
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
  },
);

test("what a dead worker has left is removed by the next one, what a living one has is not", async () => {
  const shared = join(root, "shared");
  const living = `worker-${hostname()}-${process.ppid}-0123abcd`;
  const gone = [`worker-${hostname()}-4194300-0123abcd`, `worker-${hostname()}-${process.pid}-0123abcd`];
  for (const name of [living, ...gone]) await mkdir(join(shared, name, "job"), { recursive: true });
  // The one with our own number was left by whoever had it before us, some time ago.
  const ago = new Date(Date.now() - 600_000);
  for (const name of gone) await utimes(join(shared, name), ago, ago);
  const next = await openScratch(shared);
  await next.close();
  expect(await readdir(shared)).toEqual([living]);
});
