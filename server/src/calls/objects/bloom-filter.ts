/** Bloom filter of object keys. No false negatives; at most 1% false positives for up to 50 million keys. */
export interface BloomFilter {
  add(key: string): void;
  has(key: string): boolean;
}

const defaultBytes = 64 * 1024 * 1024;
/** Bits set per key. */
const bitsPerKey = 6;

export function openBloomFilter(bytes = defaultBytes): BloomFilter {
  const bits = Buffer.alloc(bytes);
  const count = bytes * 8;
  // Keys end with a random UUID, so its bytes serve as the hash. Other keys always test as present.
  const positions = (key: string) => {
    const random = Buffer.from(key.slice(-36).replaceAll("-", ""), "hex");
    if (random.length !== 16) return [];
    const first = random.readUInt32LE(0) + random.readUInt16LE(4) * 2 ** 32;
    const step = random.readUInt32LE(9) + 1;
    return Array.from({ length: bitsPerKey }, (_, n) => (first + n * step) % count);
  };
  return {
    add(key) {
      for (const position of positions(key)) bits[position >>> 3] = (bits[position >>> 3] ?? 0) | (1 << (position & 7));
    },
    has: (key) => positions(key).every((position) => ((bits[position >>> 3] ?? 0) & (1 << (position & 7))) !== 0),
  };
}
