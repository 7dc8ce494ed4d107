import { random } from "../../support/run-scale.ts";
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

const allCells: readonly Cell[] = faults.flatMap((fault) =>
  operations.flatMap((operation) =>
    places.flatMap((place) => engines.map((engine) => ({ engine, fault, place, operation }))),
  ),
);

/** Cells that once failed: a worker that took no jobs any more, and imports that were answered after 42 s. */
const regressions: readonly Cell[] = [
  { engine: "database", fault: "timeout", place: "completion", operation: "job" },
  { engine: "store", fault: "slicing", place: "middle", operation: "import" },
];

/** For every fault each operation, each place and both engines, in random combinations; and the regressions. */
export function selectCells(seed: number): Cell[] {
  const chance = random(seed);
  const pick = (count: number) => Math.floor(chance() * count);
  const selected = faults.flatMap((fault) => {
    const [firstPlace, step, firstEngine] = [pick(places.length), 1 + pick(2), pick(engines.length)];
    return operations.map((operation, at) => ({
      engine: engines[(firstEngine + at) % engines.length] ?? "database",
      fault,
      place: places[(firstPlace + step * at) % places.length] ?? "start",
      operation,
    }));
  });
  const names = new Set(selected.map(nameOf));
  return [...regressions.filter((cell) => !names.has(nameOf(cell))), ...selected];
}

/** All cells in random order. */
export function shuffleCells(seed: number): Cell[] {
  const chance = random(seed);
  return allCells
    .map((cell) => ({ cell, order: chance() }))
    .sort((a, b) => a.order - b.order)
    .map(({ cell }) => cell);
}
