/** A 64-bit hash as two 32-bit numbers. */
export interface Hash {
  readonly high: number;
  readonly low: number;
}

/** Non-cryptographic 64-bit hash over the UTF-16 code units, with MurmurHash's finalizer. */
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

/** Value of an entry: two numbers below 2^32. */
export interface HashEntry {
  readonly line: number;
  readonly mark: number;
}

export interface HashSet {
  readonly size: number;
  /** undefined: not in the set. */
  get(hash: Hash): HashEntry | undefined;
  /** Does not overwrite an existing entry. */
  add(hash: Hash, kept: HashEntry): void;
  /** Frees the memory immediately. The set cannot be used afterwards. */
  end(): void;
}

/** Growing a table doubles its memory temporarily. Many small tables keep the peak low. */
const tableCount = 64;
const maxLoadFactor = 0.8;
const growth = 1.3;

/** Hash set for millions of texts, at 20 to 26 bytes each. */
export function openHashSet(): HashSet {
  const tables = Array.from({ length: tableCount }, openTable);
  // The high bits select the table, the low bits the slot.
  const tableOf = (high: number) => tables[high >>> 26] as Table;
  // Zero marks a free slot, so an all-zero hash is replaced.
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
 * Uses resizable buffers: they have their own pages, and resizing to 0 returns them to the operating system immediately.
 * Other buffers fragment the heap whenever a table grows.
 */
function makeCells(slots: number): Uint32Array<ArrayBuffer> {
  const bytes = slots * 4 * Uint32Array.BYTES_PER_ELEMENT;
  return new Uint32Array(new ArrayBuffer(bytes, { maxByteLength: bytes }));
}

/** Open addressing with linear probing. A slot is four numbers: both halves of the hash, the line and the mark. */
function openTable() {
  let slots = 64;
  let cells = makeCells(slots);
  let size = 0;

  /** Slot of a hash, or the free slot for it. */
  function slotOf(high: number, low: number): number {
    let at = (low % slots) * 4;
    while ((cells[at] !== 0 || cells[at + 1] !== 0) && (cells[at] !== high || cells[at + 1] !== low))
      at = at + 4 === cells.length ? 0 : at + 4;
    return at;
  }

  const isFree = (at: number) => cells[at] === 0 && cells[at + 1] === 0;

  function add(high: number, low: number, line: number, mark: number): void {
    if (size >= slots * maxLoadFactor) grow();
    const at = slotOf(high, low);
    if (!isFree(at)) return;
    cells[at] = high;
    cells[at + 1] = low;
    cells[at + 2] = line;
    cells[at + 3] = mark;
    size++;
  }

  function grow(): void {
    const before = cells;
    slots = Math.ceil(slots * growth);
    cells = makeCells(slots);
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
    get(high: number, low: number): HashEntry | undefined {
      const at = slotOf(high, low);
      return isFree(at) ? undefined : { line: cells[at + 2] ?? 0, mark: cells[at + 3] ?? 0 };
    },
  };
}
