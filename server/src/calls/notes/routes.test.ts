import { expect, test } from "vitest";
import { auditOf } from "../../testing/json-client.ts";
import { openPerson, openReviewTests } from "../../testing/reviews.ts";
import { openTestApp } from "../../testing/test-app.ts";

const service = await openTestApp();
const { agent, reviewer, supervisor, importOf } = await openReviewTests(service);

test("notes are written, changed, listed by position and deleted", async () => {
  const path = `/calls/${(await importOf()).id}/notes`;
  expect((await reviewer.ask("GET", path)).body).toEqual({ notes: [] });
  const later = await reviewer.ask("POST", path, { position_ms: 9000, text: "Refund" });
  expect(later).toMatchObject({ status: 201, body: { author: { type: "user", id: reviewer.id }, changed_at: null } });
  const sooner = await supervisor.ask("POST", path, { position_ms: 3000, text: "Greeting" });
  const listed = (await reviewer.ask("GET", path)).body.notes;
  expect(listed.map(({ text }: { text: string }) => text)).toEqual(["Greeting", "Refund"]);

  const changed = await reviewer.ask("PATCH", `${path}/${later.body.id}`, { text: "Full refund" });
  expect(changed.body).toMatchObject({ text: "Full refund", position_ms: 9000, changed_at: expect.any(String) });
  expect(await reviewer.ask("PATCH", `${path}/${sooner.body.id}`, { text: "X" })).toMatchObject({
    status: 403,
    body: { code: "not_your_note" },
  });
  expect((await reviewer.ask("DELETE", `${path}/${sooner.body.id}`)).status).toBe(403);
  expect((await supervisor.ask("DELETE", `${path}/${later.body.id}`)).status).toBe(204);
  expect(await reviewer.ask("DELETE", `${path}/${later.body.id}`)).toMatchObject({
    status: 404,
    body: { code: "note_not_found" },
  });
});

test("agents do not see notes; notes of an unknown call do not exist", async () => {
  const path = `/calls/${(await importOf()).id}/notes`;
  expect((await agent.ask("GET", path)).status).toBe(403);
  expect((await reviewer.ask("GET", "/calls/7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d/notes")).status).toBe(404);
  expect((await reviewer.ask("POST", path, { position_ms: -1, text: "T" })).status).toBe(422);
  expect((await reviewer.ask("POST", path, { position_ms: 1, text: " " })).status).toBe(422);
});

test("a note on another call is not found", async () => {
  const [first, second] = [(await importOf()).id, (await importOf()).id];
  const { body } = await reviewer.ask("POST", `/calls/${first}/notes`, { position_ms: 1, text: "T" });
  expect((await reviewer.ask("PATCH", `/calls/${second}/notes/${body.id}`, { text: "U" })).status).toBe(404);
});

test("a call has at most 500 notes", async () => {
  const { id } = await importOf();
  await service.admin.query(
    `insert into call_note (workspace_id, id, call_id, position_ms, text, author_type, author_id)
      select $1, gen_random_uuid(), $2, n, 'T', 'user', $3 from generate_series(1, 500) as n`,
    [service.caller.workspaceId, id, reviewer.id],
  );
  expect(await reviewer.ask("POST", `/calls/${id}/notes`, { position_ms: 1, text: "T" })).toMatchObject({
    status: 409,
    body: { code: "note_limit_reached" },
  });
});

test("audit entries name the note and not its text", async () => {
  const author = await openPerson(service, "reviewer");
  const { id } = await importOf();
  const entries = await auditOf(service, async () => {
    const { body } = await author.ask("POST", `/calls/${id}/notes`, { position_ms: 1, text: "secret" });
    await author.ask("PATCH", `/calls/${id}/notes/${body.id}`, { text: "secret" });
    await author.ask("DELETE", `/calls/${id}/notes/${body.id}`);
  });
  expect(entries.map(({ action, subject_id }) => [action, subject_id])).toEqual([
    ["note.created", id],
    ["note.changed", id],
    ["note.deleted", id],
  ]);
  expect(JSON.stringify(entries)).not.toContain("secret");
});
