import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Honest, HostileFile, Prey } from "./hostile-file.ts";
import { hostileHeaders } from "./hostile-headers.ts";
import { hostileReferences } from "./hostile-references.ts";
import { hostileSizes } from "./hostile-sizes.ts";
import { aWav, encode } from "./sounds.ts";

/** The frequency of the sound that must not be heard in anything. */
export const preyHz = 1234;

export async function writePrey(folder: string, url: string, secret: string): Promise<Prey> {
  const [text, sound] = [join(folder, "canary.txt"), join(folder, "canary.wav")];
  await writeFile(text, secret);
  const wav = aWav({ seconds: 5, seed: 1 });
  for (let at = 44; at + 1 < wav.length; at += 2) {
    wav.writeInt16LE(Math.round(20_000 * Math.sin((2 * Math.PI * preyHz * (at - 44)) / 2 / 8000)), at);
  }
  await writeFile(sound, wav);
  return { url, text, sound };
}

/** The whole corpus. */
export async function hostileFiles(prey: Prey): Promise<readonly HostileFile[]> {
  const wav = aWav({ seconds: 2, seed: 1 });
  const [mp3, m4a, ogg, flac, webm] = await Promise.all(
    (["mp3", "m4a aac", "ogg opus", "flac", "webm opus"] as const).map((form) => encode(wav, form)),
  );
  const shortOgg = await encode(aWav({ seconds: 0.1, seed: 1 }), "ogg opus");
  if (!mp3 || !m4a || !ogg || !flac || !webm) throw new Error("ffmpeg made nothing");
  const honest: Honest = { wav, mp3, m4a, ogg, shortOgg, flac, webm };
  return [...hostileReferences(prey, honest), ...hostileHeaders(honest), ...hostileSizes(honest)];
}
