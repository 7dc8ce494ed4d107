import type { Progress } from "../import/progress.ts";
import { drawProgress, formatProgress, type ProgressSnapshot } from "./progress-layout.ts";
import { openCountdown, openRateMeter } from "./progress-rate.ts";
import { type Environment, type Output, openStyle } from "./style.ts";
import { textWidth } from "./text-width.ts";

interface ProgressOptions {
  /** Returns the current progress. Called for every redraw. */
  readonly read: () => Readonly<Progress>;
  readonly output: Output;
  readonly env: Environment;
  readonly quiet?: boolean | undefined;
  readonly now?: (() => number) | undefined;
}

/** A running progress display. */
export interface ProgressView {
  /** Writes a permanent line, above the bar or to the log. */
  say(line: string): void;
  /** Removes the bar and restores the cursor. Idempotent. */
  stop(): void;
}

const drawEveryMs = 125;
const logEveryMs = 10_000;
const hideCursor = "\x1b[?25l";
const showCursor = "\x1b[?25h";

export function showProgress(options: ProgressOptions): ProgressView {
  const { output, env, quiet } = options;
  if (quiet) return { say: (line) => void output.write(`${line}\n`), stop: () => {} };
  return output.isTTY && env.TERM !== "dumb" ? showBar(options) : logProgress(options);
}

/** Progress bar. Redraws in a single write to avoid flicker. */
function showBar({ read, output, env, now = Date.now }: ProgressOptions): ProgressView {
  const style = openStyle(output, env);
  const snapshots = openSnapshots(read, now);
  let drawn: readonly string[] = [];
  let stopped = false;

  // After the terminal was narrowed, a drawn line wraps to several rows.
  const rows = () => {
    const columns = Math.max(1, output.columns || 80);
    return drawn.reduce((all, line) => all + Math.max(1, Math.ceil(textWidth(line) / columns)), 0);
  };
  const up = () => (drawn.length > 0 ? `\x1b[${rows()}A\r` : "");
  const draw = (above = "") => {
    if (stopped) return;
    // Leave the last column empty: writing to it wraps the line.
    const lines = drawProgress(snapshots.next(), { width: Math.max(20, (output.columns || 80) - 1), style });
    // Erase line by line (EL) instead of the whole screen to avoid flicker.
    const text = lines.map((line) => `${line}\x1b[K\n`).join("");
    output.write(`${up()}${above}${text}\x1b[J`);
    drawn = lines;
  };
  const restore = () => void output.write(showCursor);
  process.once("exit", restore);
  output.write(hideCursor);
  draw();
  const timer = setInterval(draw, drawEveryMs);

  return {
    say(line) {
      if (stopped) output.write(`${line}\n`);
      else draw(`${line}\x1b[K\n`);
    },
    stop() {
      if (stopped) return;
      stopped = true;
      clearInterval(timer);
      process.removeListener("exit", restore);
      output.write(`${up()}\x1b[J${showCursor}`);
    },
  };
}

/** Logs a line every 10 s, and when the phase or the waiting state changes. */
function logProgress({ read, output, now = Date.now }: ProgressOptions): ProgressView {
  const snapshots = openSnapshots(read, now);
  let last = { atMs: Number.NEGATIVE_INFINITY, state: "", line: "" };
  let stopped = false;
  const stamped = (line: string) => `${new Date(now()).toISOString().replace(/\.\d+Z$/, "Z")} ${line}\n`;
  const log = (force: boolean) => {
    const snapshot = snapshots.next();
    const { phase, waiting } = snapshot.progress;
    // The waiting text counts down; only the change of state matters.
    const state = `${phase} ${waiting !== undefined}`;
    if (!force && state === last.state && now() - last.atMs < logEveryMs) return;
    const line = formatProgress(snapshot);
    if (line === last.line) return;
    last = { atMs: now(), state, line };
    output.write(stamped(line));
  };
  log(true);
  const timer = setInterval(() => log(false), 500);
  return {
    say: (line) => void output.write(stamped(line)),
    stop() {
      if (stopped) return;
      stopped = true;
      clearInterval(timer);
      log(true);
    },
  };
}

/** Combines the counters with the current rate and the remaining time. */
function openSnapshots(read: () => Readonly<Progress>, now: () => number): { next(): ProgressSnapshot } {
  const shown = openRateMeter(10_000);
  // A longer window for the remaining time, so that large recordings do not make it jump.
  const steady = openRateMeter(60_000);
  const countdown = openCountdown();
  const meters = [shown, steady];
  let phase: Progress["phase"] | undefined;
  let beganAtMs = now();
  return {
    next() {
      const progress = read();
      const atMs = now();
      if (progress.phase !== phase) {
        for (const part of [...meters, countdown]) part.reset();
        phase = progress.phase;
        beganAtMs = atMs;
      }
      for (const meter of meters) meter.addSample({ atMs, done: progress.done, bytes: progress.doneBytes });
      if (progress.waiting !== undefined) countdown.reset();
      const estimate = atMs - beganAtMs < 5000 ? undefined : estimateMs(progress, steady.rate());
      const remainingMs =
        estimate === undefined || progress.waiting !== undefined ? undefined : countdown.remainingMs(estimate, atMs);
      return { progress, rate: shown.rate(), remainingMs };
    },
  };
}

type Rate = ReturnType<ReturnType<typeof openRateMeter>["rate"]>;

/** The longer of two estimates, by calls and by bytes: small recordings cost requests, large ones bandwidth. */
function estimateMs({ total, done, totalBytes, doneBytes }: Readonly<Progress>, rate: Rate): number | undefined {
  if (!rate || total === 0 || rate.callsPerSecond <= 0) return undefined;
  const byCalls = (total - done) / rate.callsPerSecond;
  const byBytes = rate.bytesPerSecond > 0 ? (totalBytes - doneBytes) / rate.bytesPerSecond : 0;
  return Math.max(byCalls, byBytes, 0) * 1000;
}
