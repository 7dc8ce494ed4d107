import { crc32 } from "node:zlib";

/** Concatenates bytes, for files that no tool writes. */
export const bytes = (...parts: readonly (string | readonly number[] | Uint8Array)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));

export const le16 = (value: number) => [value & 255, (value >>> 8) & 255];
export const le32 = (value: number) => [...le16(value & 0xffff), ...le16(value >>> 16)];
export const be16 = (value: number) => le16(value).reverse();
export const be32 = (value: number) => le32(value).reverse();

export const riffChunk = (id: string, data: Uint8Array, size = data.length) =>
  bytes(id, le32(size), data, Buffer.alloc(data.length % 2));

export interface WavHeader {
  readonly tag?: number;
  readonly channels?: number;
  readonly rate?: number;
  readonly blockAlign?: number;
  readonly bits?: number;
  /** Extension of the fmt chunk after its first 16 bytes. */
  readonly extra?: Uint8Array;
  /** Chunks between fmt and data. */
  readonly before?: Uint8Array;
  /** Audio size in the header. */
  readonly size?: number;
  readonly riffSize?: number;
}

/** A WAV with the given header fields. */
export function wavWith(header: WavHeader, audio: Uint8Array = Buffer.alloc(16_000, "\x10\x20\x30\xf0")): Buffer {
  const { tag = 1, channels = 1, rate = 8000, bits = 16, blockAlign = 2, extra = Buffer.alloc(0) } = header;
  const format = bytes(
    [...le16(tag), ...le16(channels), ...le32(rate), ...le32((rate * blockAlign) >>> 0), ...le16(blockAlign)],
    [...le16(bits)],
    extra,
  );
  const content = bytes(
    "WAVE",
    riffChunk("fmt ", format),
    header.before ?? "",
    riffChunk("data", audio, header.size ?? audio.length),
  );
  return riffChunk("RIFF", content, header.riffSize ?? content.length);
}

/** An MP4 box. */
export const box = (type: string, ...content: readonly (string | readonly number[] | Uint8Array)[]): Buffer => {
  const body = bytes(...content);
  return bytes(be32(body.length + 8), type, body);
};

/** A Matroska element with an 8-byte size. */
export const element = (id: string, ...content: readonly (string | readonly number[] | Uint8Array)[]): Buffer => {
  const body = bytes(...content);
  return bytes(Buffer.from(id, "hex"), [0x01, 0, 0, 0], be32(body.length), body);
};

function crcTable(width: 8 | 16 | 32, polynomial: number): Uint32Array {
  const top = 2 ** (width - 1);
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte * 2 ** (width - 8);
    for (let bit = 0; bit < 8; bit++) value = (value & top ? (value << 1) ^ polynomial : value << 1) >>> 0;
    return value & (2 ** width - 1);
  });
}

const tables = { 8: crcTable(8, 0x07), 16: crcTable(16, 0x8005), 32: crcTable(32, 0x04c1_1db7) };

/** CRCs of FLAC (8 and 16 bits) and Ogg (32 bits), not reflected. */
export function crc(width: 8 | 16 | 32, data: Uint8Array): number {
  const table = tables[width];
  const mask = 2 ** width - 1;
  let value = 0;
  for (const byte of data) {
    const index = ((value >>> (width - 8)) ^ byte) & 255;
    value = (width === 8 ? (table[index] ?? 0) : ((value << 8) ^ (table[index] ?? 0)) & mask) >>> 0;
  }
  return value;
}

/** Replaces the serial number of Ogg pages and recomputes their checksums. */
export function renumberedOgg(ogg: Uint8Array, serial: number): Buffer {
  const copy = Buffer.from(ogg);
  for (let at = 0; at + 27 <= copy.length; ) {
    const segments = copy.readUInt8(at + 26);
    const body = copy.subarray(at + 27, at + 27 + segments).reduce((sum, size) => sum + size, 0);
    const page = copy.subarray(at, at + 27 + segments + body);
    page.writeUInt32LE(serial, 14);
    page.writeUInt32LE(0, 22);
    page.writeUInt32LE(crc(32, page), 22);
    at += page.length;
  }
  return copy;
}

export interface FlacHeader {
  readonly rate: number;
  readonly channels: number;
  /** Actual number of samples. */
  readonly samples: number;
  /** Number of samples in the header; 0 means unknown. */
  readonly declaredSamples?: number;
  readonly block?: 4608 | 65_535;
}

function utf8Number(value: number): number[] {
  if (value < 0x80) return [value];
  const rest: number[] = [];
  let left = value;
  for (let first = 0x3f; left > first; first >>= 1) {
    rest.unshift(0x80 | (left & 0x3f));
    left = Math.floor(left / 64);
  }
  return [((0xff << (7 - rest.length)) & 0xff) | left, ...rest];
}

/** Digital silence as FLAC: about 20 bytes per block. */
export function silentFlac({ rate, channels, samples, declaredSamples = samples, block = 4608 }: FlacHeader): Buffer {
  const packed = Buffer.alloc(8);
  packed.writeBigUInt64BE(
    (BigInt(rate) << 44n) | (BigInt(channels - 1) << 41n) | (BigInt(15) << 36n) | BigInt(declaredSamples),
  );
  const streamInfo = bytes([...be16(block), ...be16(block), 0, 0, 0, 0, 0, 0], packed, Buffer.alloc(16));
  const subframes = Buffer.alloc(3 * channels);
  const blockCode = block === 4608 ? 0x50 : 0x70;
  const frames: Buffer[] = [];
  for (let frame = 0; frame * block < samples; frame++) {
    const head = bytes(
      [0xff, 0xf8, blockCode, ((channels - 1) << 4) | 0x08, ...utf8Number(frame)],
      block === 4608 ? [] : be16(block - 1),
    );
    const whole = bytes(head, [crc(8, head)], subframes);
    frames.push(bytes(whole, be16(crc(16, whole))));
  }
  return Buffer.concat([bytes("fLaC", [0x80, 0, 0, 34], streamInfo), ...frames]);
}

/** A ZIP archive with one uncompressed file. */
export function zipOf(name: string, content: Uint8Array): Buffer {
  const head = bytes([...le16(20), 0, 0, 0, 0, 0, 0, 0, 0], le32(crc32(content)), le32(content.length));
  const names = bytes(le32(content.length), le16(name.length), [0, 0]);
  const local = bytes("PK\x03\x04", head, names, name, content);
  const central = bytes("PK\x01\x02\x14\0", head, names, Buffer.alloc(14), name);
  return bytes(
    local,
    central,
    ["PK\x05\x06\0\0\0\0\x01\0\x01\0"].join(""),
    le32(central.length),
    le32(local.length),
    [0, 0],
  );
}
