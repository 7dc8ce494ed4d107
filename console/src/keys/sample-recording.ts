const rate = 8000;
const seconds = 6;

/** Sample WAV: two alternating tones, one per channel, like a conversation. */
export function sampleRecording(): Blob {
  const samples = rate * seconds;
  const bytes = new DataView(new ArrayBuffer(44 + samples * 4));
  const text = (at: number, word: string) => {
    for (const [index, letter] of [...word].entries()) bytes.setUint8(at + index, letter.charCodeAt(0));
  };
  text(0, "RIFF");
  bytes.setUint32(4, 36 + samples * 4, true);
  text(8, "WAVEfmt ");
  bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true);
  bytes.setUint16(22, 2, true);
  bytes.setUint32(24, rate, true);
  bytes.setUint32(28, rate * 4, true);
  bytes.setUint16(32, 4, true);
  bytes.setUint16(34, 16, true);
  text(36, "data");
  bytes.setUint32(40, samples * 4, true);
  for (let at = 0; at < samples; at++) {
    const turn = Math.floor(at / rate) % 2;
    // Fade each turn in and out to avoid clicks.
    const loudness = 8000 * Math.sin(((at % rate) / rate) * Math.PI);
    const sample = loudness * Math.sin((2 * Math.PI * at * (turn === 0 ? 330 : 440)) / rate);
    bytes.setInt16(44 + at * 4 + turn * 2, sample, true);
  }
  return new Blob([bytes.buffer], { type: "audio/wav" });
}
