import { expect, test } from "vitest";
import { prepareCall } from "../calls/prepare/prepare-call.ts";
import { operatorIn } from "../platform/actor.ts";
import { callImporter } from "../testing/import-calls.ts";
import { openTestApp } from "../testing/test-app.ts";
import { aTurn, storeTestTranscript } from "../testing/transcripts.ts";
import { createTestUser, signedIn } from "../testing/users.ts";
import { eraseCall } from "./erase-call.ts";
import { eraseWorkspace } from "./erase-workspace.ts";
import { createHold } from "./holds/create-hold.ts";
import { releaseHold } from "./holds/release-hold.ts";
import { replayErasures } from "./replay-erasures.ts";

const service = await openTestApp();
const { app, api, caller, campaignId, admin, storedFiles } = service;
const { workspaceId } = caller;
const importCall = await callImporter(service);
const headers = { "x-api-key": await service.key("manage") };

test("only the audit log and the erasure record of an erased workspace remain", async () => {
  const other = await admin.query("insert into workspace (id, name) values (gen_random_uuid(), 'Other') returning id");
  await admin.query("insert into campaign (workspace_id, id, name) values ($1, 'theirs', 'Theirs')", [
    other.rows[0].id,
  ]);
  const calls = [await importCall({ metadata: [{ key: "phone", value: "+33199990009" }] }), await importCall()];
  await prepareCall.perform(app, { workspaceId, callId: calls[0]?.id ?? "" });
  await storeTestTranscript(service, calls[1]?.id ?? "", [aTurn("left", 0, "Hello Mister Nguyen")]);
  await eraseCall(app, caller, (await importCall()).id);
  await api.inject({ method: "POST", url: "/webhooks", headers, payload: { url: "https://example.com/" } });
  const boss = await createTestUser(app, workspaceId);
  const session = await signedIn(api, boss.email);
  const hold = await createHold(app, operatorIn(workspaceId), {
    subject: { type: "campaign", id: campaignId },
    reason: "Case of Ann Lee",
  });
  await expect(eraseWorkspace(app, workspaceId)).rejects.toMatchObject({ code: "on_hold" });
  await releaseHold(app, operatorIn(workspaceId), hold.id);

  const erasure = await eraseWorkspace(app, workspaceId);
  expect(erasure).toMatchObject({ kind: "workspace", state: "done", erased: 2 });
  expect((await storedFiles()).filter((key) => !key.startsWith("erasures/"))).toEqual([]);
  const { rows: tables } = await admin.query(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  const left = [];
  for (const { name } of tables) {
    const { rows } = await admin.query(`select 1 from ${name} where workspace_id = $1 limit 1`, [workspaceId]);
    if (rows.length > 0) left.push(name);
  }
  expect(left).toEqual(["audit_entry", "audit_head", "erasure", "erasure_entry"]);
  const { rows } = await admin.query("select name, erased_at is not null as erased from workspace where id = $1", [
    workspaceId,
  ]);
  expect(rows).toEqual([{ name: "Erased", erased: true }]);
  expect((await admin.query("select 1 from campaign where id = 'theirs'")).rows).toHaveLength(1);
  const answer = await api.inject({ url: "/erasures", headers });
  expect(answer.statusCode).toBe(401);
  expect((await api.inject({ url: "/session", headers: session })).statusCode).toBe(401);
  await expect(signedIn(api, boss.email)).rejects.toThrow("sign_in_failed");
  const actions = await admin.query("select action from audit_entry where subject_id = $1", [erasure.id]);
  expect(actions.rows).toEqual([{ action: "workspace.erased" }]);
});

test("an erasure of a workspace can be repeated, and replay repeats it after a restore", async () => {
  await eraseWorkspace(app, workspaceId);
  await admin.query("delete from erasure_entry");
  await admin.query("delete from erasure");
  await admin.query("update workspace set name = 'Acme', erased_at = null where id = $1", [workspaceId]);
  await admin.query("insert into campaign (workspace_id, id, name) values ($1, 'back', 'Back')", [workspaceId]);
  await replayErasures(app);
  expect((await admin.query("select id from campaign")).rows).toEqual([{ id: "theirs" }]);
  expect((await admin.query("select name from workspace where id = $1", [workspaceId])).rows).toEqual([
    { name: "Erased" },
  ]);
});
