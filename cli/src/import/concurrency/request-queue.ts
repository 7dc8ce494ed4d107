interface Waiter<Slot> {
  readonly start: (slot: Slot) => void;
  readonly stop: (reason: unknown) => void;
}

/** FIFO queue of requests that wait for a slot. Aborted requests leave the queue. */
export function openRequestQueue<Slot>() {
  const queue: Waiter<Slot>[] = [];
  return {
    get length() {
      return queue.length;
    },
    wait(signal: AbortSignal | undefined): Promise<Slot> {
      return new Promise((resolve, reject) => {
        const leave = () => {
          queue.splice(queue.indexOf(waiter), 1);
          reject(signal?.reason);
        };
        const unsubscribe = () => signal?.removeEventListener("abort", leave);
        const waiter: Waiter<Slot> = {
          start(slot) {
            unsubscribe();
            resolve(slot);
          },
          stop(reason) {
            unsubscribe();
            reject(reason);
          },
        };
        queue.push(waiter);
        signal?.addEventListener("abort", leave, { once: true });
      });
    },
    startNext(slot: Slot): void {
      queue.shift()?.start(slot);
    },
    stopAll(reason: unknown): void {
      for (const waiter of queue.splice(0)) waiter.stop(reason);
    },
  };
}
