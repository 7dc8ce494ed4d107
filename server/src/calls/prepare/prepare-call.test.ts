import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { makeFiles, SECONDS, samples, videos } from "../../platform/media/testing/samples.ts";
import { aForm } from "../../testing/forms.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { findCall } from "../call/find-call.ts";
import type { MeasuredAudio, Warning } from "../call/measured-audio.ts";
import { prepareCall } from "./prepare-call.ts";

const service = await openTestApp();
const { app, api, caller, campaignId, agentEmail, admin, storedFiles } = service;
const key = await service.key("import");
const { workspaceId } = caller;
let time = 1_714_557_600;

/** Imports and prepares a call, then returns it. */
async function prepared(bytes: Buffer) {
  const form = aForm(
    ["campaign_id", campaignId],
    ["conversation_timestamp", String(time++)],
    ["agent_email", agentEmail],
    ["file", bytes],
  );
  const headers = { ...form.headers, "x-api-key": key };
  const answer = await api.inject({ method: "POST", url: "/calls/audio", headers, payload: form.payload });
  expect(answer.statusCode, answer.body).toBe(200);
  const callId = answer.json().id as string;
  await prepareCall.perform(app, { workspaceId, callId });
  return inWorkspace(app, workspaceId, (tx) => findCall(tx, workspaceId, callId));
}

const files = await makeFiles([...samples, ...videos.slice(0, 2)]);

test.each(samples.map(({ file, facts }) => [file, facts] as const))("%s becomes ready", async (file, facts) => {
  const call = await prepared(files.get(file) ?? Buffer.alloc(0));
  expect([call.status, call.failureCode]).toEqual(["ready", null]);
  // Encoders add up to two blocks, which is a quarter of a second at 8 kHz.
  expect(Math.abs((call.durationMs ?? 0) - SECONDS * 1000)).toBeLessThan(260);
  expect(call.codec).toBe(facts.codec);
  expect(call.playbackBytes).toBeGreaterThan(1000);
});

test.each(["film.mp4", "film.webm"])("%s becomes ready; its video track is ignored", async (file) => {
  expect(await prepared(files.get(file) ?? Buffer.alloc(0))).toMatchObject({ status: "ready" });
});

test("six channels are mixed down: odd channels to the left, even channels to the right", async () => {
  const channels = Array.from({ length: 6 }, (_, n) => `${n === 3 ? "c0" : "0*c0"}`);
  const make = `-filter:a pan=6c|${channels.map((words, n) => `c${n}=${words}`).join("|")} -c:a pcm_s16le`;
  const made = await makeFiles([{ file: "fourth.wav", make: `-map 0:a ${make}` }]);
  const call = await prepared(made.get("fourth.wav") ?? Buffer.alloc(0));
  const [left, right] = (call.measured as MeasuredAudio).channels;
  expect(left?.loudness).toBeNull();
  expect(right?.loudness).toBeGreaterThan(-45);
  expect((call.warnings as Warning[]).map(({ code }) => code)).toContain("channels_mixed");
});

test("leaves no files in the scratch folder and no orphaned objects", async () => {
  const left = await readdir(app.config.media.scratchDir, { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))).toEqual([]);
  const { rows } = await admin.query(
    "select recording_key, playback_key, drawing_key from call union all select key, null, null from staged_object",
  );
  const known = new Set(rows.flatMap(Object.values));
  expect((await storedFiles()).filter((file) => !known.has(file))).toEqual([]);
});
