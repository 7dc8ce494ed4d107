import type { MaskKind } from "@hearback/contract";
import type { ChannelOrBoth } from "../calls/call/measured-audio.ts";

/** A word of a transcript, with times from the start of the call. */
export interface TranscriptWord {
  /** Empty if it is masked. */
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** From 0 to 1; null if the engine does not say. */
  readonly probability: number | null;
  /** What was masked: one or more words that followed each other. */
  readonly mask?: MaskKind;
}

/** What one side said without a long pause. */
export interface TranscriptTurn {
  readonly channel: ChannelOrBoth;
  readonly startMs: number;
  readonly endMs: number;
  readonly words: readonly TranscriptWord[];
}

/** A word of one side, before turns are made. */
export interface SideWord extends TranscriptWord {
  readonly channel: ChannelOrBoth;
  /** If the engine does not time words: the part of the call that they are somewhere in. */
  readonly within?: { readonly startMs: number; readonly endMs: number };
}

/** A longer pause ends a turn. */
const longestPauseMs = 1_500;
/** If the other side speaks meanwhile, a shorter one does, too. */
const answeredPauseMs = 300;

/** Makes turns of the words of all sides, in order of time. */
export function makeTurns(words: readonly SideWord[]): TranscriptTurn[] {
  const ordered = words.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  const turns: { channel: ChannelOrBoth; startMs: number; endMs: number; words: TranscriptWord[] }[] = [];
  const open = new Map<ChannelOrBoth, (typeof turns)[number]>();
  for (const { channel, ...word } of ordered) {
    const turn = open.get(channel);
    const pause = turn ? word.startMs - turn.endMs : Number.POSITIVE_INFINITY;
    const isAnswered = turn !== turns.at(-1);
    if (turn && pause <= (isAnswered ? answeredPauseMs : longestPauseMs)) {
      turn.words.push(word);
      turn.endMs = Math.max(turn.endMs, word.endMs);
      continue;
    }
    const begun = { channel, startMs: word.startMs, endMs: word.endMs, words: [word] };
    open.set(channel, begun);
    turns.push(begun);
  }
  return turns;
}
