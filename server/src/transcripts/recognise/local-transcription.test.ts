import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { findCall, type StoredCall } from "../../calls/call/find-call.ts";
import { readTurns } from "../../calls/playback/open-audio.ts";
import { prepareCall } from "../../calls/prepare/prepare-call.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { callImporter } from "../../testing/import-calls.ts";
import { aRecording } from "../../testing/sounds.ts";
import { speak } from "../../testing/speech.ts";
import { speechModel } from "../../testing/speech-model.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { sampleRate } from "../engine/engine.ts";
import { closeEngine, engineOf } from "../engine/open-engine.ts";
import { textOf } from "../read/format-transcript.ts";
import { decodeTranscript } from "../store/transcript-object.ts";
import { lengthOf, openSamples } from "./channel-samples.ts";
import { makeStretches } from "./stretches.ts";
import { transcribeCall } from "./transcribe-call.ts";

const run = promisify(execFile);
const service = await openTestApp({ TRANSCRIBER_MODEL_DIR: await speechModel() });
const { app, admin, caller } = service;
const { workspaceId } = caller;
const importCall = await callImporter(service);
afterAll(() => closeEngine(app));

/** Sentences one after the other, with half a second between them: the agent on the left, the customer on the right. */
async function conversation(lines: readonly (readonly ["left" | "right", string])[]): Promise<Buffer> {
  const pause = 4000;
  const spoken = await Promise.all(
    lines.map(async ([side, text]) => ({ side, samples: await speak(text, side === "left" ? "slt" : "rms") })),
  );
  const frames = spoken.reduce((sum, { samples }) => sum + Math.floor(samples.length / 2) + pause, pause);
  const wav = Buffer.alloc(44 + frames * 4);
  aRecording({ seconds: 0 }).copy(wav);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.writeUInt16LE(2, 22);
  wav.writeUInt32LE(8000 * 4, 28);
  wav.writeUInt16LE(4, 32);
  wav.writeUInt32LE(frames * 4, 40);
  let at = pause;
  for (const { side, samples } of spoken) {
    for (let frame = 0; frame * 2 + 1 < samples.length; frame++)
      wav.writeInt16LE(samples[frame * 2] ?? 0, 44 + (at + frame) * 4 + (side === "left" ? 0 : 2));
    at += Math.floor(samples.length / 2) + pause;
  }
  return wav;
}

async function read(key: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await app.storage.get(key)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What the engine understands of one side of the playback copy. */
async function understand(call: StoredCall, channel: 0 | 1): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "understand-"));
  try {
    const file = join(folder, "copy.m4a");
    await writeFile(file, await read(call.playbackKey ?? ""));
    const samplesFile = join(folder, "samples");
    const filter = ["-af", `pan=mono|c0=c${channel}`, "-ar", String(sampleRate), "-f", "s16le", samplesFile];
    await run("ffmpeg", ["-v", "error", "-i", file, ...filter]);
    const samples = await openSamples(samplesFile, sampleRate);
    const { turns = [] } = (await readTurns(app, call))[channel] ?? {};
    const said: string[] = [];
    for (const { startMs, endMs } of await makeStretches(turns, samples.durationMs, samples.findQuiet)) {
      const sound = {
        samples: await samples.read(startMs, endMs, new Int16Array(lengthOf(startMs, endMs))),
        language: "en",
      };
      said.push(...((await engineOf(app)?.engine.transcribe(sound)) ?? []).map(({ text }) => text));
    }
    await samples.close();
    return said.join(" ");
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("speech becomes a transcript; a card number remains neither in its text nor in the sound", {
  timeout: 120_000,
}, async () => {
  await admin.query(`update workspace set settings = settings || '{"transcription": true}'`);
  await admin.query("update campaign set transcription_language = 'en', masking = 'text_and_sound'");
  const file = await conversation([
    ["left", "Thank you for calling. What is the number of your card?"],
    ["right", "It is four nine two nine, one two three four, five six seven eight, nine oh one two."],
    ["left", "Wonderful. You will receive the parcel on Monday."],
    ["right", "I would like to cancel my contract as well."],
  ]);
  const { id } = await importCall({ file });
  const job = { workspaceId, callId: id };
  await prepareCall.perform(app, job);
  const before = await inWorkspace(app, workspaceId, (tx) => findCall(tx, workspaceId, id));
  expect(await understand(before, 1)).toMatch(/\d{4}|seven,? eight/);
  await transcribeCall.perform(app, job);

  const { rows } = await admin.query("select * from transcript");
  expect(rows[0]).toMatchObject({ engine: "local", model: "moonshine-base-en", masked: { card_number: 1 } });
  const turns = await decodeTranscript(await read(rows[0].object_key));
  const said = turns.map(({ channel, words }) => `${channel}: ${words.map(textOf).join(" ")}`).join("\n");
  expect(turns.map(({ channel }) => channel)).toEqual(["left", "right", "left", "right"]);
  expect(said).toContain("[card number]");
  expect(said).toMatch(/right: I would like to cancel my contract/);
  expect(said).not.toMatch(/\d|four|nine/i);

  const call = await inWorkspace(app, workspaceId, (tx) => findCall(tx, workspaceId, id));
  expect(call.playbackKey).not.toBe(before.playbackKey);
  const customer = await understand(call, 1);
  expect(customer).toMatch(/cancel my contract/);
  expect(customer.match(/\d|four|nine|seven|eight/gi) ?? []).toHaveLength(0);
  expect(await understand(call, 0)).toMatch(/parcel on Monday/);
  expect(service.log()).not.toMatch(/parcel|contract|nine/);
});
