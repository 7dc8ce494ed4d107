import type { TranscriptBody, TranscriptTurn, TranscriptWord } from "@hearback/sdk";
import type { Stretch } from "./lines.ts";

export interface Quote {
  readonly side: TranscriptTurn["side"];
  readonly words: readonly TranscriptWord[];
}

/** A moment without an end is about what is said at its start. */
const shortestMs = 2_000;
/** Longer moments are cut. */
const mostWords = 120;

/** Words of which most is said in a stretch, by turn. */
export function toQuotes({ turns }: Pick<TranscriptBody, "turns">, { startMs, endMs }: Stretch): Quote[] {
  const toMs = Math.max(endMs, startMs + shortestMs);
  let left = mostWords;
  return turns
    .filter((turn) => turn.start_ms < toMs && turn.end_ms > startMs)
    .flatMap(({ side, words }) => {
      const inside = words.filter((word) => {
        const middle = (word.start_ms + word.end_ms) / 2;
        return middle >= startMs && middle < toMs;
      });
      const quoted = inside.slice(0, left);
      left -= quoted.length;
      return quoted.length > 0 ? [{ side, words: quoted }] : [];
    });
}
