interface Waiting<Turn> {
  readonly start: (turn: Turn) => void;
  readonly stop: (reason: unknown) => void;
}

/** Those who wait for their turn, first come first served. Whoever is told to stop leaves. */
export function openTurnQueue<Turn>() {
  const queue: Waiting<Turn>[] = [];
  return {
    get length() {
      return queue.length;
    },
    wait(signal: AbortSignal | undefined): Promise<Turn> {
      return new Promise((resolve, reject) => {
        const leave = () => {
          queue.splice(queue.indexOf(waiting), 1);
          reject(signal?.reason);
        };
        const stay = () => signal?.removeEventListener("abort", leave);
        const waiting: Waiting<Turn> = {
          start(turn) {
            stay();
            resolve(turn);
          },
          stop(reason) {
            stay();
            reject(reason);
          },
        };
        queue.push(waiting);
        signal?.addEventListener("abort", leave, { once: true });
      });
    },
    startNext(turn: Turn): void {
      queue.shift()?.start(turn);
    },
    stopAll(reason: unknown): void {
      for (const waiting of queue.splice(0)) waiting.stop(reason);
    },
  };
}
