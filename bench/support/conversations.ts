import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Creates conversations of so many seconds with two alternating voices, agent left and customer right, as a phone system records
 * them.
 */
export async function makeConversations<Name extends string>(
  dir: string,
  lengths: Readonly<Record<Name, number>>,
): Promise<Record<Name, string>> {
  const voices = [
    ["en-us", "Good morning and thank you for calling. I will look up your account and see what happened."],
    ["en-us+f3", "Hello. I received a bill last week and it is higher than the month before. Please explain it."],
  ] as const;
  for (const [index, [voice, text]] of voices.entries()) {
    await run("espeak-ng", ["-v", voice, "-w", join(dir, `${index}.wav`), text]);
  }
  const graph =
    "[0:a]aresample=8000,apad=pad_dur=6[l];[1:a]aresample=8000,adelay=6000,apad=pad_dur=1[r];" +
    "[l][r]join=inputs=2:channel_layout=stereo,aloop=loop=-1:size=88000[o]";
  const make = async (name: string, seconds: number) => {
    const file = join(dir, name);
    const inputs = ["-i", join(dir, "0.wav"), "-i", join(dir, "1.wav")];
    const output = ["-map", "[o]", "-t", String(seconds), "-c:a", "pcm_mulaw", file];
    await run("ffmpeg", ["-nostdin", "-v", "error", "-y", ...inputs, "-filter_complex", graph, ...output]);
    return file;
  };
  const files: [string, string][] = [];
  for (const [name, seconds] of Object.entries<number>(lengths)) files.push([name, await make(`${name}.wav`, seconds)]);
  return Object.fromEntries(files) as Record<Name, string>;
}
