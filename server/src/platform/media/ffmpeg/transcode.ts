import type { Run } from "../analysis/speech.ts";
import type { RecordingFormat } from "../containers/recognition-result.ts";
import { decoderArgs, inputArgs, notDecoded } from "./ffmpeg-args.ts";
import { MediaError, ScratchFull, undecodable } from "./media-error.ts";
import { muteFilter } from "./mute-filter.ts";
import { runTool, type ToolRun } from "./run-tool.ts";

/** The playback copy: AAC in MP4 with the index first. See docs/decisions/0009-the-playback-copy.md. */
export const playback = { mediaType: "audio/mp4", file: "playback.m4a" } as const;

/** Sample rates of playback copies: narrowband, wideband, and better. */
const rates = [8_000, 16_000, 24_000] as const;
const bitsPerChannel: Record<(typeof rates)[number], number> = { 8000: 24_000, 16000: 32_000, 24000: 40_000 };

const playbackRate = (sampleRate: number) => rates.find((rate) => rate >= sampleRate) ?? 24_000;

export interface Sound {
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  /** Number of channels in the recording. */
  readonly sourceChannels: number;
}

/** Target format of decoding: one or two channels, at a sample rate that is sufficient for speech. */
export const soundOf = ({ sampleRate, channels }: { sampleRate: number; channels: number }): Sound => ({
  sampleRate: playbackRate(sampleRate),
  channels: channels === 1 ? 1 : 2,
  sourceChannels: channels,
});

/**
 * Encoder arguments for the playback copy. The benchmark `prepare` compares with plain ffmpeg using the same arguments.
 */
export const encoderArgs = ({ sampleRate, channels }: Sound) => [
  ...["-c:a", "aac", "-aac_coder", "fast", "-b:a", String(bitsPerChannel[playbackRate(sampleRate)] * channels)],
  ...["-movflags", "+faststart", "-map_metadata", "-1", "-fflags", "+bitexact", "-f", "ipod"],
];

/** Containers with timestamps: gaps between packets were pauses and become silence. */
const timestampedFormats: readonly RecordingFormat[] = ["amr", "m4a", "ogg", "webm"];

/**
 * Mixes more than two channels: odd ones to the left, even ones to the right. By default, ffmpeg would drop one as LFE.
 */
function mixFilter(channels: number): string {
  if (channels <= 2) return "";
  const mixed = (first: number) => {
    const numbers = Array.from({ length: channels }, (_, number) => number).filter((number) => number % 2 === first);
    return numbers.map((number) => `${(1 / numbers.length).toFixed(4)}*c${number}`).join("+");
  };
  return `pan=stereo|c0=${mixed(0)}|c1=${mixed(1)},`;
}

/** First part of a filter: fills gaps in time, and mixes more than two channels. */
export const recordingFilter = (format: RecordingFormat, channels: number) =>
  `${timestampedFormats.includes(format) ? "aresample=async=1," : ""}${mixFilter(channels)}`;

interface Transcoding extends Pick<ToolRun, "sandbox" | "folder" | "limits" | "signal"> {
  readonly format: RecordingFormat;
  readonly file: string;
  readonly playbackFile: string;
  readonly sound: Sound;
  readonly maxSeconds: number;
  /** Receives the decoded samples, 16 bit and interleaved. */
  readonly onSamples?: ((samples: Buffer) => void) | undefined;
  /** Reads a WAV file to its end, ignoring the length in its header, which an interrupted recorder never wrote. */
  readonly ignoreLength?: boolean;
  /** Parts that are silent in the playback copy, in milliseconds. `onSamples` gets them nevertheless. */
  readonly muted?: readonly Run[] | undefined;
}

/**
 * Decodes a recording once, writing the playback copy to a file and passing the samples to `onSamples`. Returns the
 * number of decoder errors.
 */
export async function transcode(work: Transcoding): Promise<{ decodeErrors: number }> {
  const { format, file, playbackFile, sound, maxSeconds, ignoreLength, onSamples, muted = [], ...where } = work;
  const { sampleRate, channels } = sound;
  const filter = `${recordingFilter(format, sound.sourceChannels)}aformat=sample_fmts=s16:sample_rates=${sampleRate}:channel_layouts=${channels === 1 ? "mono" : "stereo"}`;
  const mute = muteFilter(muted, sampleRate) || "anull";
  const end = await runTool({
    ...where,
    args: [
      ...["ffmpeg", "-nostdin", "-y", "-hide_banner", "-v", "error", "-threads", "1", "-filter_threads", "1"],
      ...["-t", String(maxSeconds), ...(ignoreLength ? ["-ignore_length", "1"] : [])],
      ...[...decoderArgs, ...inputArgs(format, file)],
      ...["-filter_complex", `[0:a:0]${filter}${onSamples ? ",asplit=2[heard][samples];[heard]" : ","}${mute}[copy]`],
      ...["-map", "[copy]", ...encoderArgs(sound), "-threads", "1", `file:${playbackFile}`],
      ...(onSamples ? ["-map", "[samples]", "-f", "s16le", "pipe:1"] : []),
    ],
    onOutput: (chunk) => onSamples?.(chunk),
  });
  if (/no space left on device|disk quota exceeded|input\/output error/i.test(end.stderr))
    throw new ScratchFull("no space left in the scratch folder");
  if (end.exhausted) {
    throw new MediaError(
      "recording_too_costly",
      "Decoding exceeded the limits for time or memory for a recording of this size. If it is a real call, export it again in another format.",
    );
  }
  if (!end.ok) {
    throw undecodable(format);
  }
  return { decodeErrors: end.stderr.split("\n").filter((line) => line.trim() !== "" && !notDecoded.test(line)).length };
}
