/** Bit set of manifest lines. */
export function openLineSet() {
  let bits = new Uint8Array(1024);
  return {
    has: (line: number): boolean => ((bits[line >>> 3] ?? 0) & (1 << (line & 7))) !== 0,
    add(line: number): void {
      const place = line >>> 3;
      if (place >= bits.length) {
        const larger = new Uint8Array(Math.max(place + 1, bits.length * 2));
        larger.set(bits);
        bits = larger;
      }
      bits[place] = (bits[place] ?? 0) | (1 << (line & 7));
    },
  };
}
export type LineSet = ReturnType<typeof openLineSet>;
