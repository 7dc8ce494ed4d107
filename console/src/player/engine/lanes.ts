import type { CallDetailBody, SpeechBody } from "@hearback/sdk";
import { longSilenceMs, skipsOf } from "./silence-skips.ts";
import { gaps, mergeSpans, overlaps, type SideName, type Span } from "./speech.ts";

type Side = NonNullable<CallDetailBody["audio"]>["sides"][number];

/** One voice. The agent's lane is on top. */
export interface Lane extends Side {
  /** CSS variable in styles.css. */
  readonly colour: string;
  readonly turns: readonly Span[];
}

/** Speech of the call, prepared for display. */
export interface Talk {
  /** False while loading: unknown speech is not silence. */
  readonly isKnown: boolean;
  readonly lanes: readonly Lane[];
  readonly anySpeech: readonly Span[];
  readonly overtalk: readonly Span[];
  /** Long silences. */
  readonly silences: readonly Span[];
  readonly skips: readonly Span[];
}

const order: readonly SideName[] = ["agent", "customer", "left", "right", "mixed"];
const colours: Partial<Record<SideName, string>> = { agent: "--side-agent", customer: "--side-customer" };

export function talkOf(sides: readonly Side[], speech: SpeechBody | undefined, durationMs: number): Talk {
  const lanes = sides
    .toSorted((a, b) => order.indexOf(a.side) - order.indexOf(b.side))
    .map((side): Lane => {
      const turns = speech?.sides.find(({ channel }) => channel === side.channel)?.turns ?? [];
      return { ...side, turns, colour: colours[side.side] ?? "--side-other" };
    });
  const anySpeech = mergeSpans(...lanes.map(({ turns }) => turns));
  const [first, second] = lanes;
  return {
    isKnown: speech !== undefined,
    lanes,
    anySpeech,
    overtalk: first && second ? overlaps(first.turns, second.turns) : [],
    silences: speech ? gaps(anySpeech, durationMs).filter(([from, to]) => to - from > longSilenceMs) : [],
    skips: speech ? skipsOf(anySpeech, durationMs) : [],
  };
}
