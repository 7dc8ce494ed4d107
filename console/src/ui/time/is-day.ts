const pattern = /^[1-9]\d{3}-\d{2}-\d{2}$/;

/** Whether the value is a valid date with a four-digit year: 2026-11-15. */
export const isDay = (value: unknown): value is string =>
  typeof value === "string" && pattern.test(value) && !Number.isNaN(Date.parse(value));
