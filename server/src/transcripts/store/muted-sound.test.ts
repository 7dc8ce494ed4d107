import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { findCall } from "../../calls/call/find-call.ts";
import { isRecordingLost } from "../../calls/import/replace-lost-recording.ts";
import { stageOrphans } from "../../calls/objects/stage-orphans.ts";
import { openWaveform, readTurns } from "../../calls/playback/open-audio.ts";
import { prepareCall } from "../../calls/prepare/prepare-call.ts";
import { resetPreparation } from "../../calls/prepare/reset-preparation.ts";
import { verifyRecordings } from "../../calls/prepare/verify-recordings.ts";
import { recountUsage } from "../../limits/recount-usage.ts";
import { once } from "../../platform/async/single-flight.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { Run } from "../../platform/media/analysis/speech.ts";
import type { Bytes } from "../../platform/storage/types.ts";
import { callImporter } from "../../testing/import-calls.ts";
import { openTranscriptionServer, says } from "../../testing/servers/transcription-server.ts";
import { aConversation } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { transcribeCall } from "../recognise/transcribe-call.ts";

const run = promisify(execFile);
const engine = await openTranscriptionServer();
const service = await openTestApp({ TRANSCRIBER_URL: engine.url });
const { app, admin, caller, campaignId, storedFiles } = service;
const { workspaceId } = caller;
const importCall = await callImporter(service);
await admin.query(`update workspace set settings = settings || '{"transcription": true}'`);

const inCampaign = (erases: boolean) =>
  admin.query(
    "update campaign set transcription_language = 'en', masking = 'text_and_sound', erase_masked_originals = $2 where id = $1",
    [campaignId, erases],
  );
beforeEach(async () => {
  engine.always(says("my card is 4929 1234 5678 9012 thanks"));
  await inCampaign(false);
});

let seed = 0;
/** A tone on the left from 1 s to 3 s, and one on the right from 4 s to 7 s. */
async function aTranscribedCall(): Promise<string> {
  seed += 1;
  const file = aConversation({ left: [1, 3], right: [4, 7] }, seed);
  const { id } = await importCall({ file, at: new Date(1.7e12 + seed * 60_000) });
  await prepareCall.perform(app, { workspaceId, callId: id });
  await transcribeCall.perform(app, { workspaceId, callId: id });
  return id;
}

const stored = (id: string) => inWorkspace(app, workspaceId, (tx) => findCall(tx, workspaceId, id));

async function mutedOf(id: string): Promise<Run[]> {
  const { rows } = await admin.query("select muted from transcript where call_id = $1", [id]);
  return rows[0].muted;
}

