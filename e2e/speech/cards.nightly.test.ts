// Nightly, and for changes in: server/src/transcripts/
import { makeCardExample, makeNearMiss, type SpokenExample } from "@hearback/portable/testing/spoken-corpus";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importCall } from "../support/http/service.ts";
import { type Line, speakTelephoneCall, type TimedWord } from "../support/recordings/telephone-speech.ts";
import { random, scale } from "../support/run-scale.ts";
import { openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { say } from "../support/waiting.ts";
import {
  localEngine,
  masksOf,
  openSpeechService,
  type SpeechService,
  type Transcript,
  waitForTranscript,
} from "./support/transcripts.ts";

/*
 * Card numbers as people read them out over the telephone, recognised by the local engine. English only: there is no French
 * model to be had that recognises telephone speech. French is tested as text: server/src/transcripts/masking.
 */

/** Seeds: with the first one masking was improved, with the second one it was not. */
const seeds = scale([202], [202], [101, 202]);
const cards = scale(8, 8, 300);
const nearMisses = scale(4, 4, 300);
const atOnce = 4;

let stack: Stack;
let speech: SpeechService;

beforeAll(async () => {
  stack = await openStack(undefined, { ...unlimited, ...(await localEngine()) });
  const api = await stack.startApi();
  speech = await openSpeechService(stack, api.baseUrl);
  await stack.startWorker();
}, 180_000);
afterAll(() => stack?.stop());

interface Heard {
  readonly example: SpokenExample;
  readonly customer: readonly TimedWord[];
  readonly transcript: Transcript;
}

/** Speaks examples, a few ahead of the recogniser. */
async function* hear(seed: number, count: number, make: typeof makeCardExample): AsyncGenerator<Heard> {
  const chance = random(seed);
  const open: Promise<Heard>[] = [];
  for (let n = 0; n < count || open.length > 0; n++) {
    if (n < count) {
      const example = make(chance, 2 * n);
      open.push(hearOne(example, linesOf(example, chance)));
    }
    if (open.length >= atOnce || n >= count) yield (await open.shift()) as Heard;
  }
}

async function hearOne(example: SpokenExample, lines: readonly Line[]): Promise<Heard> {
  const { recording, words } = await speakTelephoneCall(lines);
  const { id } = await importCall(speech.service, { file: recording });
  return { example, customer: words.customer, transcript: await waitForTranscript(speech.service, id) };
}

const units = "zero one two three four five six seven eight nine".split(" ");

/** What flite says wrongly otherwise. */
const sayable = (text: string) =>
  text
    .replaceAll(/£(\d+)\.(\d+)/g, "$1 pounds $2")
    .replaceAll(/\b\d{3,}\b/g, (group) => `${[...group].map((digit) => units[Number(digit)]).join(" ")},`)
    .replaceAll("mm-hmm", "mhm")
    .replaceAll(/,\s*\./g, ".");

/** With pauses as in a conversation; interruptions overlap. */
const linesOf = ({ lines, style }: SpokenExample, chance: () => number): Line[] =>
  lines.map(({ side, text }, index) => {
    const overlaps = style === "interrupted" && chance() < 0.3;
    const pauseMs = Math.round((overlaps ? -300 : 200) + chance() * 600);
    return { speaker: side, text: sayable(text), pauseMs: index === 0 ? 0 : pauseMs };
  });

const isDigit = new RegExp(
  `^(?:${units.join("|")}|oh|ten|eleven|twelve|\\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|\\d)[,.]?$`,
);
/** How far beside a masked part its sound is silent. */
const marginMs = 150;

/** Spoken digits of the card number that are not in a masked part. */
const remaining = ({ customer, transcript }: Heard) => {
  const masks = masksOf(transcript).filter(({ side }) => side === "customer");
  return customer.filter(({ text, startMs, endMs }) => {
    const middle = (startMs + endMs) / 2;
    const isMasked = masks.some((mask) => middle >= mask.startMs - marginMs && middle <= mask.endMs + marginMs);
    return isDigit.test(text) && !isMasked;
  });
};

const shown = ({ turns }: Transcript) =>
  turns.map(({ side, words }) => `${side}: ${words.map(({ text, mask }) => mask ?? text).join(" ")}`).join("\n  ");

const timeout = 4 * 3600_000;

test.each(seeds)(`of ${cards} spoken card numbers at least 98 % are masked (seed %i)`, { timeout }, async (seed) => {
  let whole = 0;
  let masked = 0;
  for await (const heard of hear(seed, cards, makeCardExample)) {
    const left = remaining(heard);
    // Four digits may be shown by anyone's rules.
    const isMasked = masksOf(heard.transcript).some(({ mask }) => mask === "card_number") && left.length <= 4;
    if (isMasked) masked++;
    if (isMasked && left.length === 0) whole++;
    else say(`${heard.example.style}: ${left.length} digits remain\n  ${shown(heard.transcript)}`);
  }
  say(`seed ${seed}: ${masked} of ${cards} card numbers masked, ${whole} of them without a single digit left`);
  // A miss in a small sample is not less than 98 %.
  expect(masked).toBeGreaterThanOrEqual(scale(cards - 1, cards - 1, cards * 0.98));
});

test.each(seeds)(`of ${nearMisses} other numbers at most 5 % are masked (seed %i)`, { timeout }, async (seed) => {
  let masked = 0;
  for await (const { example, transcript } of hear(seed, nearMisses, makeNearMiss)) {
    if (masksOf(transcript).length === 0) continue;
    masked++;
    say(`${example.style} masked\n  ${shown(transcript)}`);
  }
  say(`seed ${seed}: ${masked} of ${nearMisses} other numbers masked`);
  expect(masked).toBeLessThanOrEqual(scale(1, 1, nearMisses * 0.05));
});
