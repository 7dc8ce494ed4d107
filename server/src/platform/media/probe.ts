import { MediaError, undecodable } from "./media-error.ts";
import { runTool, type ToolRun } from "./run-tool.ts";
import { decoderWords, inputWords, notDecoded } from "./tool-words.ts";
import type { RecordingFormat } from "./verdict.ts";

export interface Probed {
  readonly codec: string;
  readonly channels: number;
  readonly sampleRate: number;
  /** As the container says, which may be wrong; null: it does not say. */
  readonly durationMs: number | null;
}

interface Printed {
  streams?: { codec_name?: string; channels?: number; sample_rate?: string; duration?: string }[];
  format?: { duration?: string };
}

const mostPrinted = 256 * 1024;

/** Asks ffprobe what the first sound of a recording is. Undefined: beside it is a picture, of which it cannot be kept. */
export async function probe(
  format: RecordingFormat,
  file: string,
  where: Pick<ToolRun, "confinement" | "folder" | "limits" | "signal">,
): Promise<Probed | undefined> {
  let printed = "";
  const end = await runTool({
    ...where,
    words: [
      ...["ffprobe", "-v", "error", "-of", "json", "-select_streams", "a:0"],
      ...["-show_entries", "stream=codec_name,channels,sample_rate,duration:format=duration"],
      ...decoderWords,
      ...inputWords(format, file),
    ],
    onOutput(chunk) {
      if (printed.length < mostPrinted) printed += chunk.toString("latin1");
    },
  });
  if (end.exhausted) throw new MediaError("recording_too_costly", "Even finding out what it holds took too much.");
  if (!end.ok && notDecoded.test(end.complaints)) return undefined;
  const { streams, format: container } = end.ok ? (JSON.parse(printed) as Printed) : {};
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
