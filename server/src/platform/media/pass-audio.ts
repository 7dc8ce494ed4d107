import { type Reading, skip } from "./reading.ts";
import { empty, grouped, type Refusal, truncated } from "./verdict.ts";

interface PassedAudio {
  bytes: number;
  unfinished: boolean;
}

/** Lets the audio go by and compares it with what the header announced. Less than a frame may be missing. */
export function* passAudio(container: string, announced: number, frameBytes: number): Reading<PassedAudio | Refusal> {
  const { passed: bytes } = yield skip(announced === 0 ? Infinity : announced);
  const unfinished = isPlaceholder(announced) && bytes !== announced;
  if (!unfinished && announced - bytes >= Math.max(frameBytes, 2))
    return truncated(
      `The ${container} header announces ${grouped(announced)} bytes of audio and ${grouped(bytes)} came.`,
    );
  if (bytes < frameBytes) return empty(`The ${container} file has a header and no audio.`);
  return { bytes, unfinished };
}

/** Sizes that a recorder writes first and corrects at the end unless it is stopped: none, or the most there can be. */
function isPlaceholder(size: number): boolean {
  const justBelow = (limit: number) => size <= limit && size >= limit - 4096;
  return size === 0 || justBelow(2 ** 31) || justBelow(2 ** 32) || size >= 2 ** 53;
}
