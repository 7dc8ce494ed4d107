import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { operator } from "../platform/actor.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { openTestApp } from "../testing/test-app.ts";
import type { Problem } from "./diagnose-entry.ts";
import { recordAuditEntry } from "./record-audit-entry.ts";
import { verifyLog } from "./verify-log.ts";

const { app, admin } = await openTestApp();
let workspaceId = "";

async function aWorkspace(): Promise<string> {
  const { rows } = await admin.query(
    "insert into workspace (id, name) values (gen_random_uuid(), 'Other') returning id",
  );
  return rows[0].id;
}

/** A log of twelve distinct entries. */
beforeEach(async () => {
  workspaceId = await aWorkspace();
  for (let entry = 1; entry <= 12; entry++) {
    await inWorkspace(app, workspaceId, (tx) =>
      recordAuditEntry(tx, workspaceId, {
        actor: entry % 2 ? operator : { type: "key", id: randomUUID() },
        action: "call.changed",
        subject: { type: "call", id: randomUUID() },
        data: { changed: ["agent_channel"], count: entry, "b ä\n": null },
      }),
    );
  }
});

/** Changes that only a superuser can make. They cannot be prevented, so they must be detected. */
const tamper = (...statements: string[]) =>
  admin.query(
    [
      "begin",
      "alter table audit_entry disable trigger all",
      ...statements,
      "alter table audit_entry enable trigger all",
      "commit",
    ]
      .map((statement) => statement.replaceAll("$W", `workspace_id = '${workspaceId}'`))
      .join(";"),
  );
const copyOf = (number: number, as: number) =>
  `insert into audit_entry select workspace_id, ${as}, at, actor_type, actor_id, action, subject_type, subject_id, data, hash
   from audit_entry where $W and number = ${number}`;
const move = (from: number, to: number) => `update audit_entry set number = ${to} where $W and number = ${from}`;
const swap = (a: number, b: number) => [move(a, 1000), move(b, a), move(1000, b)];

test("an unmodified log and an empty log are valid", async () => {
  expect(await verifyLog(app, workspaceId)).toMatchObject({ entries: 12, wrong: undefined });
  expect(await verifyLog(app, await aWorkspace())).toMatchObject({
    entries: 0,
    wrong: undefined,
  });
});

const cases: [string, { statements: string[]; number: number; problem: Problem }][] = [
  [
    "data edited",
    { statements: [`update audit_entry set data = '{}' where $W and number = 5`], number: 5, problem: "edited" },
  ],
  [
    "an actor edited",
    {
      statements: [`update audit_entry set actor_id = gen_random_uuid() where $W and number = 6`],
      number: 6,
      problem: "edited",
    },
  ],
  [
    "a time edited by a microsecond",
    {
      statements: [`update audit_entry set at = at + interval '1 microsecond' where $W and number = 7`],
      number: 7,
      problem: "edited",
    },
  ],
  [
    "an infinite time",
    { statements: [`update audit_entry set at = 'infinity' where $W and number = 7`], number: 7, problem: "edited" },
  ],
  [
    "a hash edited",
    { statements: [`update audit_entry set hash = sha256('x') where $W and number = 3`], number: 3, problem: "broken" },
  ],
  [
    "the last entry edited",
    {
      statements: [`update audit_entry set action = 'call.read' where $W and number = 12`],
      number: 12,
      problem: "edited",
    },
  ],
  [
    "an entry removed",
    { statements: [`delete from audit_entry where $W and number = 4`], number: 4, problem: "missing" },
  ],
  [
    "an entry removed and the following ones moved up",
    {
      statements: [
        `delete from audit_entry where $W and number = 4`,
        ...Array.from({ length: 8 }, (_, n) => move(n + 5, n + 4)),
      ],
      number: 4,
      problem: "missing",
    },
  ],
  [
    "the last entry removed",
    { statements: [`delete from audit_entry where $W and number = 12`], number: 12, problem: "missing" },
  ],
  [
    "an entry inserted",
    {
      statements: [...Array.from({ length: 8 }, (_, n) => move(12 - n, 13 - n)), copyOf(4, 5)],
      number: 5,
      problem: "inserted",
    },
  ],
  ["an entry appended", { statements: [copyOf(4, 13)], number: 13, problem: "inserted" }],
  ["an entry inserted before the first", { statements: [copyOf(4, 0)], number: 0, problem: "inserted" }],
  ["two entries swapped", { statements: swap(3, 9), number: 3, problem: "reordered" }],
  ["two neighbours swapped", { statements: swap(6, 7), number: 6, problem: "reordered" }],
  [
    "the head's number edited",
    { statements: [`update audit_head set number = 11 where $W`], number: 12, problem: "inserted" },
  ],
  [
    "the head's hash edited",
    { statements: [`update audit_head set hash = sha256('x') where $W`], number: 12, problem: "head_edited" },
  ],
  ["the head removed", { statements: [`delete from audit_head where $W`], number: 1, problem: "inserted" }],
];

test.each(cases)("detects: %s", async (_, { statements, number, problem }) => {
  await tamper(...statements);
  expect((await verifyLog(app, workspaceId)).wrong).toEqual({ number, problem });
});

test("an earlier head reveals an edited entry whose following hashes were recomputed", async () => {
  const { last: expected } = await verifyLog(app, workspaceId);
  await tamper(`update audit_entry set subject_id = 'another' where $W and number = 8`);
  await admin.query(
    `do $$ declare entry audit_entry; previous bytea; begin
       select hash into previous from audit_entry where workspace_id = '${workspaceId}' and number = 7;
       for entry in select * from audit_entry where workspace_id = '${workspaceId}' and number > 7 order by number loop
         previous := sha256(previous || convert_to(audit_text(entry), 'UTF8'));
         update audit_entry set hash = previous where workspace_id = entry.workspace_id and number = entry.number;
       end loop;
       update audit_head set hash = previous where workspace_id = '${workspaceId}'; end $$`,
  );
  expect((await verifyLog(app, workspaceId)).wrong).toBeUndefined();
  expect((await verifyLog(app, workspaceId, { expected })).wrong).toEqual({ number: 12, problem: "rewritten" });
});

test("an earlier head reveals a truncated log", async () => {
  const { last: expected } = await verifyLog(app, workspaceId);
  await tamper(
    `delete from audit_entry where $W and number > 9`,
    `update audit_head set number = 9, hash = (select hash from audit_entry where $W and number = 9) where $W`,
  );
  expect((await verifyLog(app, workspaceId)).wrong).toBeUndefined();
  expect((await verifyLog(app, workspaceId, { expected })).wrong).toEqual({ number: 10, problem: "truncated" });
});

test("an earlier head matches a log that has grown since", async () => {
  const { last: expected } = await verifyLog(app, workspaceId);
  await inWorkspace(app, workspaceId, (tx) =>
    recordAuditEntry(tx, workspaceId, { actor: operator, action: "call.changed", subject: { type: "call", id: "a" } }),
  );
  expect((await verifyLog(app, workspaceId, { expected })).wrong).toBeUndefined();
});
