/** The value that all have. null: they differ, one is unknown, or there are none. */
export const sharedTarget = (targets: readonly (number | null)[]): number | null =>
  targets.every((target) => target === targets[0]) ? (targets[0] ?? null) : null;
