import { spawn } from "node:child_process";
import { once } from "node:events";

/** A server program that a test runs in the foreground. */
export interface Daemon {
  readonly pid: number;
  /** Output so far. */
  log(): string;
  /** Whether it is still running. */
  isRunning(): boolean;
  kill(): Promise<void>;
}

/** PostgreSQL, Patroni and pgbouncer do not run as root, which therefore switches to the user of Debian's package. */
export const asPostgres = (command: string, args: readonly string[]): [string, string[]] =>
  process.getuid?.() === 0
    ? ["setpriv", ["--reuid=postgres", "--regid=postgres", "--init-groups", command, ...args]]
    : [command, [...args]];

/** Starts a program as the user postgres. */
export function startDaemon(command: string, args: readonly string[], env: Record<string, string> = {}): Daemon {
  const child = spawn(...asPostgres(command, args), {
    cwd: "/",
    env: { PATH: `${process.env.PATH}:/usr/sbin`, LC_ALL: "C.UTF-8", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (log += text));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    pid: child.pid ?? 0,
    log: () => log,
    isRunning,
    async kill() {
      if (!isRunning()) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}
