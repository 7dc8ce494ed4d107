/** Condition variable: lets one stage of a pipeline wait for another. */
export function openCondition() {
  let changed = Promise.withResolvers<void>();
  let waited = false;
  return {
    /** Makes all waiters check their condition again. */
    notifyAll(): void {
      if (!waited) return;
      waited = false;
      changed.resolve();
      changed = Promise.withResolvers<void>();
    },
    async waitUntil(holds: () => boolean): Promise<void> {
      while (!holds()) {
        waited = true;
        await changed.promise;
      }
    },
  };
}
