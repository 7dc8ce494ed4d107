import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { operatorIn } from "../platform/actor.ts";
import { openFilesystem } from "../platform/storage/filesystem.ts";
import { newUuidsV7 } from "../platform/uuid-v7.ts";
import { callImporter } from "../testing/import-calls.ts";
import { openTestApp } from "../testing/test-app.ts";
import { inviteUser } from "../users/invite-user.ts";
import { eraseCall } from "./erase-call.ts";
import { createHold } from "./holds/create-hold.ts";
import { releaseHold } from "./holds/release-hold.ts";
import { writeEntry } from "./ledger.ts";
import { countUnreplayed, replayErasures } from "./replay-erasures.ts";
import { requestErasure } from "./request-erasure.ts";
import { runErasure } from "./run-erasure.ts";

const service = await openTestApp();
const { app, caller, admin } = service;
const { workspaceId } = caller;
const importCall = await callImporter(service);
const acting = operatorIn(workspaceId);
const exists = async (id: string) => (await admin.query("select 1 from call where id = $1", [id])).rows.length === 1;

/** Simulates a restored backup: deleted rows are back, and everything recorded by `erase` is gone. */
async function restoreAfter(erase: () => Promise<void>) {
  const tables = ["app_user", "call", "call_metadata"];
  const kept = await Promise.all(tables.map((table) => admin.query(`select * from ${table}`)));
  await erase();
  await admin.query("delete from erasure_entry");
  await admin.query("delete from erasure");
  await admin.query("delete from erased_call");
  await admin.query("delete from erased_agent");
  for (const [index, table] of tables.entries()) {
    const { rows, fields } = kept[index] as (typeof kept)[number];
    const names = fields.map(({ name }) => name).join(", ");
    await admin.query(
      `insert into ${table} (${names}) select ${names} from jsonb_populate_recordset(null::${table}, $1) on conflict do nothing`,
      [JSON.stringify(rows.map((row) => ({ ...row, sha256: row.sha256 && `\\x${row.sha256.toString("hex")}` })))],
    );
  }
}

test("erasures missing from a restored database are replayed and stay in effect", async () => {
  const email = "gone@example.com";
  const agent = await inviteUser(app, operatorIn(workspaceId), {
    email,
    name: "Gone",
    role: "agent",
    sendInvitation: false,
  });
  const agentCalls = [
    await importCall({ agentEmail: email, seed: 1 }),
    await importCall({ agentEmail: email, seed: 2 }),
  ];
  const expired = await importCall({ agentEmail: email, seed: 6 });
  const single = await importCall({ seed: 3 });
  const other = await importCall({ seed: 4 });
  let later = "";
  await restoreAfter(async () => {
    // Imported and erased after the backup, so only the ledger knows it.
    later = (await importCall({ agentEmail: email, seed: 5 })).id;
    await eraseCall(app, caller, single.id);
    // Simulates retention, which writes no ledger entry.
    await admin.query("delete from call where id = $1", [expired.id]);
    await runErasure(app, await requestErasure(app, acting, { agent_id: agent.id }));
  });
  expect(await exists(single.id)).toBe(true);
  expect(await countUnreplayed(app)).toBe(3);
  expect(await replayErasures(app)).toEqual({ entries: 3, erased: 3, heldBack: 0 });
  expect(await countUnreplayed(app)).toBe(0);
  for (const { id } of [...agentCalls, expired, single]) expect(await exists(id)).toBe(false);
  expect(await exists(other.id)).toBe(true);
  expect((await admin.query("select 1 from app_user where id = $1", [agent.id])).rows).toEqual([]);
  const { rows } = await admin.query("select kind, state, erased, agent_erased from erasure order by created_at");
  expect(rows).toMatchObject([
    { kind: "call", state: "done", erased: 1 },
    { kind: "agent", state: "done", erased: 3, agent_erased: true },
  ]);
  const audit = await admin.query(
    "select action, (data->>'erased')::int as n from audit_entry where action = 'erasure.replayed'",
  );
  expect(audit.rows.map(({ n }) => n).sort()).toEqual([1, 3]);
  expect(await importCall({ seed: 3 })).toMatchObject({ id: single.id, status: "erased" });
  const back = await inviteUser(app, operatorIn(workspaceId), {
    email,
    name: "Gone",
    role: "agent",
    sendInvitation: false,
  });
  expect(back.id).toBe(agent.id);
  expect(await importCall({ agentEmail: email, seed: 5 })).toMatchObject({ id: later, status: "erased" });
  expect(await replayErasures(app)).toEqual({ entries: 0, erased: 0, heldBack: 0 });
});

