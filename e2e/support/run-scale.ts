export { isRelease, scale } from "@hearback/portable/testing/scale";

/** The seed of this run's random choices. Printed by the tests; set it with `--seed`. */
export const seed = Number(process.env.E2E_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Seeded random number generator in [0, 1) (mulberry32). */
export function random(from = seed): () => number {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
