import { createHash } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { operator } from "../platform/actor.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { openTestApp } from "../testing/test-app.ts";
import { recordAuditEntry } from "./record-audit-entry.ts";

const { app, admin, caller } = await openTestApp();
const { workspaceId } = caller;
const subject = { type: "call", id: "a" };
const add = () =>
  inWorkspace(app, workspaceId, (tx) =>
    recordAuditEntry(tx, workspaceId, { actor: operator, action: "call.changed", subject, data: { changed: ["b"] } }),
  );

test("concurrent entries form one chain without gaps", async () => {
  const { number: before } = await add();
  await Promise.all(Array.from({ length: 20 }, add));
  const { rows } = await admin.query(
    "select number, hash, audit_text(audit_entry) as text from audit_entry where workspace_id = $1 order by number",
    [workspaceId],
  );
  let previous = Buffer.alloc(32);
  for (const [index, { number, hash, text }] of rows.entries()) {
    expect(Number(number)).toBe(index + 1);
    previous = createHash("sha256").update(previous).update(text).digest();
    expect(hash).toEqual(previous);
  }
  expect(rows).toHaveLength(before + 20);
});

test("a rolled-back entry leaves no gap", async () => {
  const before = await add();
  await expect(
    inWorkspace(app, workspaceId, async (tx) => {
      await recordAuditEntry(tx, workspaceId, { actor: operator, action: "call.changed", subject });
      throw new Error("undone");
    }),
  ).rejects.toThrow("undone");
  expect((await add()).number).toBe(before.number + 1);
});

test.each(["update audit_entry set subject_id = 'z'", "delete from audit_entry", "update audit_head set number = 0"])(
  "the service may not %s",
  async (statement) => {
    await expect(inWorkspace(app, workspaceId, (tx) => sql.raw(statement).execute(tx))).rejects.toThrow(
      /permission denied/,
    );
  },
);
