import type { CallRef } from "../../calls/prepare/call-step.ts";
import type { App } from "../../platform/app.ts";
import { type HeardWord, sampleRate } from "../engine/engine.ts";
import type { GuardedEngine } from "../engine/open-engine.ts";
import { openRun } from "../steps/transcription-run.ts";
import type { SideWord } from "../transcript.ts";
import type { ChannelSamples } from "./channel-samples.ts";
import type { Side } from "./decode-sides.ts";
import { dropInvented } from "./drop-invented.ts";
import {
  gapMs,
  longestStretchMs,
  makeStretches,
  packStretches,
  type Stretch,
  unpackTime,
  unpackWord,
} from "./stretches.ts";

interface RecogniseOptions {
  readonly sides: readonly Side[];
  readonly language: string;
  readonly signal?: AbortSignal | undefined;
}

/** Sends the speech of a call to the engine, except for what it has answered before. Returns the words in order of time. */
export async function recogniseCall(
  app: App,
  call: CallRef,
  { engine, circuit }: GuardedEngine,
  { sides, language, signal }: RecogniseOptions,
): Promise<SideWord[]> {
  const run = await openRun(app, call);
  const words: SideWord[] = [];
  // Reused: memory of a megabyte for each sound would be collected late.
  const room = new Int16Array(roomLength);
  let number = 0;
  for (const { channel, turns, samples } of sides) {
    const stretches = await makeStretches(turns, samples.durationMs, samples.findQuiet);
    for (const parts of engine.packs ? packStretches(stretches) : stretches.map((stretch) => [stretch])) {
      const places = parts.map(({ startMs, endMs }) => `${startMs}-${endMs}`);
      const about = [engine.name, engine.model, language, channel, ...places].join("/");
      let heard = run.heard(number, about);
      if (!heard) {
        const sound = { samples: await readParts(samples, parts, room), language };
        signal?.throwIfAborted();
        const answered = await circuit.send(async () => {
          await run.sending(number);
          return engine.transcribe(sound, signal);
        }, signal);
        const speechMs = parts.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
        await run.save(number, about, { words: answered, speechMs });
        heard = answered;
        app.metrics.transcribedSeconds.inc(speechMs / 1000);
      }
      words.push(...toSideWords(heard, parts, { channel, turns }));
      number += 1;
    }
  }
  return words.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
}

const gap = (gapMs * sampleRate) / 1000;
/** One sound, with a rounding error for each of its parts. */
const roomLength = (longestStretchMs / 1000 + 1) * sampleRate;

/** The samples of parts of a side, with short gaps between them, in `room`. */
async function readParts(samples: ChannelSamples, parts: readonly Stretch[], room: Int16Array): Promise<Int16Array> {
  let at = 0;
  for (const { startMs, endMs } of parts) {
    if (at > 0) room.fill(0, at, at + gap);
    at += at > 0 ? gap : 0;
    at += (await samples.read(startMs, endMs, room.subarray(at))).length;
  }
  return room.subarray(0, at);
}

/** The words of one sound, with times from the start of the call and without inventions. */
function toSideWords(
  heard: readonly HeardWord[],
  parts: readonly Stretch[],
  { channel, turns }: Pick<Side, "channel" | "turns">,
): SideWord[] {
  const part = ({ startMs, endMs }: Stretch) => ({
    startMs: unpackTime(parts, startMs),
    endMs: unpackTime(parts, endMs),
  });
  const shifted = heard.map((word) => ({
    ...word,
    ...unpackWord(parts, word),
    ...(word.within && { within: part(word.within) }),
  }));
  const spoken = turns.filter(([start, end]) => parts.some((part) => end >= part.startMs && start <= part.endMs));
  return dropInvented(shifted, spoken).map((word) => ({ ...word, channel }));
}
