import { ticks } from "d3-array";

type Ends = readonly [number, number];

/** Maps values of an axis to pixels or percent. `scaleLinear` of d3 also interpolates colours, which costs 8 KB. */
export interface LinearScale {
  (value: number): number;
  readonly domain: Ends;
  /** About `count` round values. */
  readonly ticks: (count: number) => readonly number[];
}

export function linearScale(domain: Ends, range: Ends): LinearScale {
  const [from, to] = domain;
  const [start, end] = range;
  // A domain of one value is in the middle.
  const scale = (value: number) => start + (end - start) * (from === to ? 0.5 : (value - from) / (to - from));
  return Object.assign(scale, { domain, ticks: (count: number) => ticks(from, to, count) });
}