test("a copy of the ledger is replayed and stored", async () => {
  const call = await importCall({ seed: 20 });
  const root = (app.config.storage as { root: string }).root;
  await restoreAfter(async () => {
    await eraseCall(app, caller, call.id);
    await cp(join(root, "erasures"), join(root, "../copy", "erasures"), { recursive: true });
    await rm(join(root, "erasures"), { recursive: true });
  });
  expect(await countUnreplayed(app)).toBe(0);
  const { erased } = await replayErasures(app, { from: openFilesystem(join(root, "../copy")) });
  expect([erased, await exists(call.id)]).toEqual([1, false]);
  await admin.query("delete from erasure_entry");
  expect(await countUnreplayed(app)).toBeGreaterThan(0);
  await replayErasures(app);
});

test("replay respects a legal hold in the restored database until it is released", async () => {
  const call = await importCall({ seed: 30 });
  await restoreAfter(() => eraseCall(app, caller, call.id));
  const hold = await createHold(app, acting, { subject: { type: "call", id: call.id }, reason: "Case 9" });
  expect(await replayErasures(app)).toMatchObject({ heldBack: 1 });
  expect(await exists(call.id)).toBe(true);
  await releaseHold(app, acting, hold.id);
  expect(await replayErasures(app)).toMatchObject({ entries: 1, erased: 1, heldBack: 0 });
  expect(await exists(call.id)).toBe(false);
});

test("an import that races with a replay never restores the call", async () => {
  for (let round = 0; round < 15; round++) {
    const seed = 100 + round;
    const { id } = await importCall({ seed });
    await eraseCall(app, caller, id);
    for (const table of ["erasure_entry", "erasure", "erased_call"]) await admin.query(`delete from ${table}`);
    const imports = Promise.all(Array.from({ length: 6 }, () => importCall({ seed })));
    await replayErasures(app);
    await imports;
    expect(await exists(id), `round ${round}`).toBe(false);
  }
}, 120_000);

test("an entry whose transaction never committed is replayed for its erasure", async () => {
  const call = await importCall({ seed: 40 });
  const erasure = await requestErasure(app, acting, { call_id: call.id });
  await writeEntry(app.storage, erasure, { callIds: [call.id] });
  expect(await replayErasures(app)).toEqual({ entries: 1, erased: 1, heldBack: 0 });
  const { rows } = await admin.query("select action from audit_entry where subject_id = $1 order by number", [
    erasure.id,
  ]);
  expect(rows).toEqual([{ action: "erasure.requested" }, { action: "erasure.done" }]);
  expect((await admin.query("select erased from erasure where id = $1", [erasure.id])).rows).toEqual([{ erased: 1 }]);
});

test("replayed entries are not listed again until a restore", async () => {
  const listed: string[] = [];
  const storage = {
    ...app.storage,
    async *list(prefix: string, after?: string) {
      for await (const key of app.storage.list(prefix, after)) {
        listed.push(key);
        yield key;
      }
    },
  };
  const instrumented = { ...app, storage };
  const replayed = async (options = {}) => {
    listed.length = 0;
    await replayErasures(instrumented, options);
    return listed.filter((key) => key.startsWith(`erasures/${workspaceId}/`));
  };
  await replayErasures(app);
  // An old erasure that this database knows.
  const [oldId = ""] = newUuidsV7(1, new Date(Date.now() - 30 * 24 * 3600_000));
  await admin.query(
    "insert into erasure (workspace_id, id, kind, state, requested_by_type, audit_number) values ($1, $2, 'call', 'done', 'operator', 1)",
    [workspaceId, oldId],
  );
  await admin.query("update workspace set erasures_replayed_below = null");
  const { rows } = await admin.query("select * from erasure where id = $1", [oldId]);
  const erasure = { ...rows[0], workspaceId, requestedByType: "operator", requestedById: null };
  await writeEntry(app.storage, erasure, { callIds: [crypto.randomUUID()] });
  const ofOld = (keys: readonly string[]) => keys.filter((key) => key.includes(oldId)).length;
  expect(ofOld(await replayed())).toBe(1);
  expect(ofOld(await replayed())).toBe(0);
  expect(ofOld(await replayed({ whole: true }))).toBe(1);
  // A restored database has an older watermark.
  await admin.query("update workspace set erasures_replayed_below = null");
  expect(ofOld(await replayed())).toBe(1);
  // Unfinished erasures are always listed, because they can still get entries.
  await admin.query("update workspace set erasures_replayed_below = null");
  await admin.query("update erasure set state = 'running' where id = $1", [oldId]);
  await admin.query("delete from erasure_entry where erasure_id = $1", [oldId]);
  expect(ofOld(await replayed())).toBe(1);
});
