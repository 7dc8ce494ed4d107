/** A valid WAV file: 16-bit mono at 8 kHz, with pseudo-random samples. Different seeds give different bytes. */
export function aRecording({ seconds = 1, seed = 1 } = {}): Buffer {
  const samples = Math.round(8000 * seconds);
  const wav = Buffer.alloc(44 + samples * 2);
  wav.write("RIFF", 0, "latin1");
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write("WAVEfmt ", 8, "latin1");
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(8000, 24);
  wav.writeUInt32LE(16_000, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36, "latin1");
  wav.writeUInt32LE(samples * 2, 40);
  for (let i = 0, state = seed; i < samples; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    wav.writeInt16LE(state >> 16, 44 + i * 2);
  }
  return wav;
}

/** Start and end of the tone on each channel, in seconds. */
interface Tones {
  readonly left: readonly [number, number];
  readonly right: readonly [number, number];
}

/** An eight-second stereo WAV file, 16-bit at 8 kHz, with one tone per channel. Different seeds give different bytes. */
export function aConversation({ left, right }: Tones, seed = 1): Buffer {
  const rate = 8000;
  const samples = Buffer.alloc(8 * rate * 4);
  const tone = (frame: number, [from, to]: readonly [number, number], hertz: number) =>
    frame >= from * rate && frame < to * rate ? Math.round(8000 * Math.sin((2 * Math.PI * hertz * frame) / rate)) : 0;
  for (let frame = 0; frame < 8 * rate; frame++) {
    samples.writeInt16LE(tone(frame, left, 200 + seed), frame * 4);
    samples.writeInt16LE(tone(frame, right, 300 + seed), frame * 4 + 2);
  }
  const header = Buffer.from(aRecording({ seconds: 0 }));
  header.writeUInt32LE(36 + samples.length, 4);
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(rate * 4, 28);
  header.writeUInt16LE(4, 32);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}
