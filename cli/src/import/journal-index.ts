const smallest = 4096;
const fullest = 0.75;
const growth = 1.5;

/**
 * From 64-bit keys (16 hexadecimal digits) to numbers, in typed arrays: a million of them take 21 to 32 MB and
 * nothing for the garbage collector to go through. Values are greater than 0 and whole.
 */
export function openIndex(expected = 0) {
  let capacity = Math.max(smallest, Math.ceil((expected + smallest) / fullest));
  let keys = new Uint32Array(2 * capacity);
  let values = new Float64Array(capacity);
  let size = 0;

  /** Where a key is, or would be put. */
  function placeOf(high: number, low: number): number {
    let at = low % capacity;
    while (values[at] !== 0 && (keys[2 * at] !== high || keys[2 * at + 1] !== low)) at = (at + 1) % capacity;
    return at;
  }

  function put(high: number, low: number, value: number): void {
    const at = placeOf(high, low);
    if (values[at] === 0) size++;
    keys[2 * at] = high;
    keys[2 * at + 1] = low;
    values[at] = value;
  }

  function grow(): void {
    const [oldKeys, oldValues] = [keys, values];
    capacity = Math.ceil(capacity * growth);
    keys = new Uint32Array(2 * capacity);
    values = new Float64Array(capacity);
    size = 0;
    for (const [at, value] of oldValues.entries())
      if (value !== 0) put(oldKeys[2 * at] ?? 0, oldKeys[2 * at + 1] ?? 0, value);
  }

  return {
    get size() {
      return size;
    },
    get bytes() {
      return keys.byteLength + values.byteLength;
    },
    find(key: string): number | undefined {
      return values[placeOf(halfOf(key, 0), halfOf(key, 8))] || undefined;
    },
    set(key: string, value: number): void {
      if (size + 1 > capacity * fullest) grow();
      put(halfOf(key, 0), halfOf(key, 8), value);
    },
  };
}

const halfOf = (key: string, from: number) => Number.parseInt(key.slice(from, from + 8), 16);
