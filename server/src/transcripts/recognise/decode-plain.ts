import { type FileHandle, open, rm } from "node:fs/promises";
import type { PreparableRecording } from "../../calls/prepare/analyse-recording.ts";
import { readPlain } from "../../platform/media/analysis/plain-samples.ts";
import type { FileRate } from "./channel-samples.ts";

const readBytes = 256 * 1024;

/** Sample rate of the files of a recording. */
export const fileRateOf = ({ sampleRate }: Pick<PreparableRecording, "sampleRate">): FileRate =>
  sampleRate === 8_000 ? 8_000 : 16_000;

/**
 * Decodes PCM and G.711, which most phone systems record, into a file of samples for each channel. A decoder in the sandbox would
 * need four times the CPU time, most of it to start. Returns false if the recording needs one, and leaves no files then.
 */
export async function decodePlain(
  recording: PreparableRecording,
  file: string,
  targets: readonly string[],
  signal?: AbortSignal,
): Promise<boolean> {
  const { format, codec, channels, sampleRate: rate } = recording;
  if (format !== "wav" || codec === null || (channels !== 1 && channels !== 2) || channels < targets.length)
    return false;
  if (rate !== fileRateOf(recording)) return false;
  const split = openSplitter(channels);
  const reader = readPlain(codec, split.write);
  if (!reader) return false;
  const opened: FileHandle[] = [];
  // One buffer for all of the file: memory outside the heap is collected late.
  const chunk = Buffer.alloc(readBytes);
  try {
    for (const target of targets) opened.push(await open(target, "wx"));
    const written = [...opened];
    const source = await open(file, "r");
    opened.push(source);
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await source.read(chunk, 0, readBytes, null);
      if (bytesRead === 0) break;
      reader.write(chunk.subarray(0, bytesRead));
      const sides = split.take();
      for (const [index, handle] of written.entries()) await append(handle, sides[index] as Int16Array);
    }
  } finally {
    for (const handle of opened) await handle.close();
  }
  if (reader.end()) return true;
  for (const target of targets) await rm(target);
  return false;
}

/** Separates interleaved samples of 16 bit, little endian, split anywhere, until they are taken. */
function openSplitter(channels: 1 | 2) {
  const sides = Array.from({ length: channels }, () => new Int16Array(readBytes + 1));
  const [first, last] = [sides[0] as Int16Array, sides[channels - 1] as Int16Array];
  let filled = 0;
  /** Whether the next sample is one of the second channel. */
  let isSecond = false;
  let kept = 0;
  let lowByte: number | undefined;

  function push(sample: number): void {
    if (isSecond) last[filled++] = sample;
    else first[filled] = sample;
    if (channels === 2) isSecond = !isSecond;
    else filled++;
  }

  return {
    write(samples: Buffer): void {
      if (isSecond && filled === 0) first[0] = kept;
      let at = 0;
      if (lowByte !== undefined && samples.length > 0) push(lowByte | ((samples[at++] as number) << 8));
      for (; at + 1 < samples.length; at += 2) push((samples[at] as number) | ((samples[at + 1] as number) << 8));
      lowByte = at < samples.length ? samples[at] : undefined;
    },
    /** The samples of each channel, valid until the next write. A frame that is not complete stays. */
    take(): readonly Int16Array[] {
      const taken = sides.map((side) => side.subarray(0, filled));
      kept = first[filled] as number;
      filled = 0;
      return taken;
    },
  };
}

/** Writes all of it: one write can be partial. */
const append = (file: FileHandle, samples: Int16Array) =>
  file.appendFile(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
