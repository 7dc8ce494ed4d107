/** Codecs that need no decoder: samples as they are, and G.711, which is a table of 256. */
const tables = { pcm_s16le: undefined, pcm_mulaw: table(fromMulaw), pcm_alaw: table(fromAlaw) } as const;
type PlainCodec = keyof typeof tables;

const headerLimit = 64 * 1024;
/** Samples are expanded so many at a time, in the same room. */
const roomSamples = 16 * 1024;

export interface PlainReader {
  /** Takes the file as it comes, cut anywhere. */
  write(chunk: Uint8Array): void;
  /** Whether all the samples that the header announces have passed. If not, a decoder has to look. */
  end(): boolean;
}

/**
 * Gives the samples of a WAV file, 16 bit, while its bytes pass: the recordings of most telephone systems need no more. A
 * third of what hearing a call costs is spared, which is piping it through a decoder. What `onSamples` is given holds until
 * it returns. Undefined: this one needs a decoder.
 */
export function readPlain(codec: string, onSamples: (samples: Buffer) => void): PlainReader | undefined {
  if (!Object.hasOwn(tables, codec)) return undefined;
  const expand = tables[codec as PlainCodec];
  let header: Buffer = Buffer.alloc(0);
  let left: number | undefined;
  let lost = false;
  const room = new Int16Array(expand ? roomSamples : 0);

  function pass(bytes: Uint8Array): void {
    const samples = bytes.subarray(0, Math.min(left ?? 0, bytes.length));
    left = (left ?? 0) - samples.length;
    if (!expand) {
      onSamples(Buffer.from(samples.buffer, samples.byteOffset, samples.length));
      return;
    }
    for (let at = 0; at < samples.length; at += room.length) {
      const count = Math.min(room.length, samples.length - at);
      for (let i = 0; i < count; i++) room[i] = expand[samples[at + i] as number] as number;
      onSamples(Buffer.from(room.buffer, 0, count * 2));
    }
  }

  return {
    write(chunk) {
      if (lost) return;
      if (left !== undefined) {
        pass(chunk);
        return;
      }
      header = Buffer.concat([header, chunk]);
      const data = findData(header);
      if (data) {
        left = data.bytes;
        pass(header.subarray(data.at));
        header = Buffer.alloc(0);
      } else if (header.length > headerLimit) {
        lost = true;
        header = Buffer.alloc(0);
      }
    },
    end: () => left === 0,
  };
}

/** Where the samples begin and how many bytes of them there are; undefined: not within these bytes. */
function findData(header: Buffer): { at: number; bytes: number } | undefined {
  if (header.toString("latin1", 0, 4) !== "RIFF") return undefined;
  for (let at = 12; at + 8 <= header.length; ) {
    const bytes = header.readUInt32LE(at + 4);
    if (header.toString("latin1", at, at + 4) === "data") return { at: at + 8, bytes };
    at += 8 + bytes + (bytes % 2);
  }
  return undefined;
}

function table(decode: (byte: number) => number): Int16Array {
  return Int16Array.from({ length: 256 }, (_, byte) => decode(byte));
}

function fromMulaw(byte: number): number {
  const code = ~byte & 0xff;
  const magnitude = (((code & 0x0f) << 3) + 0x84) << ((code & 0x70) >> 4);
  return code & 0x80 ? 0x84 - magnitude : magnitude - 0x84;
}

function fromAlaw(byte: number): number {
  const code = byte ^ 0x55;
  const exponent = (code & 0x70) >> 4;
  const mantissa = (code & 0x0f) << 4;
  const magnitude = exponent === 0 ? mantissa + 8 : (mantissa + 0x108) << (exponent - 1);
  return code & 0x80 ? magnitude : -magnitude;
}
