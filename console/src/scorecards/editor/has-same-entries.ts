/** Whether two lists have the same entries in the same order. */
export const hasSameEntries = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((entry, index) => entry === other[index]);
