import type { Progress } from "../import/progress.ts";
import { drawProgress, type Moment, tellProgress } from "./draw-progress.ts";
import { openCountdown, openPaceMeter } from "./progress-rate.ts";
import { type Environment, type Output, openStyle } from "./style.ts";
import { textWidth } from "./text-width.ts";

interface ProgressOptions {
  /** Where it stands now; asked again for every drawing. */
  readonly read: () => Readonly<Progress>;
  readonly output: Output;
  readonly env: Environment;
  readonly quiet?: boolean | undefined;
  readonly now?: (() => number) | undefined;
}

/** What shows a running import until it is stopped. */
export interface ProgressView {
  /** Writes a line that stays: above the bar, or in the log. */
  say(line: string): void;
  /** Takes the bar away and gives the cursor back. May be called twice. */
  stop(): void;
}

const drawEveryMs = 125;
const tellEveryMs = 10_000;
const hideCursor = "\x1b[?25l";
const showCursor = "\x1b[?25h";

export function showProgress(options: ProgressOptions): ProgressView {
  const { output, env, quiet } = options;
  if (quiet) return { say: (line) => void output.write(`${line}\n`), stop: () => {} };
  return output.isTTY && env.TERM !== "dumb" ? showBar(options) : tellNowAndThen(options);
}

/** The bar of a terminal: drawn over itself in one write, so that it does not flicker. */
function showBar({ read, output, env, now = Date.now }: ProgressOptions): ProgressView {
  const style = openStyle(output, env);
  const moments = openMoments(read, now);
  let drawn: readonly string[] = [];
  let stopped = false;

  // A line that was drawn on a wider terminal takes several rows of a narrow one.
  const rows = () => {
    const columns = Math.max(1, output.columns || 80);
    return drawn.reduce((all, line) => all + Math.max(1, Math.ceil(textWidth(line) / columns)), 0);
  };
  const up = () => (drawn.length > 0 ? `\x1b[${rows()}A\r` : "");
  const draw = (above = "") => {
    if (stopped) return;
    // One column less: a terminal goes to the next row when its last column is written.
    const lines = drawProgress(moments.next(), { width: Math.max(20, (output.columns || 80) - 1), style });
    // Erasing line by line keeps what is there until it is written over.
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

/** Lines that a log can bear: one now and then, and one when something changes. */
function tellNowAndThen({ read, output, now = Date.now }: ProgressOptions): ProgressView {
  const moments = openMoments(read, now);
  let told = { atMs: Number.NEGATIVE_INFINITY, state: "", line: "" };
  let stopped = false;
  const stamped = (line: string) => `${new Date(now()).toISOString().replace(/\.\d+Z$/, "Z")} ${line}\n`;
  const tell = (must: boolean) => {
    const moment = moments.next();
    const { phase, waiting } = moment.progress;
    // The text of a wait may count seconds down: that it waits is what changed.
    const state = `${phase} ${waiting !== undefined}`;
    if (!must && state === told.state && now() - told.atMs < tellEveryMs) return;
    const line = tellProgress(moment);
    if (line === told.line) return;
    told = { atMs: now(), state, line };
    output.write(stamped(line));
  };
  tell(true);
  const timer = setInterval(() => tell(false), 500);
  return {
    say: (line) => void output.write(stamped(line)),
    stop() {
      if (stopped) return;
      stopped = true;
      clearInterval(timer);
      tell(true);
    },
  };
}

/** Turns what is counted into what is shown, with the pace of the last seconds. */
function openMoments(read: () => Readonly<Progress>, now: () => number): { next(): Moment } {
  const shown = openPaceMeter(10_000);
  // The remaining time looks further back: it should not jump with every large recording.
  const steady = openPaceMeter(60_000);
  const countdown = openCountdown();
  const meters = [shown, steady];
  let phase: Progress["phase"] | undefined;
  let beganAtMs = now();
  return {
    next() {
      const progress = read();
      const atMs = now();
      if (progress.phase !== phase) {
        for (const part of [...meters, countdown]) part.forget();
        phase = progress.phase;
        beganAtMs = atMs;
      }
      for (const meter of meters) meter.note({ atMs, done: progress.done, bytes: progress.doneBytes });
      if (progress.waiting !== undefined) countdown.forget();
      const estimate = atMs - beganAtMs < 5000 ? undefined : estimateMs(progress, steady.pace());
      const remainingMs =
        estimate === undefined || progress.waiting !== undefined ? undefined : countdown.remainingMs(estimate, atMs);
      return { progress, pace: shown.pace(), remainingMs };
    },
  };
}

type Pace = ReturnType<ReturnType<typeof openPaceMeter>["pace"]>;

/** By calls and by bytes, whichever takes longer: small recordings cost requests, large ones bandwidth. */
function estimateMs({ total, done, totalBytes, doneBytes }: Readonly<Progress>, pace: Pace): number | undefined {
  if (!pace || total === 0 || pace.callsPerSecond <= 0) return undefined;
  const byCalls = (total - done) / pace.callsPerSecond;
  const byBytes = pace.bytesPerSecond > 0 ? (totalBytes - doneBytes) / pace.bytesPerSecond : 0;
  return Math.max(byCalls, byBytes, 0) * 1000;
}
