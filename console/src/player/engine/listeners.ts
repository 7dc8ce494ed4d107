/** Set of event listeners. */
export function createListeners<Values extends readonly unknown[]>() {
  const all = new Set<(...values: Values) => void>();
  return {
    /** Returns a function that removes the listener. */
    add(listener: (...values: Values) => void): () => void {
      all.add(listener);
      return () => void all.delete(listener);
    },
    notify(...values: Values): void {
      for (const listener of all) listener(...values);
    },
    clear: () => all.clear(),
  };
}
