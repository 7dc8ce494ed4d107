/** Those who want to know of something. */
export function openListeners<Values extends readonly unknown[]>() {
  const all = new Set<(...values: Values) => void>();
  return {
    /** Gives the way to stop listening. */
    add(listener: (...values: Values) => void): () => void {
      all.add(listener);
      return () => void all.delete(listener);
    },
    tell(...values: Values): void {
      for (const listener of all) listener(...values);
    },
    clear: () => all.clear(),
  };
}
