import { be32, box, bytes, element, le16, le32, renumberedOgg, silentFlac, wavWith } from "../bytes.ts";
import type { HostileFile, ValidFiles } from "./hostile-file.ts";

const TEN_HOURS = 36_000;
/** The file with the highest decoding cost. */
export const costliest = "FLAC of ten hours declared as one minute";

function nested(depth: number, wrap: (inner: Buffer) => Buffer): Buffer {
  let inner: Buffer = Buffer.alloc(0);
  for (let level = 0; level < depth; level++) inner = wrap(inner);
  return inner;
}

/** Nested boxes, written from the outside in to avoid quadratic copying. */
function nestedBoxes(depth: number): Buffer {
  const boxes = Buffer.alloc(depth * 8);
  for (let level = 0; level < depth; level++) {
    boxes.writeUInt32BE((depth - level) * 8, level * 8);
    boxes.write(level % 2 === 0 ? "moov" : "trak", level * 8 + 4, "latin1");
  }
  return boxes;
}

/** An Opus file whose header declares 255 channels, each its own stream. */
function opusOf255(ogg: Buffer): Buffer {
  const head = bytes("OpusHead\x01\xff", le16(312), le32(48_000), le16(0), [255, 255, 0], [...Array(255).keys()]);
  const page = bytes("OggS\0\x02", Buffer.alloc(8), le32(1), le32(0), le32(0), [2, 255, head.length - 255], head);
  const rest = ogg.subarray(ogg.indexOf("OggS", 4));
  return bytes(renumberedOgg(page, 1), renumberedOgg(rest, 1));
}

/** A Xing header that declares four billion frames. */
function endlessXing(mp3: Buffer): Buffer {
  const copy = Buffer.from(mp3);
  const at = Math.max(copy.indexOf("Xing"), copy.indexOf("Info"));
  if (at > 0) copy.writeUInt32BE(0xffff_ffff, at + 8);
  return copy;
}

/** Small files that decode to large ones or take long to decode. */
export function hostileSizes({ wav, mp3, m4a, ogg, shortOgg }: ValidFiles): HostileFile[] {
  const file = (name: string, format: string, content: Buffer): HostileFile => ({ name, format, bytes: content });
  return [
    file("FLAC of ten hours in 6 MB", "flac", silentFlac({ rate: 44_100, channels: 2, samples: TEN_HOURS * 44_100 })),
    file(
      "FLAC of ten hours without a length",
      "flac",
      silentFlac({ rate: 44_100, channels: 2, samples: TEN_HOURS * 44_100, declaredSamples: 0, block: 65_535 }),
    ),
    file(
      costliest,
      "flac",
      silentFlac({ rate: 8000, channels: 2, samples: TEN_HOURS * 8000, declaredSamples: 60 * 8000, block: 65_535 }),
    ),
    file(
      "FLAC at 655,350 Hz in eight channels",
      "flac",
      silentFlac({ rate: 655_350, channels: 8, samples: 655_350 * 300, block: 65_535 }),
    ),
    file(
      "FLAC of a hundred hours",
      "flac",
      silentFlac({ rate: 8000, channels: 1, samples: 10 * TEN_HOURS * 8000, block: 65_535 }),
    ),
    file(
      "MP3 with a complete ID3 tag of 8 MB",
      "mp3",
      bytes("ID3\x04\0\0\x04\0\0\0", Buffer.alloc(8 * 1024 * 1024), mp3),
    ),
    file(
      "MP3 with 10,000 ID3 tags",
      "mp3",
      bytes(Buffer.alloc(200_000, "ID3\x04\0\0\0\0\0\x0a\0\0\0\0\0\0\0\0\0\0", "latin1"), mp3),
    ),
    file("MP3 of four billion frames", "mp3", endlessXing(mp3)),
    file(
      "Ogg of 3,000 chained streams",
      "ogg",
      Buffer.concat(Array.from({ length: 3000 }, (_, n) => renumberedOgg(shortOgg, n + 1))),
    ),
    file(
      "Ogg of 2,000 multiplexed streams",
      "ogg",
      Buffer.concat(
        Array.from({ length: 2000 }, (_, n) => renumberedOgg(ogg.subarray(0, ogg.indexOf("OggS", 4)), n + 1)),
      ),
    ),
    file("Opus of 255 channels", "ogg", opusOf255(ogg)),
    file("MP4 of 50,000 nested boxes", "m4a", bytes(box("ftyp", "M4A ", be32(0)), nestedBoxes(50_000))),
    file(
      "MP4 of 300,000 empty boxes",
      "m4a",
      bytes(box("ftyp", "M4A ", be32(0)), Buffer.alloc(2_400_000, box("free")), m4a.subarray(32)),
    ),
    file(
      "Matroska of 2,000 nested tags",
      "webm",
      bytes(
        element("1A45DFA3", element("4282", "webm")),
        element(
          "18538067",
          element(
            "1254C367",
            element(
              "7373",
              nested(2000, (inner) => element("67C8", inner)),
            ),
          ),
        ),
      ),
    ),
    file(
      "Matroska of 500 tracks",
      "webm",
      bytes(
        element("1A45DFA3", element("4282", "webm")),
        element(
          "18538067",
          element(
            "1654AE6B",
            ...Array.from({ length: 500 }, (_, n) =>
              element(
                "AE",
                element("D7", be32(n + 1)),
                element("83", [2]),
                element("86", "A_VORBIS"),
                element("63A2", Buffer.alloc(4000, n)),
              ),
            ),
          ),
        ),
      ),
    ),
    file(
      "WAV at 8 Hz of 14 hours",
      "wav",
      wavWith({ rate: 8, bits: 8, blockAlign: 1 }, Buffer.alloc(8 * 50_000, 0x80)),
    ),
    file(
      "IMA ADPCM of 27 minutes",
      "wav",
      wavWith({ tag: 0x11, bits: 4, blockAlign: 36, extra: bytes(le16(2), le16(65)) }, Buffer.alloc(36 * 200_000)),
    ),
    file("two concatenated WAV files", "wav", bytes(wav, wav)),
  ];
}
