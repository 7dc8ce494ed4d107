import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { aFolder, runCommand } from "../testing/run-command.ts";
import { openSmallService, problem } from "../testing/small-service.ts";

const known = new Set<string>();
const toUser = (email: string) => ({
  ...{ id: email, email, name: `Name of ${email}`, role: "agent", status: "active" },
  ...{ invitation: "not_requested", created_at: "2026-11-15T08:00:00.000Z" },
});
const service = await openSmallService({
  "POST /users/invite": ({ body }) => {
    const { email, name } = JSON.parse(body) as { email: string; name: string };
    if (name === "Gone") return problem(404, "not_found", "There is nothing here.");
    if (name === "Forbidden") return problem(403, "scope_missing", "This key may not do this.");
    if (name === "Refused") return problem(422, "fields_invalid", "name: must be another.");
    if (known.has(email.toLowerCase())) return problem(409, "user_exists", "There already.");
    known.add(email.toLowerCase());
    return { status: 201, body: toUser(email) };
  },
  "GET /users": () => ({ body: { users: [...known].map(toUser), next: null } }),
});
afterAll(() => service.close());
beforeEach(() => {
  known.clear();
  service.asked.length = 0;
});
const { env } = service;

async function aFile(text: string | Buffer) {
  const file = join(await aFolder(), "agents.csv");
  await writeFile(file, text);
  return file;
}

test("creates an agent, and is content with one who is there", async () => {
  const args = ["agents", "create", "--email", "ann@example.com", "--name", "Ann Lee"];
  expect(await runCommand(args, { env })).toMatchObject({ code: 0, stdout: "✓ ann@example.com was created.\n" });
  expect(JSON.parse(service.asked[0]?.body ?? "")).toEqual({
    ...{ email: "ann@example.com", name: "Ann Lee", role: "agent", send_invite_email: false },
  });
  expect(await runCommand(args, { env })).toMatchObject({ code: 0, stdout: expect.stringContaining("there already") });
});

test("imports a list, counts, and names the lines that failed", async () => {
  known.add("bob@example.com");
  const file = await aFile(
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
  expect(ran.stdout).toBe("! 2 agents created, 1 there already, 3 lines failed.\n");
  expect(ran.stderr.trim().split("\n").toSorted()).toEqual([
    "✗ line 5: there is no e-mail address. Fill it in, or remove the line.",
    "✗ line 6: name: must be another. (request req-1)",
    "✗ line 7: ann@example.com stands in line 2 already",
  ]);
  expect(ran.code).toBe(1);
});

test("one who cannot be created does not stop the others", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `agent-${at}@example.com,${at === 20 ? "Gone" : "Ann Lee"}`);
  const file = await aFile(["email,name", ...names].join("\n"));
  const ran = await runCommand(["agents", "import", file, "--json"], { env });
  const told = ran.stdout.trim().split("\n");
  expect(told.slice(0, -1).map((line) => JSON.parse(line).line as number)).toHaveLength(40);
  expect(told.filter((line) => line.includes("failed"))[0]).toContain('"line":22,"outcome":"failed"');
  expect(JSON.parse(told.at(-1) ?? "")).toEqual({ created: 39, existed: 0, failed: 1, lines: 40, dry_run: false });
  expect([ran.code, known.size]).toEqual([1, 39]);
});

test("a key that may not create agents ends it before the next is asked for", async () => {
  const names = Array.from({ length: 40 }, (_, at) => `agent-${at}@example.com,${at === 4 ? "Forbidden" : "Ann Lee"}`);
  const ran = await runCommand(["agents", "import", await aFile(["email,name", ...names].join("\n"))], { env });
  expect(ran).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining("refuses the key") });
  expect(service.asked.length).toBeLessThan(15);
});

test("an invitation is sent to whom it was asked for", async () => {
  const file = await aFile("email,name\nann@example.com,Ann Lee\n");
  expect(await runCommand(["agents", "import", file, "--invite"], { env })).toMatchObject({ code: 0 });
  expect(JSON.parse(service.asked[0]?.body ?? "")).toMatchObject({ send_invite_email: true });
});

test.each([
  ["a byte order mark and semicolons", "\ufeffemail;name\nann@example.com;Ann Lee\n"],
  ["tabs and other names", "Agent Name\tTeam\tAgent E-Mail\nAnn Lee\tLyon\tann@example.com\n"],
  ["columns in another order", "name,team,email\nAnn Lee,Lyon,ann@example.com"],
])("reads a list with %s", async (_, text) => {
  const ran = await runCommand(["agents", "import", await aFile(text)], { env });
  expect(ran).toMatchObject({ code: 0, stdout: "✓ 1 agent created, 0 there already.\n" });
});

test("creates nothing in a dry run, and needs no login for it", async () => {
  const file = await aFile("email,name\nann@example.com,Ann Lee\nnobody,Bob\n");
  const ran = await runCommand(["agents", "import", file, "--dry-run"], { env: { HOME: await aFolder() } });
  expect(ran.stdout).toBe("! 1 agent to create or find; nothing was created, 1 line failed.\n");
  expect(service.asked).toEqual([]);
});

test.each([
  ["no column for names", "email\nann@example.com\n", "has no column name"],
  ["nothing in it", "", "is empty"],
  ["no names of columns", "ann@example.com,Ann\n", "has no names of columns"],
])("refuses a list with %s", async (_, text, said) => {
  expect(await runCommand(["agents", "import", await aFile(text)], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(said),
  });
});

test.each([
  [
    "an old encoding",
    Buffer.from("email,name\nchloe@example.com,Chlo\xe9 Petit\n", "latin1"),
    2,
    "not encoded in UTF-8",
  ],
  [
    "a letter that was lost before",
    "email,name\nann@example.com,Ann\nchloe@example.com,Chlo\ufffd\n",
    1,
    "line 3: a letter cannot",
  ],
  ["a quote that is never closed", 'email,name\nann@example.com,"Ann\n', 1, "line 2: A quote opens"],
])("creates no wrong name from a list with %s", async (_, text, code, said) => {
  const ran = await runCommand(["agents", "import", await aFile(text)], { env });
  expect(ran).toMatchObject({ code, stderr: expect.stringContaining(said) });
});

test("a file that is not there is told calmly", async () => {
  const ran = await runCommand(["agents", "import", "/nowhere/a.csv"], { env });
  expect(ran).toMatchObject({
    code: 2,
    stderr: "hearback: /nowhere/a.csv: there is no such file or folder (ENOENT).\n",
  });
});

test("lists agents", async () => {
  known.add("ann@example.com").add("bob@example.com");
  const ran = await runCommand(["agents", "list"], { env });
  expect(ran.stdout.split("\n")[1]).toBe("ann@example.com  Name of ann@example.com  active  2026-11-15");
  expect(service.asked[0]?.query.toString()).toBe("role=agent");
  const lines = (await runCommand(["agents", "list", "--json"], { env })).stdout.trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { email: string }).email)).toEqual([...known]);
});
