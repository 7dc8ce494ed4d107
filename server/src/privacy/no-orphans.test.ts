import { expect, test } from "vitest";
import { callChildTables } from "../calls/call/remove-calls.ts";
import { changeCall } from "../calls/change/change-call.ts";
import { recordPlayback } from "../calls/playback/record-playback.ts";
import { prepareCall } from "../calls/prepare/prepare-call.ts";
import { callImporter } from "../testing/import-calls.ts";
import { openTestApp } from "../testing/test-app.ts";
import { eraseCall } from "./erase-call.ts";

const service = await openTestApp();
const { admin, app, caller } = service;
const importCall = await callImporter(service);
const { workspaceId } = caller;

/** Tables whose rows outlive the call. */
const kept = [
  // Deleted once the certificate has their digest.
  "erasure_call",
  // Contains the id of the erased call.
  "erasure",
  // Answers and scores are about the agent.
  "review",
];
/** Deleted by a trigger on `call`. */
const byTrigger = ["call_change", "listening"];

async function tablesOfCalls(): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'call_id'
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  return rows.map(({ name }) => name).sort();
}

const orphans = async () => {
  const found: Record<string, number> = {};
  for (const table of (await tablesOfCalls()).filter((name) => !kept.includes(name))) {
    const { rows } = await admin.query(
      `select count(*)::int as count from ${table} as part
        where not exists (select from call where call.workspace_id = part.workspace_id and call.id = part.call_id)`,
    );
    found[table] = rows[0].count;
  }
  return found;
};

test("removeCalls knows every table with a call_id column", async () => {
  const childTables = callChildTables.map((part) => part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  expect(await tablesOfCalls()).toEqual([...childTables, ...byTrigger, ...kept].sort());
});

test("calls erased during preparation, changes and playback leave no rows behind", async () => {
  const manager = { ...caller, scopes: ["import", "read", "manage"] as const };
  for (let round = 0; round < 6; round++) {
    const { id } = await importCall({ metadata: [{ key: "site", value: "Lyon" }] });
    const tag = { add: [{ key: "round", value: String(round) }] };
    const work = [
      () => prepareCall.perform(app, { workspaceId, callId: id }),
      () => changeCall(app, manager, id, { metadata: tag }),
      () => recordPlayback(app, manager, { callId: id, form: "original" }),
      () => eraseCall(app, manager, id),
    ];
    // Operations that lose the race fail; no rows may remain.
    await Promise.allSettled(work.map((operation) => operation()));
    await eraseCall(app, manager, id).catch(() => {});
  }
  expect((await admin.query("select 1 from call")).rows).toEqual([]);
  expect(await orphans()).toEqual({ call_change: 0, call_metadata: 0, call_note: 0, call_step: 0, listening: 0 });
}, 60_000);
