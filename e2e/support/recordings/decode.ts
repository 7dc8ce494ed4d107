import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const rate = 8000;

export interface DecodedSound {
  /** The loudest sample of both channels within a range, from 0 to 1. */
  peak(startMs: number, endMs: number): number;
  readonly durationMs: number;
}

/** Decodes a recording or playback copy. */
export async function decodeSound(bytes: Uint8Array): Promise<DecodedSound> {
  const folder = await mkdtemp(join(tmpdir(), "hearback-decode-"));
  try {
    const file = join(folder, "sound");
    await writeFile(file, bytes);
    const { stdout } = await run(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-i", file, "-ac", "2", "-ar", String(rate), "-f", "s16le", "-"],
      { encoding: "buffer", maxBuffer: 256 * 1024 * 1024 },
    );
    const samples = new Int16Array(new Uint8Array(stdout).buffer);
    return {
      durationMs: ((samples.length / 2) * 1000) / rate,
      peak(startMs, endMs) {
        const [from, to] = [startMs, endMs].map((ms) => 2 * Math.round((ms * rate) / 1000));
        return samples.subarray(from, to).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) / 32_768;
      },
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
