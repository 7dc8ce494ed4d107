import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { speak } from "../../testing/speech.ts";
import { speechModel } from "../../testing/speech-model.ts";
import { sampleRate } from "./engine.ts";
import { openLocalEngine } from "./local-engine.ts";

const run = promisify(execFile);
const modelDir = await speechModel();
const options = { modelDir, timeoutMs: 60_000, idleMs: 60_000 };
const engine = openLocalEngine(options);

const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9 ]/g, "");

let agent: Int16Array;
beforeAll(async () => {
  agent = await speak("Thank you for calling. I would like to cancel my contract.", "slt");
});
afterAll(() => engine.close());

test("recognises telephone speech; words are in order and within the sound", { timeout: 60_000 }, async () => {
  const words = await engine.transcribe({ samples: agent, language: "en" });
  expect(plain(words.map(({ text }) => text).join(" "))).toBe(
    "thank you for calling i would like to cancel my contract",
  );
  const times = words.flatMap(({ startMs, endMs }) => [startMs, endMs]);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.at(-1)).toBeLessThanOrEqual((agent.length / sampleRate) * 1000);
  // The pause between the sentences.
  const [end, start] = [words[3]?.endMs ?? 0, words[4]?.startMs ?? 0];
  expect(start - end).toBeGreaterThan(30);
});

test("digits that are written as one word have the times of all of them", { timeout: 60_000 }, async () => {
  const samples = await speak("My card number is four nine two nine, one two three four, five six seven eight.", "rms");
  const words = await engine.transcribe({ samples, language: "en" });
  const digits = words.filter(({ text }) => /\d/.test(text));
  expect(plain(digits.map(({ text }) => text).join(""))).toBe("492912345678");
  const seconds = ((digits.at(-1)?.endMs ?? 0) - (digits[0]?.startMs ?? 0)) / 1000;
  expect(seconds).toBeGreaterThan(2.5);
});

test("silence, noise and a ring tone have no words", { timeout: 60_000 }, async () => {
  const make = (sampleAt: (index: number) => number) =>
    Int16Array.from({ length: 4 * sampleRate }, (_, index) => sampleAt(index));
  let state = 1;
  const noise = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return (state / 2 ** 31 - 0.5) * 600;
  };
  const ring = (index: number) =>
    index % 32_000 < 16_000 ? 6_000 * Math.sin((index * 2 * Math.PI * 425) / sampleRate) : 0;
  for (const sampleAt of [() => 0, noise, ring])
    expect(await engine.transcribe({ samples: make(sampleAt), language: "en" })).toEqual([]);
});

/** Processes of the recogniser that this process started. */
async function recognisers(): Promise<number[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const { stdout } = await run("ps", ["-o", "pid=,ppid=,args=", "-p", names.join(",")]);
  return stdout
    .split("\n")
    .filter((line) => line.includes("recogniser.ts") && Number(line.trim().split(/\s+/)[1]) === process.pid)
    .map((line) => Number(line.trim().split(/\s+/)[0]));
}

test("a crash of the process is reported, and the next sound starts a new one", { timeout: 60_000 }, async () => {
  const lost = engine.transcribe({ samples: agent, language: "en" });
  await expect.poll(recognisers).toHaveLength(1);
  for (const pid of await recognisers()) process.kill(pid, "SIGKILL");
  await expect(lost).rejects.toMatchObject({ code: "engine_unavailable" });
  expect(await engine.transcribe({ samples: agent, language: "en" })).not.toEqual([]);
});

test("stops when asked to, and ends its process when it is idle", { timeout: 60_000 }, async () => {
  const short = openLocalEngine({ ...options, idleMs: 50 });
  const before = (await recognisers()).length;
  await short.transcribe({ samples: new Int16Array(sampleRate), language: "en" });
  await expect.poll(async () => (await recognisers()).length).toBe(before);
  await expect(
    short.transcribe({ samples: agent, language: "en" }, AbortSignal.abort(new Error("the worker stops"))),
  ).rejects.toThrow("the worker stops");
  await short.close();
});

test("a folder without a model is an error that says what to do", async () => {
  const empty = openLocalEngine({ ...options, modelDir: import.meta.dirname });
  await expect(empty.transcribe({ samples: agent, language: "en" })).rejects.toMatchObject({
    code: "engine_refused",
    message: expect.stringContaining("hearback-server models add moonshine-base-en"),
  });
});
