import type { CallDetailBody, SpeechBody } from "@hearback/sdk";
import { longSilenceMs, skipsOf } from "./skip-plan.ts";
import { gaps, overlaps, type SideName, type Span, together } from "./speech.ts";

type Side = NonNullable<CallDetailBody["audio"]>["sides"][number];

/** One voice, as it is drawn and heard: the agent above. */
export interface Lane extends Side {
  /** The name of the colour in styles.css. */
  readonly colour: string;
  readonly turns: readonly Span[];
}

/** Who speaks when, in the ways that the page shows it. */
export interface Talk {
  /** Not while it is being fetched: who speaks is then unknown, which is not silence. */
  readonly isKnown: boolean;
  readonly lanes: readonly Lane[];
  readonly anybody: readonly Span[];
  readonly overtalk: readonly Span[];
  /** Nobody speaks for long. */
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
  const anybody = together(...lanes.map(({ turns }) => turns));
  const [first, second] = lanes;
  return {
    isKnown: speech !== undefined,
    lanes,
    anybody,
    overtalk: first && second ? overlaps(first.turns, second.turns) : [],
    silences: speech ? gaps(anybody, durationMs).filter(([from, to]) => to - from > longSilenceMs) : [],
    skips: speech ? skipsOf(anybody, durationMs) : [],
  };
}
