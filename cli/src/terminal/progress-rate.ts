import { pluralize } from "./units.ts";

export interface Rate {
  readonly callsPerSecond: number;
  readonly bytesPerSecond: number;
}

interface Sample {
  readonly atMs: number;
  readonly done: number;
  readonly bytes: number;
}

const sampleMs = 250;

/** Mean rate over the last `windowMs`. */
export function openRateMeter(windowMs: number) {
  let samples: Sample[] = [];
  return {
    addSample(sample: Sample): void {
      const last = samples.at(-1);
      if (last && sample.atMs - last.atMs < sampleMs) return;
      samples = samples.filter(({ atMs }) => atMs >= sample.atMs - windowMs);
      samples.push(sample);
    },
    /** undefined: not enough samples yet. */
    rate(): Rate | undefined {
      const [first, last] = [samples[0], samples.at(-1)];
      if (!first || !last || last.atMs - first.atMs < 1000) return undefined;
      const seconds = (last.atMs - first.atMs) / 1000;
      return {
        callsPerSecond: (last.done - first.done) / seconds,
        bytesPerSecond: (last.bytes - first.bytes) / seconds,
      };
    },
    reset(): void {
      samples = [];
    },
  };
}

/** Smooths the remaining time: it counts down, and jumps only if the estimate was far off. */
export function openCountdown() {
  let endsAtMs: number | undefined;
  return {
    remainingMs(estimateMs: number, nowMs: number): number {
      const estimated = nowMs + estimateMs;
      const shown = endsAtMs === undefined ? estimated : endsAtMs;
      const off = estimated - shown;
      endsAtMs = Math.abs(off) > 5000 + estimateMs * 0.2 ? estimated : shown + off * 0.02;
      return Math.max(0, endsAtMs - nowMs);
    },
    reset(): void {
      endsAtMs = undefined;
    },
  };
}

/** "a few seconds", "about 4 min": rounded to the precision of an estimate. */
export function formatEta(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return "a few seconds";
  if (seconds < 60) return `about ${Math.ceil(seconds / 5) * 5} s`;
  if (seconds < 600) {
    const tens = Math.ceil(seconds / 10) * 10;
    return `about ${Math.floor(tens / 60)} min${tens % 60 ? ` ${tens % 60} s` : ""}`;
  }
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `about ${minutes} min`;
  const fives = Math.ceil(minutes / 5) * 5;
  if (fives < 24 * 60) return `about ${Math.floor(fives / 60)} h${fives % 60 ? ` ${fives % 60} min` : ""}`;
  return `about ${pluralize(Math.ceil(minutes / 60 / 24), "day")}`;
}
