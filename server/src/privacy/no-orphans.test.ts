import { expect, test } from "vitest";
import { changeCall } from "../calls/change/change-call.ts";
import { recordPlayback } from "../calls/playback/record-playback.ts";
import { prepareCall } from "../calls/prepare/prepare-call.ts";
import { callImporter } from "../testing/import-calls.ts";
import { openJsonClient } from "../testing/json-client.ts";
import { openTestApp } from "../testing/test-app.ts";
import { aTurn, storeTestTranscript } from "../testing/transcripts.ts";
import { eraseCall } from "./erase-call.ts";

const service = await openTestApp();
const { admin, app, caller } = service;
const importCall = await callImporter(service);
const { workspaceId } = caller;
const ask = openJsonClient(service, await service.key("review"));

/** Tables whose rows outlive the call. */
const kept = [
  // Deleted once the certificate has their digest.
  "erasure_call",
  // Contains the id of the erased call.
  "erasure",
  // Answers and scores are about the agent.
  "review",
  // Marked as erased: the answers of the session stay.
  "calibration_call",
  // Ids only: the published root of a frame depends on them. A call that no longer exists is not drawn.
  "draw_call",
  "ready_call",
  // Skipped, without its note; the proof of the draw contains it.
  "assignment",
  // Former objects of the call: marked for deletion, then deleted with the objects.
  "staged_object",
];
/** Deleted with the call. */
const deleted = [
  ...["call_change", "call_metadata", "call_note", "call_step", "call_words", "listening"],
  ...["transcript", "transcript_correction", "transcript_run", "transcript_stretch"],
];

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

test("it is known for every table with a call_id column whether its rows outlive the call", async () => {
  expect(await tablesOfCalls()).toEqual([...deleted, ...kept].sort());
});

test("calls erased during preparation, changes and playback leave no rows behind", async () => {
  const manager = { ...caller, scopes: ["import", "read", "manage"] as const };
  for (let round = 0; round < 6; round++) {
    const { id } = await importCall({ metadata: [{ key: "site", value: "Lyon" }] });
    const { id: transcript_id } = await storeTestTranscript(service, id, [aTurn("left", 0, "Hello Mister Nguyen")]);
    await admin.query("update call set status = 'received' where id = $1", [id]);
    const tag = { add: [{ key: "round", value: String(round) }] };
    const work = [
      () => prepareCall.perform(app, { workspaceId, callId: id }),
      () => changeCall(app, manager, id, { metadata: tag }),
      () => recordPlayback(app, manager, { callId: id, form: "original" }),
      () =>
        ask("PATCH", `/calls/${id}/transcript`, { transcript_id, corrections: [{ turn: 0, word: 0, text: "Good" }] }),
      () => eraseCall(app, manager, id),
    ];
    // Operations that lose the race fail; no rows may remain.
    await Promise.allSettled(work.map((operation) => operation()));
    await eraseCall(app, manager, id).catch(() => {});
  }
  expect((await admin.query("select 1 from call")).rows).toEqual([]);
  const found = await orphans();
  expect(found).toMatchObject({ call_step: 0, listening: 0, transcript: 0, transcript_correction: 0 });
  expect(Object.values(found).filter((count) => count > 0)).toEqual([]);
}, 60_000);
