import type { SpokenLine } from "@hearback/portable/testing/spoken-corpus";
import { findSensitive, type MaskOptions } from "../transcripts/masking/find-sensitive.ts";
import type { SpokenWord } from "../transcripts/masking/tokens.ts";

/** Of randomized tests, which print it. */
export const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

/** The same numbers in every run. */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

export type Hear = (text: string) => readonly string[];

/** The words of a conversation at the speed of speech, as a recogniser heard them. */
export function wordsOf(lines: readonly SpokenLine[], hear: Hear = (text) => [text]): SpokenWord[] {
  let at = 0;
  return lines.flatMap(({ side, text }) => {
    at += 400;
    return text.split(/\s+/).flatMap((word) => {
      at += 380;
      return hear(word).map((heard) => ({ side, startMs: at - 380, endMs: at - 80, text: heard }));
    });
  });
}

export const customer = (text: string) => wordsOf([{ side: "customer", text }]);

/** The text that remains, with the kinds of what was masked. */
export async function mask(words: readonly SpokenWord[], options: MaskOptions = { language: "en" }): Promise<string> {
  const parts = await findSensitive(words, options);
  const kinds = new Map(parts.flatMap((part) => part.words.map((index) => [index, part] as const)));
  const shown = words.map(({ text }, index) => {
    const part = kinds.get(index);
    if (!part) return text;
    return part.words[0] === index ? `[${part.kind}]` : "";
  });
  return shown.filter((text) => text !== "").join(" ");
}
