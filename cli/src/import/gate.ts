/** Lets one part of a pipeline wait for what another part does. */
export function openGate() {
  let changed = Promise.withResolvers<void>();
  let waited = false;
  return {
    /** Something has changed: everybody who waits looks again. */
    wake(): void {
      if (!waited) return;
      waited = false;
      changed.resolve();
      changed = Promise.withResolvers<void>();
    },
    async until(holds: () => boolean): Promise<void> {
      while (!holds()) {
        waited = true;
        await changed.promise;
      }
    },
  };
}
