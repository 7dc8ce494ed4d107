import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const sampleRate = 16_000;

/** Speech as a telephone transmits it, by flite: samples at 16 kHz. Neural recognisers understand espeak badly. */
export async function speak(text: string, voice: "slt" | "rms"): Promise<Int16Array> {
  const telephone = "-ar 8000 -acodec pcm_mulaw -f wav";
  const script = `set -o pipefail; flite -voice "$1" -t "$2" -o /dev/stdout | ffmpeg -v error -i - ${telephone} - | ffmpeg -v error -i - -ar ${sampleRate} -f s16le -`;
  const { stdout } = await run("bash", ["-c", script, "speak", voice, text], {
    encoding: "buffer",
    maxBuffer: 16 * 1024 * 1024,
  });
  return new Int16Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
}
