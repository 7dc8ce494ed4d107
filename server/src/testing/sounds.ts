/** A real WAV file: 16-bit mono at 8 kHz, its samples made from a seed so that no two seeds give the same bytes. */
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
