import { random, scale } from "../../support/run-scale.ts";
import { type Fault, faults } from "../../support/servers/toxic-proxy.ts";

const engines = ["database", "store"] as const;
const places = ["start", "middle", "completion"] as const;
const operations = ["import", "playback", "job"] as const;

/** A fault of one engine at one place of an operation. */
export interface Cell {
  readonly engine: (typeof engines)[number];
  readonly fault: Fault;
  readonly place: (typeof places)[number];
  readonly operation: (typeof operations)[number];
}

export const nameOf = ({ engine, fault, place, operation }: Cell) =>
  `${fault} of the ${engine} at the ${place} of a${operation === "import" ? "n" : ""} ${operation}`;

/** Cells that once failed: a worker that took no jobs any more, and imports that were answered after 42 s. */
const regressions: readonly Cell[] = [
  { engine: "database", fault: "timeout", place: "completion", operation: "job" },
  { engine: "store", fault: "slicing", place: "middle", operation: "import" },
];

const combinations = operations.length * places.length * engines.length;

/** Successive combinations have other operations, engines and places. */
function combine(nth: number): Omit<Cell, "fault"> {
  const at = nth % combinations;
  return {
    operation: operations[at % operations.length] ?? "import",
    engine: engines[at % engines.length] ?? "database",
    place: places[(at + Math.floor(at / 6)) % places.length] ?? "start",
  };
}

/** For a change, each fault with one combination; nightly with each operation; for a release with all of them. */
const cellsPerFault = scale(1, operations.length, combinations);

/** For every fault combinations from a random one on, and the regressions. */
export function selectCells(seed: number): Cell[] {
  const chance = random(seed);
  const first = Math.floor(chance() * combinations);
  const selected = faults.flatMap((fault, nth) =>
    Array.from({ length: cellsPerFault }, (_, at) => ({ fault, ...combine(first + nth * cellsPerFault + at) })),
  );
  const names = new Set(selected.map(nameOf));
  return [...regressions.filter((cell) => !names.has(nameOf(cell))), ...selected];
}
