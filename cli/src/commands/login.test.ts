import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { command, makeFolder, runCommand } from "../testing/run-command.ts";
import { forbidden, goodKey, openStubService } from "../testing/stub-service.ts";

const service = await openStubService({ "GET /keys": forbidden });
afterAll(() => service.close());

const saved = (home: string) => readFile(join(home, ".config/hearback/login.json"), "utf8");
const quietly = (output: { stdout: string; stderr: string }) => `${output.stdout}${output.stderr}`;

test("verifies the key, saves it, and prints its permissions", async () => {
  const HOME = await makeFolder();
  const ran = await runCommand(["login", "--url", `${service.url}/`], { env: { HOME }, input: `${goodKey}\n` });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout).toContain("import calls and create agents (import); search, play and export calls (read).");
  expect(ran.stdout).toContain("Campaigns: support-fr, sales-uk");
  expect(quietly(ran)).not.toContain(goodKey);
  expect(JSON.parse(await saved(HOME))).toEqual({ profiles: { default: { url: service.url, api_key: goodKey } } });

  const list = await runCommand(["calls", "list"], { env: { HOME } });
  expect(list).toMatchObject({ code: 0, stderr: "No matching calls.\n" });
  const out = await runCommand(["logout"], { env: { HOME } });
  expect(out).toMatchObject({ code: 0, stdout: 'Removed the login "default".\n' });
  await expect(saved(HOME)).rejects.toThrow("ENOENT");
  expect(await runCommand(["calls", "list"], { env: { HOME } })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("hearback login"),
  });
});

test("prints JSON with --json", async () => {
  const HOME = await makeFolder();
  const args = ["login", "--url", service.url, "--profile", "test", "--json"];
  const ran = await runCommand(args, { env: { HOME }, input: goodKey });
  expect(JSON.parse(ran.stdout)).toMatchObject({ profile: "test", tried: true, scopes: ["import", "read"] });
});

test.each([
  ["a rejected key", () => service.url, `hb_c0_${"x".repeat(49)}`, 3, /rejected this API key.*Nothing was saved/],
  ["an unreachable address", () => "http://127.0.0.1:9", goodKey, 4, /No response from .*Nothing was saved/],
  ["text that is not a key", () => service.url, "hello\n", 2, /does not start with hb_/],
  ["an empty key", () => service.url, "", 2, /is empty/],
])("saves nothing with %s", async (_, url, input, code, expected) => {
  const HOME = await makeFolder();
  const ran = await runCommand(["login", "--url", url()], { env: { HOME }, input });
  expect(ran).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(expected) });
  expect(quietly(ran)).not.toMatch(/x{9}|kkkk|\bat /);
  await expect(saved(HOME)).rejects.toThrow("ENOENT");
});

test("--force saves an unreachable address", async () => {
  const HOME = await makeFolder();
  const ran = await runCommand(["login", "--url", "http://127.0.0.1:9", "--force"], { env: { HOME }, input: goodKey });
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("Saved without verification") });
  expect(await saved(HOME)).toContain("127.0.0.1:9");
});

test("does not prompt without a terminal", async () => {
  const ran = await runCommand(["login"], { env: { HOME: await makeFolder() }, input: goodKey });
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("--url") });
});

/** Runs `hearback login` in a pseudo-terminal and types each answer when its prompt appears. */
async function type(env: Record<string, string>, answers: readonly (readonly [question: string, answer: string])[]) {
  const line = `${process.execPath} ${command} login`;
  const child = spawn("/usr/bin/script", ["-qec", line, "/dev/null"], { env: { TERM: "xterm", ...env } });
  let screen = "";
  const rest = [...answers];
  child.stdout.on("data", (chunk: Buffer) => {
    screen += chunk.toString();
    const next = rest[0];
    if (!next || !screen.includes(next[0])) return;
    rest.shift();
    child.stdin.write(next[1]);
  });
  await once(child, "close");
  return { code: child.exitCode, screen };
}

test.runIf(existsSync("/usr/bin/script"))("prompts in a terminal and does not echo the key", async () => {
  const HOME = await makeFolder();
  const answers = [
    ["Service URL: ", `${service.url}\r`],
    ["API key (hidden): ", `${goodKey}\r`],
  ] as const;
  const { code, screen } = await type({ HOME }, answers);
  expect([code, screen.includes("kkkk")]).toEqual([0, false]);
  expect(screen).toContain("Logged in");
  expect(await saved(HOME)).toContain(goodKey);

  const again = await type({ HOME }, [
    [`[${service.url}]: `, "\r"],
    ["API key (hidden): ", "\x03"],
  ]);
  expect(again.code).toBe(130);
});
