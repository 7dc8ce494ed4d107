import { MediaError, ScratchFull, undecodable } from "./media-error.ts";
import { runTool, type ToolRun } from "./run-tool.ts";
import { decoderWords, inputWords, notDecoded } from "./tool-words.ts";
import type { RecordingFormat } from "./verdict.ts";

/** The playback copy: AAC in MP4 with its index first. docs/decisions/0009-the-playback-copy.md says why. */
export const playback = { mediaType: "audio/mp4", file: "playback.m4a" } as const;

/** Telephone, wide-band, and all that is better: what a voice needs. */
const rates = [8_000, 16_000, 24_000] as const;
const bitsPerChannel: Record<(typeof rates)[number], number> = { 8000: 24_000, 16000: 32_000, 24000: 40_000 };

const playbackRate = (sampleRate: number) => rates.find((rate) => rate >= sampleRate) ?? 24_000;

export interface Sound {
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  /** How many the recording has. */
  readonly sourceChannels: number;
}

/** What is decoded of a recording: one or two channels, at a rate that a voice needs. */
export const soundOf = ({ sampleRate, channels }: { sampleRate: number; channels: number }): Sound => ({
  sampleRate: playbackRate(sampleRate),
  channels: channels === 1 ? 1 : 2,
  sourceChannels: channels,
});

/** How the playback copy is encoded. `bench -- prepare` compares with ffmpeg doing this and nothing else. */
export const encoderWords = ({ sampleRate, channels }: Sound) => [
  ...["-c:a", "aac", "-aac_coder", "fast", "-b:a", String(bitsPerChannel[playbackRate(sampleRate)] * channels)],
  ...["-movflags", "+faststart", "-map_metadata", "-1", "-fflags", "+bitexact", "-f", "ipod"],
];

/** Containers that tell when each piece sounds: what is missing between two of them was a pause, and becomes silence. */
const gaps: readonly RecordingFormat[] = ["amr", "m4a", "ogg", "webm"];

/** More than two channels: the odd ones to the left, the even ones to the right. ffmpeg would take one for a bass and drop it. */
function mixWords(channels: number): string {
  if (channels <= 2) return "";
  const mixed = (first: number) => {
    const numbers = Array.from({ length: channels }, (_, number) => number).filter((number) => number % 2 === first);
    return numbers.map((number) => `${(1 / numbers.length).toFixed(4)}*c${number}`).join("+");
  };
  return `pan=stereo|c0=${mixed(0)}|c1=${mixed(1)},`;
}

interface Transcoding extends Pick<ToolRun, "confinement" | "folder" | "limits" | "signal"> {
  readonly format: RecordingFormat;
  readonly file: string;
  readonly playbackFile: string;
  readonly sound: Sound;
  readonly maxSeconds: number;
  /** Takes the samples, 16 bit and interleaved. Absent: they are not wanted. */
  readonly onSamples?: ((samples: Buffer) => void) | undefined;
  /** Reads a WAV file to its end, whatever its header says: a recorder that was cut off never wrote the length. */
  readonly ignoreLength?: boolean;
}

/** Decodes a recording once: the playback copy goes to a file, the samples to who wants them. Gives how often it stumbled. */
export async function transcode(work: Transcoding): Promise<{ stumbles: number }> {
  const { format, file, playbackFile, sound, maxSeconds, ignoreLength, onSamples, ...where } = work;
  const { sampleRate, channels } = sound;
  const shaped = `${gaps.includes(format) ? "aresample=async=1," : ""}${mixWords(sound.sourceChannels)}aformat=sample_fmts=s16:sample_rates=${sampleRate}:channel_layouts=${channels === 1 ? "mono" : "stereo"}`;
  const end = await runTool({
    ...where,
    words: [
      ...["ffmpeg", "-nostdin", "-y", "-hide_banner", "-v", "error", "-threads", "1", "-filter_threads", "1"],
      ...["-t", String(maxSeconds), ...(ignoreLength ? ["-ignore_length", "1"] : [])],
      ...[...decoderWords, ...inputWords(format, file)],
      ...["-filter_complex", `[0:a:0]${shaped}${onSamples ? ",asplit=2[copy][samples]" : "[copy]"}`],
      ...["-map", "[copy]", ...encoderWords(sound), "-threads", "1", `file:${playbackFile}`],
      ...(onSamples ? ["-map", "[samples]", "-f", "s16le", "pipe:1"] : []),
    ],
    onOutput: (chunk) => onSamples?.(chunk),
  });
  if (/no space left on device|disk quota exceeded|input\/output error/i.test(end.complaints))
    throw new ScratchFull("no space left in the scratch folder");
  if (end.exhausted) {
    throw new MediaError(
      "recording_too_costly",
      "Decoding it took more time or memory than a recording of this size may take. If it is a real call, export it again in another format.",
    );
  }
  if (!end.ok) {
    throw undecodable(format);
  }
  return { stumbles: end.complaints.split("\n").filter((line) => line.trim() !== "" && !notDecoded.test(line)).length };
}
