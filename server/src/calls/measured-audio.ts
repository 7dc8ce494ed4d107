import type { CallWarningCode, Channel, Layout } from "@hearback/contract";
import { framesPerSecond, type Heard } from "../platform/media/listen.ts";
import { findSpeech, longest, overlaps, type Run, silences, total } from "../platform/media/speech.ts";

/** Which channel of the recording: both, where they hold the same or there is only one. */
export type Where = Channel | "both";

/** What is kept of a call's audio, as it stands in `call.measured`. */
export interface MeasuredAudio {
  readonly layout: Layout;
  readonly channels: readonly { readonly channel: Where; readonly talkMs: number; readonly loudness: number | null }[];
  /** Null where the sides cannot be told apart. */
  readonly overtalkMs: number | null;
  readonly silenceMs: number;
  readonly longestSilenceMs: number;
}

/** When somebody speaks on each channel, in milliseconds. */
export type Turns = readonly { readonly channel: Where; readonly turns: readonly Run[] }[];

export interface Warning {
  readonly code: CallWarningCode;
  readonly detail: string;
}

/** Two channels that are so much alike are one, copied. Agent and customer are not alike at all. */
const alike = 0.9;
const msPerFrame = 1000 / framesPerSecond;
const ms = (frames: number) => Math.round(frames * msPerFrame);

/** What the levels and the waveform of a recording say about the conversation. */
export function measureAudio(heard: Heard): { measured: MeasuredAudio; turns: Turns; warnings: Warning[] } {
  const speech = heard.channels.map(({ levels }, index) => {
    const other = heard.channels[1 - index]?.levels;
    return findSpeech(levels, { framesPerSecond, ...(other && { other }) });
  });
  const [first = [], second] = speech;
  const layout = layoutOf(first, second, heard.likeness);
  const places: Where[] = layout === "mono" || layout === "dual_identical" ? ["both"] : ["left", "right"];
  const sides = places.map((channel, index) => ({
    channel,
    speech: speech[index] ?? [],
    loudness: heard.channels[index]?.loudness ?? null,
  }));
  const quiet = silences(
    sides.map((side) => side.speech),
    heard.channels[0]?.levels.length ?? 0,
  );
  const apart = places.length === 2 && second;
  return {
    measured: {
      layout,
      channels: sides.map(({ channel, speech: runs, loudness }) => ({ channel, talkMs: ms(total(runs)), loudness })),
      overtalkMs: apart ? ms(total(overlaps(first, second))) : null,
      silenceMs: Math.min(heard.durationMs, ms(total(quiet))),
      longestSilenceMs: Math.min(heard.durationMs, ms(longest(quiet))),
    },
    turns: sides.map(({ channel, speech: runs }) => ({
      channel,
      turns: runs.map(([start, end]) => [ms(start), ms(end)] as const),
    })),
    warnings: warningsOf(layout, first, second),
  };
}

function layoutOf(first: readonly Run[], second: readonly Run[] | undefined, likeness: number): Layout {
  if (!second) return "mono";
  if (likeness > alike) return "dual_identical";
  return (first.length === 0) === (second.length === 0) ? "dual" : "one_silent";
}

function warningsOf(layout: Layout, first: readonly Run[], second: readonly Run[] | undefined): Warning[] {
  if (first.length === 0 && !second?.length) {
    const detail = "Nobody is heard in the whole recording. Check the recorder: was it connected to the line?";
    return [{ code: "nothing_but_silence", detail }];
  }
  if (layout === "dual_identical") {
    const detail =
      "Both channels hold the same sound, so agent and customer cannot be told apart. If the telephone system can record them on a channel each, switch that on.";
    return [{ code: "channels_identical", detail }];
  }
  if (layout === "one_silent") {
    const silent = first.length === 0 ? "left" : "right";
    const detail = `Nobody is heard on the ${silent} channel. Check the recorder: it may have lost one side of the line.`;
    return [{ code: "side_silent", detail }];
  }
  return [];
}
