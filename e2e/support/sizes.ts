/** Whether to run at the sizes that count for a release (`--full`) instead of those that fit a CI run. */
export const full = process.env.E2E_FULL === "1";

/** The seed of every random choice of this run; printed on failure and taken with `--seed`. */
export const seed = Number(process.env.E2E_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** A small seeded generator of numbers in [0, 1) (mulberry32). */
export function random(from = seed): () => number {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
