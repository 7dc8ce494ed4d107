import { scale } from "@hearback/portable/testing/scale";

/** Random scorecards that the formula and its Python version must agree on. */
export const formulaCases = scale(1_000, 2_000, 100_000);

/** Repeats the run that printed this seed. */
export const formulaSeed = Number(process.env.FORMULA_SEED ?? Math.floor(Math.random() * 2 ** 31));
