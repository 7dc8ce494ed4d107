import type { RecordingFormat } from "../containers/recognition-result.ts";
import { decoderArgs, inputArgs } from "./ffmpeg-args.ts";
import { ScratchFull, undecodable } from "./media-error.ts";
import { runTool, type ToolRun } from "./run-tool.ts";
import { recordingFilter } from "./transcode.ts";

interface ChannelDecoding extends Pick<ToolRun, "sandbox" | "folder" | "limits" | "signal"> {
  readonly format: RecordingFormat;
  readonly file: string;
  /** Number of channels in the recording. */
  readonly sourceChannels: number;
  readonly sampleRate: number;
  /** Two files: one for each channel. One file: all channels mixed. */
  readonly files: readonly string[];
  readonly maxSeconds: number;
  /** Reads a WAV file to its end, ignoring the length in its header, which an interrupted recorder never wrote. */
  readonly ignoreLength?: boolean;
}

/** Decodes a recording into a file of plain samples for each channel: 16 bit, little endian. */
export async function decodeChannels(work: ChannelDecoding): Promise<void> {
  const { format, file, sourceChannels, sampleRate, files, maxSeconds, ignoreLength, ...where } = work;
  const layout = files.length === 1 ? "mono" : "stereo";
  const filter = `${recordingFilter(format, sourceChannels)}aformat=sample_fmts=s16:sample_rates=${sampleRate}:channel_layouts=${layout}`;
  const split = files.length === 1 ? "[c0]" : ",channelsplit=channel_layout=stereo[c0][c1]";
  const { ok, stderr } = await runTool({
    ...where,
    args: [
      ...["ffmpeg", "-nostdin", "-y", "-hide_banner", "-v", "error", "-threads", "1", "-filter_threads", "1"],
      ...["-t", String(maxSeconds), ...(ignoreLength ? ["-ignore_length", "1"] : [])],
      ...[...decoderArgs, ...inputArgs(format, file)],
      ...["-filter_complex", `[0:a:0]${filter}${split}`],
      ...files.flatMap((target, index) => ["-map", `[c${index}]`, "-f", "s16le", `file:${target}`]),
    ],
    onOutput: () => {},
  });
  if (/no space left on device|disk quota exceeded|input\/output error/i.test(stderr))
    throw new ScratchFull("no space left in the scratch folder");
  if (!ok) throw undecodable(format);
}
