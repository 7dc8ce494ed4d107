/** Random scorecards that the formula and its Python version must agree on. A release requires 100,000. */
export const formulaCases = Number(process.env.FORMULA_CASES ?? 2_000);

/** Repeats the run that printed this seed. */
export const formulaSeed = Number(process.env.FORMULA_SEED ?? Math.floor(Math.random() * 2 ** 31));
