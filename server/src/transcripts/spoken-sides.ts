import type { ChannelOrBoth } from "../calls/call/measured-audio.ts";
import type { TranscriptTurn, TranscriptWord } from "./transcript.ts";

type SpokenTurn = Pick<TranscriptTurn, "channel" | "words">;

/** What each side said, in order of time: what is indexed and searched in. Masked words have no text. */
export function wordsOfSides(turns: readonly SpokenTurn[]): Map<ChannelOrBoth, SideWord[]> {
  const sides = new Map<ChannelOrBoth, SideWord[]>();
  for (const [turn, { channel, words }] of turns.entries()) {
    const side = sides.get(channel) ?? [];
    for (const word of words) side.push({ ...word, turn });
    sides.set(channel, side);
  }
  return sides;
}

export interface SideWord extends TranscriptWord {
  /** Index of its turn. */
  readonly turn: number;
}

/** The texts for `indexWords`. */
export const textsOfSides = (turns: readonly SpokenTurn[]) =>
  [...wordsOfSides(turns)].map(([channel, words]) => ({ channel, text: words.map(({ text }) => text).join(" ") }));
