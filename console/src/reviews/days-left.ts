const dayMs = 86_400_000;

/** Started days until a time; 0 if it has passed. */
export const daysLeft = (until: string, now = Date.now()): number =>
  Math.max(0, Math.ceil((Date.parse(until) - now) / dayMs));
