import { createCipheriv } from "node:crypto";

const headerBytes = 44;
const sampleRate = 8000;

/** A WAV file of exactly this size: 16-bit mono at 8 kHz, with deterministic noise. */
export function aRecording(bytes: number): Buffer {
  const wav = Buffer.alloc(bytes);
  wav.write("RIFF", 0);
  wav.writeUInt32LE(bytes - 8, 4);
  wav.write("WAVEfmt ", 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(sampleRate, 24);
  wav.writeUInt32LE(sampleRate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36);
  wav.writeUInt32LE(bytes - headerBytes, 40);
  const noise = createCipheriv("aes-128-ctr", Buffer.alloc(16), Buffer.alloc(16));
  noise.update(wav.subarray(headerBytes)).copy(wav, headerBytes);
  return wav;
}
