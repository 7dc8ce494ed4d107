/** An 8 kHz WAV filled with one byte. `announced` is the audio size in its header. */
export function makeWav(audioBytes = 1600, announced = audioBytes, fill = 0): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(Math.min(36 + announced, 0xffff_ffff), 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(16_000, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write("data", 36);
  header.writeUInt32LE(announced, 40);
  return Buffer.concat([header, Buffer.alloc(audioBytes, fill)]);
}