async function read(bytes: Bytes): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Loudest sample of each channel of the playback copy, by tenths of a second. */
async function peaksOf(id: string): Promise<number[][]> {
  const folder = await mkdtemp(join(tmpdir(), "muted-"));
  try {
    const { playbackKey } = await stored(id);
    await writeFile(join(folder, "copy.m4a"), await read(await app.storage.get(playbackKey ?? "")));
    const { stdout } = await run(
      "ffmpeg",
      ["-v", "error", "-i", join(folder, "copy.m4a"), "-ar", "8000", "-f", "s16le", "-"],
      { encoding: "buffer", maxBuffer: 1e7 },
    );
    const peaks: number[][] = [[], []];
    for (let at = 0; at + 3200 <= stdout.length; at += 3200) {
      for (const channel of [0, 1]) {
        let peak = 0;
        for (let i = at; i < at + 3200; i += 4) peak = Math.max(peak, Math.abs(stdout.readInt16LE(i + channel * 2)));
        peaks[channel]?.push(peak);
      }
    }
    return peaks;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Fails unless both channels are silent within the muted parts and the tones are audible outside. */
async function expectMasked(id: string): Promise<void> {
  const muted = await mutedOf(id);
  expect(muted.length).toBe(2);
  const [left = [], right = []] = await peaksOf(id);
  // Encoders blur the edges by some milliseconds.
  const isMuted = (tenth: number) =>
    muted.some(([start, end]) => tenth * 100 >= start + 30 && tenth * 100 + 100 <= end - 30);
  const isHeard = (tenth: number) =>
    muted.every(([start, end]) => tenth * 100 >= end + 30 || tenth * 100 + 100 <= start - 30);
  const tenths = [...left.keys()];
  for (const channel of [left, right])
    expect(Math.max(...tenths.filter(isMuted).map((tenth) => channel[tenth] ?? 0))).toBeLessThan(300);
  for (const tenth of [11, 12, 13]) expect([isHeard(tenth), (left[tenth] ?? 0) > 4000]).toEqual([true, true]);
  const call = await stored(id);
  const waveform = await read(await openWaveform(app, call).read({ start: 0, end: (call.waveformBytes ?? 0) - 1 }));
  const highs = Array.from({ length: (waveform.length - 24) / 4 }, (_, point) => waveform.readInt8(24 + point * 4 + 1));
  for (const [start, end] of muted)
    expect(Math.max(...highs.slice(Math.ceil(start / 20), Math.floor(end / 20)))).toBe(0);
  expect(highs[60]).toBeGreaterThan(10);
}

test("card numbers are silent in the playback copy and the waveform, on both sides, also when the call is prepared again", async () => {
  const id = await aTranscribedCall();
  await expectMasked(id);
  const before = await stored(id);
  const turns = await readTurns(app, before);
  // The turns of speech and measurements are those of the recording.
  expect(turns.map(({ turns }) => turns.length)).toEqual([1, 1]);
  expect(await resetPreparation(app, { workspaceId, id }, before.playbackKey)).toBe(true);
  await prepareCall.perform(app, { workspaceId, callId: id });
  expect((await stored(id)).playbackKey).not.toBe(before.playbackKey);
  await expectMasked(id);
});

test("a preparation that began before the sound was masked does not store its copy", async () => {
  seed += 1;
  const file = aConversation({ left: [1, 3], right: [4, 7] }, seed);
  const { id } = await importCall({ file, at: new Date(1.7e12 + seed * 60_000) });
  const ref = { workspaceId, callId: id };
  /** What other workers do while the first one stores its copy. */
  const meanwhile = once(async () => {
    await prepareCall.perform(app, ref);
    await transcribeCall.perform(app, ref);
    await resetPreparation(app, { workspaceId, id }, (await stored(id)).playbackKey);
  });
  const create: typeof app.storage.create = (...of) => {
    const upload = app.storage.create(...of);
    return { ...upload, finish: async () => meanwhile().then(() => upload.finish()) };
  };
  await prepareCall.perform({ ...app, storage: { ...app.storage, create } }, ref);
  expect(await stored(id)).toMatchObject({ status: "received", playbackKey: null });
  await prepareCall.perform(app, ref);
  await expectMasked(id);
});

test("former copies are left to the sweeper; every object that is referenced stays", async () => {
  const id = await aTranscribedCall();
  const call = await stored(id);
  const { rows } = await admin.query("select key from staged_object");
  const staged = new Set(rows.map(({ key }) => key));
  const { rows: transcripts } = await admin.query("select object_key from transcript where call_id = $1", [id]);
  const used = [call.recordingKey, call.playbackKey, call.drawingKey, transcripts[0].object_key];
  expect(used.filter((key) => staged.has(key))).toEqual([]);
  expect((await storedFiles()).filter((key) => key.startsWith("playback/") && !staged.has(key)).length).toBe(seed);
  // A restored database: nothing of a call is taken for an orphan.
  const yesterday = (key: string) => key.replace(/\/\d{4}-\d\d-\d\d\//, "/2026-01-01/");
  await admin.query("update transcript set object_key = $1, object_bytes = 1 where call_id = $2", [
    yesterday(used[3]),
    id,
  ]);
  const upload = app.storage.create(yesterday(used[3]), "test");
  await upload.write(Buffer.from("x"));
  await upload.finish();
  const report = await stageOrphans(app, { since: "2026-01-01", dryRun: true });
  expect(report).toMatchObject({ listed: 1, orphans: 0 });
});

test("a lost transcript is restored from a copy, or made again", async () => {
  const id = await aTranscribedCall();
  const { rows } = await admin.query("select object_key from transcript where call_id = $1", [id]);
  const key = rows[0].object_key as string;
  const bytes = await read(await app.storage.get(key));
  await app.storage.delete(key);
  const restore = async (wanted: string) => {
    if (wanted !== key) return false;
    const upload = app.storage.create(key, "test");
    await upload.write(bytes);
    await upload.finish();
    return true;
  };
  const options = { workspace: workspaceId, restore };
  expect(await verifyRecordings(app, options)).toMatchObject({ restored: 1, transcribedAgain: 0, damaged: [] });
  await app.storage.delete(key);
  expect(await verifyRecordings(app, { workspace: workspaceId })).toMatchObject({ transcribedAgain: 1, damaged: [] });
  await transcribeCall.perform(app, { workspaceId, callId: id });
  expect(await verifyRecordings(app, { workspace: workspaceId })).toMatchObject({ transcribedAgain: 0 });
});

test("a call without card numbers keeps its copy", async () => {
  engine.always(says("hello there"));
  const id = await aTranscribedCall();
  expect(await mutedOf(id)).toBeNull();
  const { rows } = await admin.query("select count(*)::int as n from staged_object where key = $1", [
    (await stored(id)).playbackKey,
  ]);
  expect(rows[0].n).toBe(0);
});

/** Fails unless the stored usage is that of the originals that exist, and counting again changes nothing. */
async function expectUsageCounted(): Promise<void> {
  const used = async () => {
    const { rows } = await admin.query("select bytes::int from workspace_usage where workspace_id = $1", [workspaceId]);
    return rows[0].bytes;
  };
  const { rows } = await admin.query(
    "select sum(recording_bytes)::int as bytes from call where workspace_id = $1 and original_erased_at is null",
    [workspaceId],
  );
  // Imports are added a moment later.
  await expect.poll(used).toBe(rows[0].bytes);
  await recountUsage(app, workspaceId);
  expect(await used()).toBe(rows[0].bytes);
}

test("originals are erased after masking if the campaign says so, and nothing takes that for a loss", async () => {
  await inCampaign(true);
  const id = await aTranscribedCall();
  const call = await stored(id);
  expect(call.originalErasedAt).toBeInstanceOf(Date);
  const { rows: entries } = await admin.query(
    "select actor_type from audit_entry where action = 'call.original_erased' and subject_id = $1",
    [id],
  );
  expect(entries).toEqual([{ actor_type: "system" }]);
  expect(await app.storage.size(call.recordingKey)).toBeUndefined();
  await expectMasked(id);
  expect(await isRecordingLost(app, call)).toBe(false);
  const report = await verifyRecordings(app, {});
  expect(report.damaged.filter(({ callId }) => callId === id)).toEqual([]);
  expect(await resetPreparation(app, { workspaceId, id }, call.playbackKey)).toBe(false);
  await expectUsageCounted();
  // A lost copy cannot be made again.
  await app.storage.delete(call.playbackKey ?? "");
  const { damaged } = await verifyRecordings(app, {});
  expect(damaged).toEqual([{ workspaceId, callId: id, problem: "missing" }]);
  await admin.query("delete from call where id = $1", [id]);
  await expectUsageCounted();
});

test("originals under legal hold are kept", async () => {
  await inCampaign(true);
  await admin.query(
    "insert into legal_hold (workspace_id, id, subject_type, subject_id, reason, created_by_type) values ($1, gen_random_uuid(), 'campaign', $2, 'court', 'operator')",
    [workspaceId, campaignId],
  );
  const call = await stored(await aTranscribedCall());
  expect(call.originalErasedAt).toBeNull();
  expect(await app.storage.size(call.recordingKey)).toBe(call.recordingBytes);
});

test("an original is not erased when the call was prepared again in the middle", async () => {
  const id = await aTranscribedCall();
  await inCampaign(true);
  await admin.query("update call_step set state = 'running', attempts = 0 where call_id = $1 and step = 'transcribe'", [
    id,
  ]);
  engine.next(async (response, seconds) => {
    const { playbackKey } = await stored(id);
    await resetPreparation(app, { workspaceId, id }, playbackKey);
    says("my card is 4929 1234 5678 9012 thanks")(response, seconds);
  });
  await expect(transcribeCall.perform(app, { workspaceId, callId: id })).rejects.toThrow("prepared again");
  expect((await stored(id)).originalErasedAt).toBeNull();
  await prepareCall.perform(app, { workspaceId, callId: id });
  expect((await stored(id)).status).toBe("ready");
});
