import { expect, test } from "vitest";
import { operatorIn } from "../platform/actor.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { auditOf, openJsonClient } from "../testing/json-client.ts";
import { openTestApp } from "../testing/test-app.ts";
import { configureTranscriber } from "../testing/transcripts.ts";
import { changeWorkspace } from "./change-workspace.ts";
import { createWorkspace } from "./create-workspace.ts";

const service = await openTestApp();
const { app, key, caller } = service;
const ask = openJsonClient(service, await key("manage"));

test("a workspace and its settings can be read and changed", async () => {
  const before = (await ask("GET", "/workspace")).body;
  expect(before).toMatchObject({ id: caller.workspaceId, name: "Acme", settings: { time_zone: "UTC" } });
  const changed = await ask("PATCH", "/workspace", { settings: { time_zone: "Europe/Paris" } });
  expect(changed).toMatchObject({ status: 200, body: { ...before, settings: { time_zone: "Europe/Paris" } } });
  expect((await ask("PATCH", "/workspace", { name: "Acme SA" })).body).toEqual({ ...changed.body, name: "Acme SA" });
  expect((await ask("GET", "/workspace", undefined, await key("read"))).body.name).toBe("Acme SA");
  expect((await ask("PATCH", "/workspace", {}, await key("read"))).status).toBe(403);
});

test.each([
  { settings: { time_zone: "Paris" } },
  { settings: { time_zone: "+02:00" } },
  { settings: { time_zone: 2 } },
  { settings: { colour: "red" } },
  { settings: { agents_can_download: "yes" } },
  { settings: [] },
  { name: "" },
  { id: "x" },
])("%j is rejected", async (body) => {
  expect(await ask("PATCH", "/workspace", body)).toMatchObject({ status: 422, body: { code: "fields_invalid" } });
});

test("transcription is turned on only with an engine, and off without one", async () => {
  const turn = (transcription: boolean) => ask("PATCH", "/workspace", { settings: { transcription } });
  Object.assign(app.config, { transcriber: undefined });
  expect(await turn(true)).toMatchObject({ status: 409, body: { code: "transcription_not_configured" } });
  configureTranscriber(service);
  expect((await turn(true)).body.settings).toMatchObject({ transcription: true, masked_words: [] });
  Object.assign(app.config, { transcriber: undefined });
  const masked_words = ["dossier", "mot de passe"];
  expect((await ask("PATCH", "/workspace", { settings: { masked_words } })).body.settings).toMatchObject({
    masked_words,
  });
  expect((await turn(false)).body.settings).toMatchObject({ transcription: false });
});

test("a change adds one audit entry, and a no-op adds none", async () => {
  const entries = await auditOf(service, async () => {
    await ask("PATCH", "/workspace", { name: "Noted", settings: { time_zone: "Asia/Tokyo" } });
    await ask("PATCH", "/workspace", { name: "Noted", settings: { time_zone: "Asia/Tokyo" } });
    await ask("PATCH", "/workspace", {});
    await changeWorkspace(app, operatorIn(caller.workspaceId), { name: "Noted again" });
  });
  expect(entries.map(({ action, actor_type, data }) => [action, actor_type, data])).toEqual([
    ["workspace.changed", "key", { changed: ["name", "time_zone"] }],
    ["workspace.changed", "operator", { changed: ["name"] }],
  ]);
});

test("the database prevents changes to another workspace", async () => {
  const other = await createWorkspace(app, "Other");
  const changed = await inWorkspace(app, caller.workspaceId, (tx) =>
    tx.updateTable("workspace").set({ name: "Taken" }).where("id", "=", other.id).executeTakeFirst(),
  );
  expect(changed.numUpdatedRows).toBe(0n);
});
