/** Remembers lines of a manifest in a bit each. */
export function openLineSet() {
  let bits = new Uint8Array(0);
  return {
    has: (line: number): boolean => ((bits[line >>> 3] ?? 0) & (1 << (line & 7))) !== 0,
    add(line: number): void {
      const at = line >>> 3;
      if (at >= bits.length) {
        const before = bits;
        bits = new Uint8Array(2 * at + 1);
        bits.set(before);
      }
      bits[at] = (bits[at] ?? 0) | (1 << (line & 7));
    },
  };
}
