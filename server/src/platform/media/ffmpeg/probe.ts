import type { RecordingFormat } from "../containers/recognition-result.ts";
import { decoderArgs, inputArgs, notDecoded } from "./ffmpeg-args.ts";
import { MediaError, undecodable } from "./media-error.ts";
import { runTool, type ToolRun } from "./run-tool.ts";

export interface Probed {
  readonly codec: string;
  readonly channels: number;
  readonly sampleRate: number;
  /** Duration from the container, which may be wrong. Null if unknown. */
  readonly durationMs: number | null;
}

interface ProbeOutput {
  streams?: { codec_name?: string; channels?: number; sample_rate?: string; duration?: string }[];
  format?: { duration?: string };
}

const maxOutputChars = 256 * 1024;

/** Probes the first audio stream with ffprobe. Undefined if ffprobe fails because the file also contains video. */
export async function probe(
  format: RecordingFormat,
  file: string,
  where: Pick<ToolRun, "sandbox" | "folder" | "limits" | "signal">,
): Promise<Probed | undefined> {
  let printed = "";
  const end = await runTool({
    ...where,
    args: [
      ...["ffprobe", "-v", "error", "-of", "json", "-select_streams", "a:0"],
      ...["-show_entries", "stream=codec_name,channels,sample_rate,duration:format=duration"],
      ...decoderArgs,
      ...inputArgs(format, file),
    ],
    onOutput(chunk) {
      if (printed.length < maxOutputChars) printed += chunk.toString("latin1");
    },
  });
  if (end.exhausted)
    throw new MediaError("recording_too_costly", "Probing the recording exceeded the limits for time or memory.");
  if (!end.ok && notDecoded.test(end.stderr)) return undefined;
  const { streams, format: container } = end.ok ? (JSON.parse(printed) as ProbeOutput) : {};
  const stream = streams?.[0];
  const sampleRate = Number(stream?.sample_rate);
  if (!stream?.codec_name || stream.codec_name === "unknown" || !stream.channels || !(sampleRate > 0)) {
    throw undecodable(format);
  }
  const seconds = Number(stream.duration ?? container?.duration);
  return {
    codec: stream.codec_name,
    channels: stream.channels,
    sampleRate,
    durationMs: seconds > 0 ? Math.round(seconds * 1000) : null,
  };
}
