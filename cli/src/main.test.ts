import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { command, runCommand } from "./testing/run-command.ts";
import { goodKey, openStubService, problem } from "./testing/stub-service.ts";

const service = await openStubService({
  "GET /calls": ({ query }) =>
    query.get("campaign") === "silent"
      ? { by: () => {} }
      : problem(Number(query.get("campaign")), "some_code", `It has ${goodKey}.`),
  "GET /users": () => ({ body: "<html>not us</html>" }),
});
afterAll(() => service.close());
const { env } = service;

test("prints its version", async () => {
  expect(await runCommand(["--version"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
});

test("--version after a command is the command's own option, if it has one", async () => {
  expect(await runCommand(["scorecards", "list", "--version"])).toMatchObject({ code: 0, stderr: "" });
  const ran = await runCommand(["scorecards", "pull", "Support call", "--version", "x"]);
  expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("number of a version") });
});

const names = [
  "login",
  "logout",
  "doctor",
  "agents",
  "agents list",
  "agents create",
  "agents import",
  "calls",
  "calls list",
];
const scorecards = ["list", "pull", "lint", "diff", "test", "push", "new", "import"].map(
  (name) => `scorecards ${name}`,
);
test.each([...names, "calls show", "calls download", "calls export", "scorecards", ...scorecards])(
  "hearback %s --help has examples and no escape codes",
  async (name) => {
    const ran = await runCommand([...name.split(" "), "--help"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^Examples:\n {2}# .+\n {2}.*hearback /m);
    expect(ran.stdout).not.toContain("\x1b");
  },
);

test.each([
  [["clls"], 'Unknown command "clls".\n  Did you mean calls?'],
  [["calls", "lst"], "Did you mean list?"],
  [["calls", "list", "--lmit", "1"], "Did you mean --limit?"],
  [["calls", "show"], 'Missing required argument "id".'],
  [["import", "calls.csv", "--recipe", "avaya"], "3cx, asterisk"],
  [["agents"], "Usage: hearback agents"],
  [[], "Usage: hearback"],
])("%j is a usage error, reported without a stack trace", async (args, output) => {
  const ran = await runCommand(args);
  expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(output) });
  expect(ran.stderr).not.toMatch(/\n +at /);
});

test.each([
  [403, 3],
  [404, 1],
  [422, 1],
  [500, 4],
])("a response with status %d exits with %d and no API key is printed", async (status, code) => {
  const ran = await runCommand(["calls", "list", "--campaign", String(status)], { env });
  expect(ran).toMatchObject({ code, stderr: expect.stringContaining("It has hb_….") });
});

test("a 401 is reported as a rejected API key", async () => {
  const ran = await runCommand(["calls", "list", "--campaign", "401"], { env });
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining("The service rejected the API key.") });
});

test("an unreachable service exits with 4 and a fix", async () => {
  const away = { HEARBACK_URL: "http://127.0.0.1:9", HEARBACK_API_KEY: goodKey };
  const ran = await runCommand(["calls", "list"], { env: away });
  expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining("hearback doctor") });
});

test("reports that a response is not from Hearback", async () => {
  const ran = await runCommand(["agents", "list"], { env });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("does not look like Hearback") });
});

test("prints a stack trace only with HEARBACK_DEBUG=1", async () => {
  const ran = await runCommand(["calls", "list", "--campaign", "404"], { env: { ...env, HEARBACK_DEBUG: "1" } });
  expect(ran.stderr).toMatch(/\n +at /);
  expect(ran.stderr).not.toContain(goodKey);
});

test("handles a closed output pipe", async () => {
  const { stdout, stderr } = await promisify(execFile)("bash", [
    "-c",
    `"$0" "$1" calls list --help | head -1; echo "$\{PIPESTATUS[0]}"`,
    process.execPath,
    command,
  ]);
  expect(stdout).toMatch(/^Usage: hearback calls list \[options\]\n(0|141)\n$/);
  expect(stderr).toBe("");
});

test("Ctrl-C exits with 130 and no output", async () => {
  const child = spawn(process.execPath, [command, "calls", "list", "--campaign", "silent"], { env });
  const output = text(child.stderr);
  while (!service.requests.some(({ query }) => query.get("campaign") === "silent"))
    await new Promise((next) => setTimeout(next, 20));
  child.kill("SIGINT");
  await once(child, "close");
  expect([child.exitCode, await output]).toEqual([130, ""]);
});
