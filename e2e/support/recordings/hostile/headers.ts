import { random } from "../../run-scale.ts";
import { be32, box, bytes, element, le16, le32, riffChunk, wavWith } from "../bytes.ts";
import type { HostileFile, ValidFiles } from "./hostile-file.ts";

const chance = random(12);
const noise = (length: number) => Buffer.from(Uint8Array.from({ length }, () => chance() * 256));
const most = 0xffff_ffff;

const wavs: Record<string, Buffer> = {
  "WAV declared as 4 GB": wavWith({ size: 0xffff_fff0, riffSize: most }),
  "WAV without channels": wavWith({ channels: 0 }),
  "WAV of 65,535 channels": wavWith({ channels: 65_535, blockAlign: 65_534 }),
  "complete WAV of 1,000 channels": wavWith({ channels: 1000, blockAlign: 2000 }, noise(400_000)),
  "WAV at 0 Hz": wavWith({ rate: 0 }),
  "WAV at 4 GHz": wavWith({ rate: most }),
  "WAV at 1 Hz": wavWith({ rate: 1 }, noise(2_000_000)),
  "WAV with a block size of 0": wavWith({ blockAlign: 0 }),
  "WAV of 0 bits": wavWith({ bits: 0 }),
  "WAV of 65,535 bits": wavWith({ bits: 65_535 }),
  "WAV with a wrong fact chunk": wavWith({
    tag: 3,
    bits: 32,
    blockAlign: 4,
    before: riffChunk("fact", bytes(le32(most))),
  }),
  "WAV with an unknown codec": wavWith({ tag: 0xfade }),
  "WAV with a format of 4 GB": bytes("RIFF", le32(most), "WAVEfmt ", le32(0xffff_fff0), noise(4000)),
  "WAV with the audio before the format": bytes(
    "RIFF",
    le32(4000),
    "WAVE",
    riffChunk("data", noise(3000)),
    riffChunk("fmt ", bytes(le16(1), le16(1), le32(8000))),
  ),
  "WAV of 100,000 tiny chunks": wavWith({ before: Buffer.alloc(800_000, "junk\0\0\0\0", "latin1") }),
  "WAV with 3,000 formats": wavWith({
    before: Buffer.concat(
      Array.from({ length: 3000 }, (_, n) =>
        riffChunk("fmt ", bytes(le16(1), le16(1 + (n % 8)), le32(8000 + n), le32(16_000), le16(2), le16(16))),
      ),
    ),
  }),
  "RF64 of 2^63 bytes": bytes(
    "RF64",
    le32(most),
    "WAVE",
    riffChunk("ds64", bytes(Buffer.alloc(24, 0x7f), le32(0))),
    riffChunk("fmt ", bytes(le16(1), le16(1), le32(8000), le32(16_000), le16(2), le16(16))),
    "data",
    le32(most),
    noise(4000),
  ),
  "MS ADPCM with a block size of 0": wavWith({
    tag: 2,
    bits: 4,
    blockAlign: 0,
    extra: bytes(le16(32), le16(0), le16(7), Buffer.alloc(28)),
  }),
  "MS ADPCM with blocks of 65,535 bytes": wavWith(
    {
      tag: 2,
      channels: 2,
      bits: 4,
      blockAlign: 65_535,
      extra: bytes(le16(32), le16(65_535), le16(65_535), Buffer.alloc(28, 0x7f)),
    },
    noise(200_000),
  ),
  "IMA ADPCM with blocks of one byte": wavWith(
    { tag: 0x11, bits: 4, blockAlign: 1, extra: bytes(le16(2), le16(65_535)) },
    noise(100_000),
  ),
  "IMA ADPCM with blocks of 65,535 bytes": wavWith(
    { tag: 0x11, bits: 4, channels: 2, blockAlign: 65_535, extra: bytes(le16(2), le16(1)) },
    noise(200_000),
  ),
  "GSM with blocks of one byte": wavWith(
    { tag: 0x31, bits: 0, blockAlign: 1, extra: bytes(le16(2), le16(320)) },
    noise(6500),
  ),
  "GSM of eight channels": wavWith(
    { tag: 0x31, bits: 0, channels: 8, blockAlign: 65, extra: bytes(le16(2), le16(320)) },
    noise(6500),
  ),
  "WAV with invalid MP3 inside": wavWith({ tag: 0x55, bits: 0, blockAlign: 1 }, noise(20_000)),
  "WAV with invalid AC-3 inside": wavWith({ tag: 0x2000, bits: 0, blockAlign: 1 }, bytes([0x0b, 0x77], noise(20_000))),
  "WAV with invalid WMA inside": wavWith(
    { tag: 0x161, bits: 16, blockAlign: 1000, extra: bytes(le16(10), noise(10)) },
    noise(20_000),
  ),
};

const au = (rate: number, channels: number, at = 24, size = most, encoding = 3) =>
  bytes(".snd", be32(at), be32(size), be32(encoding), be32(rate), be32(channels), noise(4000));

