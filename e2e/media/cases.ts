import type { Encoding } from "../support/recordings/conversation.ts";
import { scale } from "../support/run-scale.ts";

/** An encoding of the conversation, with the expected results. */
export interface Case extends Encoding {
  readonly name: string;
  readonly format: string;
  /** Absent: cannot be determined. */
  readonly layout: "mono" | "dual" | "dual_identical" | "one_silent" | undefined;
  readonly warnings?: readonly string[];
  /** Modifies the file like a faulty recorder. */
  readonly spoil?: (bytes: Buffer) => Buffer;
}

const layouts = {
  mono: "mono",
  dual: "dual",
  identical: "dual_identical",
  right_silent: "one_silent",
  silent_mono: "mono",
  silent_dual: undefined,
} as const;

function recorded(
  name: string,
  arrangement: Encoding["arrangement"],
  rate: number,
  args: string,
  more: Partial<Case> = {},
): Case {
  const extension = name.split(" ")[0] ?? "";
  return {
    name: `${name}, ${rate} Hz, ${arrangement.replaceAll("_", " ")}${more.noise ? ", noisy" : ""}`,
    format: extension,
    arrangement,
    layout: layouts[arrangement],
    rate,
    args: args.split(" "),
    extension,
    ...more,
  };
}

const noise = true;

/** Maximum data sizes, as an interrupted live recorder leaves them. */
function endless(wav: Buffer): Buffer {
  const bytes = Buffer.from(wav);
  bytes.writeUInt32LE(0xffff_ffff, 4);
  bytes.writeUInt32LE(0xffff_ffff, bytes.indexOf("data") + 4);
  return bytes;
}

/** A Xing header with ten times the number of frames. */
function longerByItsXing(mp3: Buffer): Buffer {
  const bytes = Buffer.from(mp3);
  const at = Math.max(bytes.indexOf("Xing"), bytes.indexOf("Info"));
  if (at < 0 || (bytes.readUInt32BE(at + 4) & 1) === 0) throw new Error("the MP3 has no frame count");
  bytes.writeUInt32BE(bytes.readUInt32BE(at + 8) * 10, at + 8);
  return bytes;
}

const allCases: readonly Case[] = [
  recorded("wav pcm", "mono", 8000, "-c:a pcm_s16le"),
  recorded("wav pcm", "dual", 16_000, "-c:a pcm_s16le", { noise }),
  recorded("wav pcm 24 bit", "dual", 44_100, "-c:a pcm_s24le"),
  recorded("wav pcm 8 bit", "mono", 8000, "-c:a pcm_u8"),
  recorded("wav mu-law", "dual", 8000, "-c:a pcm_mulaw"),
  recorded("wav a-law", "dual", 8000, "-c:a pcm_alaw", { noise }),
  // GSM rings for a quarter of a second when speech turns into digital silence. Real lines have noise.
  recorded("wav gsm 6.10", "mono", 8000, "-c:a libgsm_ms", { noise }),
  recorded("wav ms adpcm", "dual", 8000, "-c:a adpcm_ms"),
  recorded("wav ima adpcm", "dual", 16_000, "-c:a adpcm_ima_wav"),
  recorded("mp3", "mono", 8000, "-c:a libmp3lame -b:a 16k"),
  recorded("mp3", "dual", 44_100, "-c:a libmp3lame -b:a 128k"),
  recorded("m4a aac", "dual", 48_000, "-c:a aac -b:a 128k"),
  recorded("m4a aac", "mono", 16_000, "-c:a aac -b:a 32k -movflags +faststart"),
  recorded("aac raw", "dual", 16_000, "-c:a aac -b:a 64k -f adts"),
  recorded("ogg opus", "dual", 48_000, "-c:a libopus -b:a 48k"),
  recorded("ogg opus", "mono", 16_000, "-c:a libopus -b:a 16k"),
  recorded("flac", "dual", 16_000, "-c:a flac", { noise }),
  recorded("flac", "mono", 48_000, "-c:a flac"),
  recorded("webm opus", "dual", 48_000, "-c:a libopus -b:a 48k"),
  recorded("au mu-law", "mono", 8000, "-c:a pcm_mulaw"),
  recorded("au pcm", "dual", 44_100, "-c:a pcm_s16be"),

  recorded("wav mu-law", "identical", 8000, "-c:a pcm_mulaw", { noise, warnings: ["channels_identical"] }),
  recorded("mp3", "identical", 44_100, "-c:a libmp3lame -b:a 64k", { warnings: ["channels_identical"] }),
  recorded("wav pcm", "right_silent", 8000, "-c:a pcm_s16le", { warnings: ["side_silent"] }),
  recorded("ogg opus", "right_silent", 48_000, "-c:a libopus -b:a 32k", { noise, warnings: ["side_silent"] }),
  recorded("wav pcm", "silent_mono", 8000, "-c:a pcm_s16le", { warnings: ["nothing_but_silence"] }),
  recorded("wav a-law", "silent_dual", 8000, "-c:a pcm_alaw", { noise, warnings: ["nothing_but_silence"] }),
  recorded("flac", "silent_dual", 16_000, "-c:a flac", { warnings: ["nothing_but_silence"] }),

  recorded("wav mu-law without a length", "dual", 8000, "-c:a pcm_mulaw", { spoil: endless }),
  recorded("mp3 with a wrong frame count", "mono", 16_000, "-c:a libmp3lame -b:a 32k", {
    spoil: longerByItsXing,
    warnings: ["cut_short"],
  }),
];

/** Each encoding once, and each layout other than speech on all channels. */
const groups = Map.groupBy(allCases, ({ name, arrangement }) =>
  arrangement === "mono" || arrangement === "dual" ? name.split(",")[0] : arrangement,
);
const distinctCases = [...groups.values()].flatMap(([first]) => first ?? []);

export const cases = scale(distinctCases, allCases, allCases);
