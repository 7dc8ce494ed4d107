import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encode, makeWav } from "../sounds.ts";
import { hostileHeaders } from "./headers.ts";
import type { Decoys, HostileFile, ValidFiles } from "./hostile-file.ts";
import { hostileReferences } from "./references.ts";
import { hostileSizes } from "./sizes.ts";

/** Frequency of the tone that must not leak into any recording. */
export const decoyHz = 1234;

export async function writeDecoys(folder: string, url: string, secret: string): Promise<Decoys> {
  const [text, sound] = [join(folder, "canary.txt"), join(folder, "canary.wav")];
  await writeFile(text, secret);
  const wav = makeWav({ seconds: 5, seed: 1 });
  for (let at = 44; at + 1 < wav.length; at += 2) {
    wav.writeInt16LE(Math.round(20_000 * Math.sin((2 * Math.PI * decoyHz * (at - 44)) / 2 / 8000)), at);
  }
  await writeFile(sound, wav);
  return { url, text, sound };
}

/** The whole corpus. */
export async function hostileFiles(decoys: Decoys): Promise<readonly HostileFile[]> {
  const wav = makeWav({ seconds: 2, seed: 1 });
  const [mp3, m4a, ogg, flac, webm] = await Promise.all(
    (["mp3", "m4a aac", "ogg opus", "flac", "webm opus"] as const).map((form) => encode(wav, form)),
  );
  const shortOgg = await encode(makeWav({ seconds: 0.1, seed: 1 }), "ogg opus");
  if (!mp3 || !m4a || !ogg || !flac || !webm) throw new Error("ffmpeg produced no output");
  const validFiles: ValidFiles = { wav, mp3, m4a, ogg, shortOgg, flac, webm };
  return [...hostileReferences(decoys, validFiles), ...hostileHeaders(validFiles), ...hostileSizes(validFiles)];
}
