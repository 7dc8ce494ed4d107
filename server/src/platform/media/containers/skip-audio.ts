import { type ByteReader, skip } from "./byte-reader.ts";
import { empty, grouped, type Refusal, truncated } from "./recognition-result.ts";

interface SkippedAudio {
  bytes: number;
  unfinished: boolean;
}

/** Skips the audio and compares its size with the header. Less than one frame may be missing. */
export function* skipAudio(
  container: string,
  declared: number,
  frameBytes: number,
): ByteReader<SkippedAudio | Refusal> {
  const { passed: bytes } = yield skip(declared === 0 ? Infinity : declared);
  const unfinished = isPlaceholder(declared) && bytes !== declared;
  if (!unfinished && declared - bytes >= Math.max(frameBytes, 2))
    return truncated(
      `The ${container} header declares ${grouped(declared)} bytes of audio, but only ${grouped(bytes)} were received.`,
    );
  if (bytes < frameBytes) return empty(`The ${container} file has a header but no audio.`);
  return { bytes, unfinished };
}

/**
 * Placeholder sizes that a recorder writes first and corrects at the end unless it is interrupted: 0 or close to the
 * maximum.
 */
function isPlaceholder(size: number): boolean {
  const justBelow = (limit: number) => size <= limit && size >= limit - 4096;
  return size === 0 || justBelow(2 ** 31) || justBelow(2 ** 32) || size >= 2 ** 53;
}
