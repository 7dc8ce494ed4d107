import type { SideWord } from "../transcript.ts";
import { findSensitive, type MaskOptions, type SensitivePart } from "./find-sensitive.ts";

export interface MaskedWords {
  /** Each sensitive part is one word without a text. */
  readonly words: readonly SideWord[];
  readonly parts: readonly SensitivePart[];
}

/** Removes card numbers and the like from the words of a call, which are in order of time. */
export async function maskWords(words: readonly SideWord[], options: MaskOptions): Promise<MaskedWords> {
  const spoken = words.map(({ channel, ...word }) => ({ ...word, side: channel }));
  const parts = await findSensitive(spoken, options);
  const partOf = new Map(parts.flatMap((part) => part.words.map((index) => [index, part] as const)));
  const masked = words.flatMap((word, index) => {
    const part = partOf.get(index);
    if (!part) return [word];
    if (part.words[0] !== index) return [];
    const { kind: mask, startMs, endMs } = part;
    return [{ channel: word.channel, text: "", startMs, endMs, probability: null, mask }];
  });
  return { words: masked, parts };
}
