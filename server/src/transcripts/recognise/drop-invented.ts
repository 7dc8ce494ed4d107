import type { Run } from "../../platform/media/analysis/speech.ts";
import type { HeardWord } from "../engine/engine.ts";

/** Sentences that Whisper was trained with and writes for silence and noise. */
const knownInventions = new Set([
  ...["thank you for watching", "thanks for watching", "please subscribe", "subtitles by the amara org community"],
  ...["sous titres realises par la communaute d amara org", "sous titrage st 501", "merci d avoir regarde cette video"],
]);
/** A phrase that is said so often in a row was invented. */
const mostRepeats = 4;
const longestPhrase = 8;
/** How far from speech the middle of a word may be that does not overlap it. */
const marginMs = 400;
/** A longer word, such as digits that were said in groups, can have its middle in a pause. It overlaps speech by so much. */
const leastSpeechMs = 300;

const plain = (text: string) =>
  text
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Drops what an engine made up: words outside speech, phrases that repeat themselves, and known inventions. */
export function dropInvented(words: readonly HeardWord[], speech: readonly Run[]): HeardWord[] {
  const spoken = words.filter(({ startMs, endMs }) => {
    const middle = (startMs + endMs) / 2;
    return speech.some(
      ([start, end]) =>
        (middle >= start - marginMs && middle <= end + marginMs) ||
        Math.min(end, endMs) - Math.max(start, startMs) >= leastSpeechMs,
    );
  });
  const whole = spoken.map(({ text }) => plain(text)).join(" ");
  return knownInventions.has(plain(whole)) ? [] : dropRepeats(spoken);
}

/** Keeps the first of many repetitions of a phrase. */
function dropRepeats(words: readonly HeardWord[]): HeardWord[] {
  const texts = words.map(({ text }) => plain(text));
  const kept: HeardWord[] = [];
  for (let at = 0; at < words.length; ) {
    const repeated = findRepeat(texts, at);
    const length = repeated?.length ?? 1;
    kept.push(...words.slice(at, at + length));
    at += repeated ? repeated.length * repeated.times : 1;
  }
  return kept;
}

/** Digits are said repeatedly: `four four four four` is no invention. */
const mayRepeat =
  /^(?:\d+|zero|oh|one|two|three|four|five|six|seven|eight|nine|un|deux|trois|quatre|cinq|sept|huit|neuf|no|yes|oui|non)$/;

function findRepeat(texts: readonly string[], at: number): { length: number; times: number } | undefined {
  for (let length = 1; length <= longestPhrase; length++) {
    const phrase = texts.slice(at, at + length);
    if (phrase.every((text) => mayRepeat.test(text))) continue;
    let times = 1;
    while (phrase.every((text, index) => texts[at + times * length + index] === text)) times++;
    if (times > mostRepeats) return { length, times };
  }
  return undefined;
}
