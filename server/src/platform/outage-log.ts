import type { LoggerOptions } from "pino";
import { isDisconnected } from "./database/errors.ts";

const summaryMs = 60_000;
/** Longer than any timeout of the database, so that a silent network does not look like a recovery. */
const quietMs = 30_000;

type LogMethod = NonNullable<NonNullable<LoggerOptions["hooks"]>["logMethod"]>;
interface Outage {
  readonly began: number;
  /** Time of the latest error. */
  latest: number;
  /** Lines that were not written since the last one that was, by message. All messages are constants. */
  hidden: Record<string, number>;
}

/**
 * Writes the first log line about a failed connection, then one line per minute with the numbers of the others: while the database
 * is unavailable, every part of a process fails several times per second.
 */
export function outageLog(options: { readonly summaryMs?: number; readonly quietMs?: number } = {}): LogMethod {
  const everyMs = options.summaryMs ?? summaryMs;
  const quiet = options.quietMs ?? quietMs;
  let outage: Outage | undefined;

  return function log(args, method) {
    const [about, message = ""] = args as unknown as [unknown, string?];
    const isOutage = typeof about === "object" && about !== null && "err" in about && isDisconnected(about.err);
    if (!isOutage) return method.apply(this, args);
    if (outage) {
      outage.latest = Date.now();
      outage.hidden[message] = (outage.hidden[message] ?? 0) + 1;
      return;
    }
    method.apply(this, args);
    outage = { began: Date.now(), latest: Date.now(), hidden: {} };
    const current = outage;
    const timer = setInterval(() => {
      const now = Date.now();
      const isOver = now - current.latest >= quiet;
      const summary = {
        seconds: Math.round(((isOver ? current.latest : now) - current.began) / 1000),
        hidden: current.hidden,
      };
      if (!isOver) this.warn(summary, "connections still fail");
      else {
        this.info(summary, "no more connection errors");
        clearInterval(timer);
        outage = undefined;
      }
      current.hidden = {};
    }, everyMs).unref();
  };
}
