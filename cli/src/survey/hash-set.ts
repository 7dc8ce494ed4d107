/** 64 bits as two numbers of 32. */
export interface Hash {
  readonly high: number;
  readonly low: number;
}

/** A hash of a text: two mixes of 32 bits over its UTF-16 units, after MurmurHash's finish. Not for secrets. */
export function hashOf(text: string): Hash {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return { high: high >>> 0, low: low >>> 0 };
}

/** What is kept with a text: two numbers below 2^32. */
export interface Kept {
  readonly line: number;
  readonly mark: number;
}

export interface HashSet {
  readonly size: number;
  /** What was kept with it; undefined: it is not there. */
  get(hash: Hash): Kept | undefined;
  /** One that is there stays as it is. */
  add(hash: Hash, kept: Kept): void;
}

const makeTable = (places: number) => ({
  highs: new Uint32Array(places),
  lows: new Uint32Array(places),
  lines: new Uint32Array(places),
  marks: new Uint32Array(places),
});

/** Remembers which of millions of texts were seen, in 16 bytes a place, up to three quarters of the places filled. */
export function openHashSet(): HashSet {
  let places = 1024;
  let table = makeTable(places);
  let size = 0;

  const isFree = (place: number) => table.highs[place] === 0 && table.lows[place] === 0;

  /** Where it is, or where it would be. */
  function placeOf(high: number, low: number): number {
    const { highs, lows } = table;
    const mask = places - 1;
    let place = low & mask;
    while (!isFree(place) && (highs[place] !== high || lows[place] !== low)) place = (place + 1) & mask;
    return place;
  }

  function put(high: number, low: number, line: number, mark: number): void {
    const place = placeOf(high, low);
    if (!isFree(place)) return;
    table.highs[place] = high;
    table.lows[place] = low;
    table.lines[place] = line;
    table.marks[place] = mark;
    size++;
  }

  function grow(): void {
    const { highs, lows, lines, marks } = table;
    places *= 2;
    size = 0;
    table = makeTable(places);
    for (let at = 0; at < highs.length; at++) {
      const high = highs[at] ?? 0;
      const low = lows[at] ?? 0;
      if (high !== 0 || low !== 0) put(high, low, lines[at] ?? 0, marks[at] ?? 0);
    }
  }

  // A free place is two zeros, so a hash of two zeros is taken for another.
  const lowOf = ({ high, low }: Hash) => (high === 0 && low === 0 ? 1 : low);
  return {
    get size() {
      return size;
    },
    get(hash) {
      const place = placeOf(hash.high, lowOf(hash));
      return isFree(place) ? undefined : { line: table.lines[place] ?? 0, mark: table.marks[place] ?? 0 };
    },
    add(hash, { line, mark }) {
      if (size * 4 >= places * 3) grow();
      put(hash.high, lowOf(hash), line, mark);
    },
  };
}
