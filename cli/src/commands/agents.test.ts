import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { makeFolder, runCommand } from "../testing/run-command.ts";
import { openStubService, problem } from "../testing/stub-service.ts";

const known = new Set<string>();
const toUser = (email: string) => ({
  id: email,
  email,
  name: `Name of ${email}`,
  role: "agent",
  status: "active",
  invitation: "not_requested",
  sign_in_methods: [],
  created_at: "2026-11-15T08:00:00.000Z",
});
const service = await openStubService({
  "POST /users/invite": ({ body }) => {
    const { email, name } = JSON.parse(body) as { email: string; name: string };
    if (name === "Gone") return problem(404, "not_found", "There is nothing here.");
    if (name === "Forbidden") return problem(403, "scope_missing", "This key may not do this.");
    if (name === "Refused") return problem(422, "fields_invalid", "name: must be another.");
    if (known.has(email.toLowerCase())) return problem(409, "user_exists", "Already exists.");
    known.add(email.toLowerCase());
    return { status: 201, body: toUser(email) };
  },
  "GET /users": () => ({ body: { users: [...known].map(toUser), next: null } }),
});
afterAll(() => service.close());
beforeEach(() => {
  known.clear();
  service.requests.length = 0;
});
const { env } = service;

async function makeFile(text: string | Buffer) {
  const file = join(await makeFolder(), "agents.csv");
  await writeFile(file, text);
  return file;
}

test("creates an agent, and succeeds if the agent already exists", async () => {
  const args = ["agents", "create", "--email", "ann@example.com", "--name", "Ann Lee"];
  expect(await runCommand(args, { env })).toMatchObject({ code: 0, stdout: "✓ ann@example.com was created.\n" });
  expect(JSON.parse(service.requests[0]?.body ?? "")).toEqual({
    email: "ann@example.com",
    name: "Ann Lee",
    role: "agent",
    send_invite_email: false,
  });
  expect(await runCommand(args, { env })).toMatchObject({ code: 0, stdout: expect.stringContaining("already exists") });
});

test("imports a list, counts the results, and reports the lines that failed", async () => {
  known.add("bob@example.com");
  const file = await makeFile(
    [
      "agent,email,name",
      "201,ann@example.com,Ann Lee",
      "202,Bob@example.com,Bob Roy",
      "",
      "203,,Nobody",
      "204,chloe@example.com,Refused",
      "205,ann@example.com,Ann Again",
      '206,dinh@example.com,"Tran, Dinh"',
    ].join("\r\n"),
  );
  const ran = await runCommand(["agents", "import", file], { env });
  expect(ran.stdout).toBe("! 2 agents created, 1 already existed, 3 lines failed.\n");
  expect(ran.stderr.trim().split("\n").toSorted()).toEqual([
    "✗ line 5: the email address is missing. Fill it in, or remove the line.",
    "✗ line 6: name: must be another. (request req-1)",
    "✗ line 7: ann@example.com is already listed on line 2",
  ]);
  expect(ran.code).toBe(1);
});

test("an agent who cannot be created does not stop the others", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `agent-${at}@example.com,${at === 20 ? "Gone" : "Ann Lee"}`);
  const file = await makeFile(["email,name", ...names].join("\n"));
  const ran = await runCommand(["agents", "import", file, "--json"], { env });
  const printed = ran.stdout.trim().split("\n");
  expect(printed.slice(0, -1).map((line) => JSON.parse(line).line as number)).toHaveLength(40);
  expect(printed.filter((line) => line.includes("failed"))[0]).toContain('"line":22,"outcome":"failed"');
  expect(JSON.parse(printed.at(-1) ?? "")).toEqual({ created: 39, existed: 0, failed: 1, lines: 40, dry_run: false });
  expect([ran.code, known.size]).toEqual([1, 39]);
});

test("a key that lacks permission to create agents stops the import", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `agent-${at}@example.com,${at === 4 ? "Forbidden" : "Ann Lee"}`);
  const ran = await runCommand(["agents", "import", await makeFile(["email,name", ...names].join("\n"))], { env });
  expect(ran).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining("rejected the API key") });
  expect(service.requests.length).toBeLessThan(15);
});

test("--invite sends invitations", async () => {
  const file = await makeFile("email,name\nann@example.com,Ann Lee\n");
  expect(await runCommand(["agents", "import", file, "--invite"], { env })).toMatchObject({ code: 0 });
  expect(JSON.parse(service.requests[0]?.body ?? "")).toMatchObject({ send_invite_email: true });
});

test.each([
  ["a byte order mark and semicolons", "\ufeffemail;name\nann@example.com;Ann Lee\n"],
  ["tabs and other column names", "Agent Name\tTeam\tAgent E-Mail\nAnn Lee\tLyon\tann@example.com\n"],
  ["columns in another order", "name,team,email\nAnn Lee,Lyon,ann@example.com"],
])("reads a list with %s", async (_, text) => {
  const ran = await runCommand(["agents", "import", await makeFile(text)], { env });
  expect(ran).toMatchObject({ code: 0, stdout: "✓ 1 agent created, 0 already existed.\n" });
});

test("a dry run creates nothing and needs no login", async () => {
  const file = await makeFile("email,name\nann@example.com,Ann Lee\nnobody,Bob\n");
  const ran = await runCommand(["agents", "import", file, "--dry-run"], { env: { HOME: await makeFolder() } });
  expect(ran.stdout).toBe("! 1 valid agent; nothing was created (dry run), 1 line failed.\n");
  expect(service.requests).toEqual([]);
});

test.each([
  ["no column for names", "email\nann@example.com\n", "has no column name"],
  ["no content", "", "is empty"],
  ["no header", "ann@example.com,Ann\n", "is not a header"],
])("rejects a list with %s", async (_, text, expected) => {
  expect(await runCommand(["agents", "import", await makeFile(text)], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(expected),
  });
});

test.each([
  [
    "a replacement character",
    "email,name\nann@example.com,Ann\nchloe@example.com,Chlo\ufffd\n",
    1,
    "line 3: unreadable character",
  ],
  ["a quote that is never closed", 'email,name\nann@example.com,"Ann\n', 1, "line 2: A quote opened"],
])("creates no agent from a list with %s", async (_, text, code, expected) => {
  const ran = await runCommand(["agents", "import", await makeFile(text)], { env });
  expect(ran).toMatchObject({ code, stderr: expect.stringContaining(expected) });
});

test("reports a missing file without a stack trace", async () => {
  const ran = await runCommand(["agents", "import", "/nowhere/a.csv"], { env });
  expect(ran).toMatchObject({
    code: 2,
    stderr: "hearback: /nowhere/a.csv: no such file or folder (ENOENT).\n",
  });
});

test("lists agents", async () => {
  known.add("ann@example.com").add("bob@example.com");
  const ran = await runCommand(["agents", "list"], { env });
  expect(ran.stdout.split("\n")[1]).toBe("ann@example.com  Name of ann@example.com  active  2026-11-15");
  expect(service.requests[0]?.query.toString()).toBe("role=agent");
  const lines = (await runCommand(["agents", "list", "--json"], { env })).stdout.trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { email: string }).email)).toEqual([...known]);
});