const others: Record<string, readonly [format: string, content: Buffer]> = {
  "AU of 4 billion channels": ["au", au(8000, most)],
  "AU at 0 Hz": ["au", au(0, 1)],
  "AU with audio at offset 4 GB": ["au", au(8000, 1, most)],
  "AU with an unknown codec": ["au", au(8000, 1, 24, 4000, 77)],
  "AIFF of 4 GB": [
    "wav",
    bytes(
      "FORM",
      be32(most),
      "AIFFCOMM",
      be32(18),
      [0xff, 0xff],
      be32(most),
      [0, 16],
      Buffer.alloc(10, 0x40),
      "SSND",
      be32(most),
      noise(2000),
    ),
  ],
  "CAF of 2^63 bytes": [
    "m4a",
    bytes(
      "caff\0\x01\0\0desc",
      be32(0),
      be32(32),
      Buffer.alloc(8, 0x7f),
      "lpcm",
      be32(0),
      be32(0),
      be32(0),
      be32(most),
      be32(most),
      "data",
      Buffer.alloc(8, 0x7f),
      noise(2000),
    ),
  ],
  "MP3 with an ID3 tag of 256 MB": ["mp3", bytes("ID3\x04\0\0\x7f\x7f\x7f\x7f", noise(20_000))],
  "FLAC with a picture of 16 MB": [
    "flac",
    bytes("fLaC\x06\xff\xff\xff", be32(3), be32(most), "image/png", noise(5000)),
  ],
  "AMR with frames of every kind": ["amr", bytes("#!AMR\n", noise(30_000))],
  "AMR of many channels": ["amr", bytes("#!AMR_MC1.0\n", be32(0xff), noise(30_000))],
  "AAC of frames that overlap": ["aac", Buffer.alloc(70_000, bytes([0xff, 0xf1, 0x50, 0x80, 0x01, 0x1f, 0xfc]))],
  PNG: [
    "wav",
    bytes("\x89PNG\r\n\x1a\n", be32(13), "IHDR", be32(65_535), be32(65_535), [8, 6, 0, 0, 0, 0, 0, 0, 0], noise(500)),
  ],
  PDF: ["wav", Buffer.from("%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/URI/URI(http://127.0.0.1/)>>>>endobj\n")],
  "a program": ["wav", bytes("\x7fELF\x02\x01\x01", noise(3000))],
  "GIF of 65,535 by 65,535": ["wav", bytes("GIF89a", Buffer.alloc(4, 0xff), noise(500))],
  "Matroska with an element of 2^56 bytes": [
    "webm",
    bytes(
      element("1A45DFA3", element("4282", "webm")),
      Buffer.from("18538067", "hex"),
      [0x01, ...Array(7).fill(0xfe)],
      noise(2000),
    ),
  ],
  "MP4 with a table of 4 billion entries": [
    "m4a",
    bytes(
      box("ftyp", "M4A ", be32(0)),
      box(
        "moov",
        box(
          "trak",
          box(
            "mdia",
            box(
              "minf",
              box(
                "stbl",
                box("stsz", be32(0), be32(0), be32(most)),
                box("stts", be32(0), be32(0x7fff_ffff), be32(1), be32(1)),
              ),
            ),
          ),
        ),
      ),
    ),
  ],
  "MP4 with a box of 2^64 bytes": [
    "m4a",
    bytes(box("ftyp", "M4A ", be32(0)), be32(1), "moov", Buffer.alloc(8, 0xff), noise(500)),
  ],
};

const magics: Record<string, readonly [format: string, magic: string]> = {
  RIFF: ["wav", "RIFF\xff\xff\xff\x7fWAVEfmt \x10\0\0\0\x01\0"],
  ID3: ["mp3", "ID3\x04\0\0\0\0\0\0\xff\xfb\x90\0"],
  ADTS: ["aac", "\xff\xf1\x50\x80"],
  MP4: ["m4a", "\0\0\0\x18ftypM4A \0\0\0\0M4A mp42\0\0\x10\0moov"],
  Ogg: ["ogg", "OggS\0\x02"],
  FLAC: ["flac", "fLaC\0\0\0\x22"],
  Matroska: ["webm", "\x1a\x45\xdf\xa3"],
  "an AU file": ["au", ".snd\0\0\0\x18"],
};

/** Truncated files, files with wrong headers, and other formats. */
export function hostileHeaders(validFiles: ValidFiles): HostileFile[] {
  const cut = (format: Exclude<keyof ValidFiles, "shortOgg">, at: number): HostileFile => ({
    name: `${format} cut at byte ${at}`,
    format,
    bytes: validFiles[format].subarray(0, at),
  });
  return [
    { name: "nothing at all", format: "wav", bytes: Buffer.alloc(0) },
    { name: "one byte", format: "wav", bytes: Buffer.from("R") },
    { name: "a megabyte of zeros", format: "wav", bytes: Buffer.alloc(1024 * 1024) },
    cut("wav", 7),
    cut("wav", 43),
    cut("wav", 45),
    cut("m4a", 301),
    cut("ogg", 61),
    cut("flac", 41),
    cut("webm", 203),
    cut("mp3", 97),
    ...Object.entries(wavs).map(([name, content]) => ({ name, format: "wav", bytes: content })),
    ...Object.entries(others).map(([name, [format, content]]) => ({ name, format, bytes: content })),
    ...Object.entries(magics).map(([name, [format, magic]]) => ({
      name: `noise behind the magic word of ${name}`,
      format,
      bytes: bytes(magic, noise(50_000)),
    })),
  ];
}
