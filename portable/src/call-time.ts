/** The earliest time of a call: 2000-01-01, in Unix seconds. */
export const earliestCallTime = Date.UTC(2000, 0, 1) / 1000;

/** The latest time of a call, in Unix seconds: one day ahead of now. */
export const latestCallTime = (nowMs = Date.now()): number => nowMs / 1000 + 24 * 60 * 60;
