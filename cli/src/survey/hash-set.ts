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
  /** Gives its memory back at once. It is of no use afterwards. */
  end(): void;
}

/** Growing costs a table twice for a moment: with many small ones, the moment is small. */
const tableCount = 64;
const fullest = 0.8;
const growth = 1.3;

/** Remembers which of millions of texts were seen, in 20 to 26 bytes each. */
export function openHashSet(): HashSet {
  const tables = Array.from({ length: tableCount }, openTable);
  // The highest bits choose the table, the others the place in it.
  const tableOf = (high: number) => tables[high >>> 26] as Table;
  // A free place is two zeros, so a hash of two zeros is taken for another.
  const lowOf = ({ high, low }: Hash) => (high === 0 && low === 0 ? 1 : low);
  return {
    get size() {
      return tables.reduce((sum, table) => sum + table.size(), 0);
    },
    get: (hash) => tableOf(hash.high).get(hash.high, lowOf(hash)),
    add: (hash, { line, mark }) => tableOf(hash.high).add(hash.high, lowOf(hash), line, mark),
    end(): void {
      for (const table of tables) table.end();
    },
  };
}

type Table = ReturnType<typeof openTable>;

/**
 * A buffer that can be resized has pages of its own, and resized to nothing it gives them back to the operating system at
 * once. Others leave holes behind whenever a table grows, together larger than what is kept in the end.
 */
function makeCells(places: number): Uint32Array<ArrayBuffer> {
  const bytes = places * 4 * Uint32Array.BYTES_PER_ELEMENT;
  return new Uint32Array(new ArrayBuffer(bytes, { maxByteLength: bytes }));
}

/** Four numbers a place: both halves of the hash, the line and the mark. The next free place follows a taken one. */
function openTable() {
  let places = 64;
  let cells = makeCells(places);
  let size = 0;

  /** Where it is, or where it would be. */
  function placeOf(high: number, low: number): number {
    let at = (low % places) * 4;
    while ((cells[at] !== 0 || cells[at + 1] !== 0) && (cells[at] !== high || cells[at + 1] !== low))
      at = at + 4 === cells.length ? 0 : at + 4;
    return at;
  }

  const isFree = (at: number) => cells[at] === 0 && cells[at + 1] === 0;

  function add(high: number, low: number, line: number, mark: number): void {
    if (size >= places * fullest) grow();
    const at = placeOf(high, low);
    if (!isFree(at)) return;
    cells[at] = high;
    cells[at + 1] = low;
    cells[at + 2] = line;
    cells[at + 3] = mark;
    size++;
  }

  function grow(): void {
    const before = cells;
    places = Math.ceil(places * growth);
    cells = makeCells(places);
    size = 0;
    for (let at = 0; at < before.length; at += 4) {
      const high = before[at] ?? 0;
      const low = before[at + 1] ?? 0;
      if (high !== 0 || low !== 0) add(high, low, before[at + 2] ?? 0, before[at + 3] ?? 0);
    }
    before.buffer.resize(0);
  }

  return {
    size: () => size,
    add,
    end: () => cells.buffer.resize(0),
    get(high: number, low: number): Kept | undefined {
      const at = placeOf(high, low);
      return isFree(at) ? undefined : { line: cells[at + 2] ?? 0, mark: cells[at + 3] ?? 0 };
    },
  };
}
