import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

const maxPauseMs = 30_000;
/** A process that ran for longer than this did not fail at its start. */
const stableMs = 10_000;

export interface Supervised {
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  readonly say?: (text: string) => void;
  /** Doubles with every failure. */
  readonly pauseMs?: number;
}

/** Keeps a process running, and says when it ends. */
export function supervise(
  name: string,
  start: () => ChildProcess,
  { say = console.error, pauseMs = 1_000 }: Options = {},
): Supervised {
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;

  function run(): void {
    const began = Date.now();
    const current = start();
    child = current;
    current.once("exit", (code, signal) => {
      // Otherwise it was stopped on purpose.
      if (current !== child) return;
      child = undefined;
      failures = Date.now() - began > stableMs ? 1 : failures + 1;
      const nextMs = Math.min(maxPauseMs, pauseMs * 2 ** (failures - 1));
      say(`${name} ended with ${signal ?? `exit code ${code}`}. It starts again in ${nextMs / 1000} s`);
      timer = setTimeout(run, nextMs);
    });
  }

  async function stop(): Promise<void> {
    clearTimeout(timer);
    const current = child;
    child = undefined;
    if (!current || current.exitCode !== null || current.signalCode !== null) return;
    const ended = once(current, "exit");
    current.kill("SIGTERM");
    await ended;
  }

  run();
  return {
    stop,
    async restart() {
      await stop();
      failures = 0;
      run();
    },
  };
}
