import type { CallWarningCode, Channel, Layout } from "@hearback/contract";
import { framesPerSecond, type SampleAnalysis } from "../../platform/media/analysis/analyse-samples.ts";
import { findSpeech, longest, overlaps, type Run, silences, total } from "../../platform/media/analysis/speech.ts";

/** A channel of the recording. `both` if the recording is mono or its two channels are identical. */
export type ChannelOrBoth = Channel | "both";

/** The audio measurements of a call, as stored in `call.measured`. */
export interface MeasuredAudio {
  readonly layout: Layout;
  readonly channels: readonly {
    readonly channel: ChannelOrBoth;
    readonly talkMs: number;
    readonly loudness: number | null;
  }[];
  /** Null if the speakers are not on separate channels. */
  readonly overtalkMs: number | null;
  readonly silenceMs: number;
  readonly longestSilenceMs: number;
}

/** Start and end of each turn of speech, in milliseconds, by channel. */
export type Turns = readonly { readonly channel: ChannelOrBoth; readonly turns: readonly Run[] }[];

export interface Warning {
  readonly code: CallWarningCode;
  readonly detail: string;
}

/** Correlation above which two channels count as copies of one. Agent and customer channels barely correlate. */
const identicalThreshold = 0.9;
const msPerFrame = 1000 / framesPerSecond;
const ms = (frames: number) => Math.round(frames * msPerFrame);

/** Derives layout, talk time, silence and warnings from the sample analysis. */
export function measureAudio(analysis: SampleAnalysis): { measured: MeasuredAudio; turns: Turns; warnings: Warning[] } {
  const speech = analysis.channels.map(({ levels }, index) => {
    const other = analysis.channels[1 - index]?.levels;
    return findSpeech(levels, { framesPerSecond, ...(other && { other }) });
  });
  const [first = [], second] = speech;
  const layout = layoutOf(first, second, analysis.correlation);
  const channels: ChannelOrBoth[] = layout === "mono" || layout === "dual_identical" ? ["both"] : ["left", "right"];
  const sides = channels.map((channel, index) => ({
    channel,
    speech: speech[index] ?? [],
    loudness: analysis.channels[index]?.loudness ?? null,
  }));
  const silence = silences(
    sides.map((side) => side.speech),
    analysis.channels[0]?.levels.length ?? 0,
  );
  const separate = channels.length === 2 && second;
  return {
    measured: {
      layout,
      channels: sides.map(({ channel, speech: runs, loudness }) => ({ channel, talkMs: ms(total(runs)), loudness })),
      overtalkMs: separate ? ms(total(overlaps(first, second))) : null,
      silenceMs: Math.min(analysis.durationMs, ms(total(silence))),
      longestSilenceMs: Math.min(analysis.durationMs, ms(longest(silence))),
    },
    turns: sides.map(({ channel, speech: runs }) => ({
      channel,
      turns: runs.map(([start, end]) => [ms(start), ms(end)] as const),
    })),
    warnings: warningsOf(layout, first, second),
  };
}

function layoutOf(first: readonly Run[], second: readonly Run[] | undefined, correlation: number): Layout {
  if (!second) return "mono";
  if (correlation > identicalThreshold) return "dual_identical";
  return (first.length === 0) === (second.length === 0) ? "dual" : "one_silent";
}

function warningsOf(layout: Layout, first: readonly Run[], second: readonly Run[] | undefined): Warning[] {
  if (first.length === 0 && !second?.length) {
    const detail = "The recording contains no speech. Check that the recorder is connected to the line.";
    return [{ code: "nothing_but_silence", detail }];
  }
  if (layout === "dual_identical") {
    const detail =
      "Both channels contain the same audio, so agent and customer cannot be told apart. If the phone system supports dual-channel recording, enable it.";
    return [{ code: "channels_identical", detail }];
  }
  if (layout === "one_silent") {
    const silent = first.length === 0 ? "left" : "right";
    const detail = `The ${silent} channel contains no speech. Check the recorder: it may have lost one side of the line.`;
    return [{ code: "side_silent", detail }];
  }
  return [];
}
