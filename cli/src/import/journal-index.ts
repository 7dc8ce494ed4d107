const smallest = 4096;
const fullest = 0.85;
const growth = 1.5;
const highUnit = 2 ** 32;

/**
 * From 64-bit keys (16 hexadecimal digits) to numbers, in typed arrays: a million of them take 17 to 25 MB and
 * nothing for the garbage collector to go through. Values are greater than 0, whole, and below 2^48. Growing has it
 * twice for a moment, so whoever knows how many are to come should say so.
 */
export function openIndex(expected = 0) {
  let capacity = placesFor(expected);
  let cells = makeCells(capacity);
  let size = 0;

  const isFree = (at: number) => cells.lows[at] === 0 && cells.highs[at] === 0;

  /** Where a key is, or would be put. */
  function placeOf(high: number, low: number): number {
    const { keys } = cells;
    let at = low % capacity;
    while (!isFree(at) && (keys[2 * at] !== high || keys[2 * at + 1] !== low)) at = at + 1 === capacity ? 0 : at + 1;
    return at;
  }

  const valueAt = (at: number) => (cells.highs[at] ?? 0) * highUnit + (cells.lows[at] ?? 0);

  function put(high: number, low: number, value: number): void {
    const at = placeOf(high, low);
    if (isFree(at)) size++;
    cells.keys[2 * at] = high;
    cells.keys[2 * at + 1] = low;
    cells.lows[at] = value % highUnit;
    cells.highs[at] = Math.floor(value / highUnit);
  }

  function growTo(places: number): void {
    const { keys, lows, highs } = cells;
    capacity = places;
    cells = makeCells(capacity);
    size = 0;
    for (let at = 0; at < lows.length; at++) {
      const value = (highs[at] ?? 0) * highUnit + (lows[at] ?? 0);
      if (value !== 0) put(keys[2 * at] ?? 0, keys[2 * at + 1] ?? 0, value);
    }
  }

  return {
    get size() {
      return size;
    },
    get bytes() {
      return cells.keys.byteLength + cells.lows.byteLength + cells.highs.byteLength;
    },
    /** Makes room for so many in all. */
    reserve(count: number): void {
      if (placesFor(count) > capacity) growTo(placesFor(count));
    },
    find(key: string): number | undefined {
      return valueAt(placeOf(halfOf(key, 0), halfOf(key, 8))) || undefined;
    },
    set(key: string, value: number): void {
      if (size + 1 > capacity * fullest) growTo(Math.ceil(capacity * growth));
      put(halfOf(key, 0), halfOf(key, 8), value);
    },
  };
}

const placesFor = (count: number) => Math.ceil((count + smallest) / fullest);

/** The two halves of a key side by side; of a value the lower 32 bits and the 16 above. */
const makeCells = (capacity: number) => ({
  keys: new Uint32Array(2 * capacity),
  lows: new Uint32Array(capacity),
  highs: new Uint16Array(capacity),
});

const halfOf = (key: string, from: number) => Number.parseInt(key.slice(from, from + 8), 16);
