import { join } from "node:path";
import type { ChannelOrBoth, Turns } from "../../calls/call/measured-audio.ts";
import { limitsFor, type PreparableRecording } from "../../calls/prepare/analyse-recording.ts";
import { fetchRecording } from "../../calls/prepare/fetch-recording.ts";
import type { App } from "../../platform/app.ts";
import type { Run } from "../../platform/media/analysis/speech.ts";
import { decodeChannels } from "../../platform/media/ffmpeg/decode-channels.ts";
import { undecodable } from "../../platform/media/ffmpeg/media-error.ts";
import { type ChannelSamples, openSamples } from "./channel-samples.ts";
import { decodePlain, fileRateOf } from "./decode-plain.ts";

/** One side of a call: its turns of speech, and its samples in a file. */
export interface Side {
  readonly channel: ChannelOrBoth;
  readonly turns: readonly Run[];
  readonly samples: ChannelSamples;
}

interface SidesOptions {
  readonly turns: Turns;
  /** Scratch folder for the recording and the samples. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

/** Fetches a recording and decodes its sides. Throws a RecordingFault if the recording is lost. */
export async function openSides(
  app: App,
  recording: PreparableRecording,
  { turns, folder, signal }: SidesOptions,
): Promise<Side[]> {
  const { sandbox } = await app.scratch();
  const inside = sandbox.inside(folder);
  const file = join(folder, "recording");
  await fetchRecording(app, recording, { file, analyser: undefined, signal });
  const rate = fileRateOf(recording);
  const names = turns.map(({ channel }) => `${channel}.samples`);
  const { format, recordingBytes, durationMs } = recording;
  const maxSeconds = app.config.media.maxHours * 3600 + 1;
  const limits = limitsFor(app, recordingBytes, durationMs);
  const decode = (ignoreLength: boolean) =>
    decodeChannels({
      sandbox,
      folder,
      signal,
      limits: { ...limits, fileBytes: maxSeconds * rate * 2 },
      format,
      file: join(inside, "recording"),
      sourceChannels: recording.channels ?? names.length,
      sampleRate: rate,
      files: names.map((name) => join(inside, name)),
      maxSeconds,
      ignoreLength,
    });
  const files = names.map((name) => join(folder, name));
  const open = () => Promise.all(files.map((name) => openSamples(name, rate)));
  if (!(await decodePlain(recording, file, files, signal))) await decode(false);
  let samples = await open();
  if (samples.every((each) => each.durationMs === 0) && format === "wav") {
    // As in preparation: recorders that were interrupted leave a length of zero in the header.
    await Promise.all(samples.map((each) => each.close()));
    await decode(true);
    samples = await open();
  }
  if (samples.every((each) => each.durationMs === 0)) throw undecodable(format);
  return turns.map(({ channel, turns: spoken }, index) => ({
    channel,
    turns: spoken,
    samples: samples[index] as ChannelSamples,
  }));
}

export const closeSides = (sides: readonly Side[]) => Promise.all(sides.map(({ samples }) => samples.close()));
