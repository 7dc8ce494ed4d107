/** Builds files with headers that no tool writes. */

export const bytes = (...parts: (string | number[] | Uint8Array)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));

const le16 = (value: number) => [value & 255, (value >> 8) & 255];
export const le32 = (value: number) => [...le16(value & 0xffff), ...le16(value >>> 16)];
export const be32 = (value: number) => le32(value).reverse();

interface WavSettings {
  tag?: number;
  channels?: number;
  sampleRate?: number;
  blockBytes?: number;
  bits?: number;
  /** The size declared in the header, and the audio. */
  announced: number;
  audio: Uint8Array;
  after?: Uint8Array;
}

export function aWav({ announced, audio, after = Buffer.alloc(0), ...format }: WavSettings): Buffer {
  const { tag = 1, channels = 1, sampleRate = 8000, blockBytes = 2, bits = 16 } = format;
  return bytes(
    "RIFF",
    // Deliberately wrong: the parser ignores the RIFF size.
    le32(7),
    "WAVEfmt ",
    le32(16),
    [...le16(tag), ...le16(channels), ...le32(sampleRate), ...le32(sampleRate * blockBytes)],
    [...le16(blockBytes), ...le16(bits)],
    "data",
    le32(announced),
    audio,
    after,
  );
}

interface AuSettings {
  announced: number;
  audio: Uint8Array;
  channels?: number;
  sampleRate?: number;
  audioAt?: number;
}

export function anAu({ announced, audio, channels = 1, sampleRate = 8000, audioAt = 24 }: AuSettings): Buffer {
  return bytes(".snd", be32(audioAt), be32(announced), be32(1), be32(sampleRate), be32(channels), audio);
}

/** AMR frames as a phone writes them: 32 bytes for speech (12.2 kbit/s) and 6 bytes for a pause. */
export function anAmr({ frames, pauses = 0 }: { frames: number; pauses?: number }): Buffer {
  const speech = Array.from({ length: frames }, () => [0x3c, ...Array(31).fill(0x55)]).flat();
  const silence = Array.from({ length: pauses }, () => [0x44, ...Array(5).fill(0x55)]).flat();
  return bytes("#!AMR\n", speech, silence);
}

export function aBox(type: string, ...content: (string | number[] | Uint8Array)[]): Buffer {
  const body = bytes(...content);
  return bytes(be32(body.length + 8), type, body);
}
