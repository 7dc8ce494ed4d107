import type { Progress } from "../import/progress.ts";
import { formatEta, type Rate } from "./progress-rate.ts";
import type { Style } from "./style.ts";
import { sanitize, textWidth, truncateText } from "./text-width.ts";
import { formatBytes, formatNumber, formatPercent, formatRate, pluralize } from "./units.ts";

/** The progress at one point in time. */
export interface ProgressSnapshot {
  readonly progress: Readonly<Progress>;
  readonly rate: Rate | undefined;
  readonly remainingMs: number | undefined;
}

const phases = { reading: "Reading", importing: "Importing", reconciling: "Verifying" } as const;
/** The rows that verifying finds on the service include those of this run. */
const presentAs = (phase: keyof typeof phases) => (phase === "reconciling" ? "found" : "already imported");
const widestBar = 60;

/** Draws three lines for a terminal: progress, rate, remaining time. */
export function drawProgress(snapshot: ProgressSnapshot, { width, style }: { width: number; style: Style }): string[] {
  const { progress, rate, remainingMs } = snapshot;
  const { total, totalBytes, done, doneBytes, failed, atOnce, waiting, phase } = progress;
  const knowsTotal = total > 0;
  const percent = knowsTotal ? formatPercent(done, total).padStart(4) : "";
  const name = phases[phase].padEnd(9);
  const barWidth = Math.min(widestBar, width - textWidth(name) - textWidth(percent) - 2);
  const top =
    knowsTotal && barWidth >= 5
      ? `${style.bold(name)} ${bar(done / total, barWidth, style)} ${percent}`
      : style.bold(name);
  const progressLine = fitParts(
    [
      {
        text: knowsTotal
          ? `${formatNumber(done)} of ${width < 60 ? formatNumber(total) : pluralize(total, "call")}`
          : pluralize(done, "row"),
        keep: 1,
      },
      rate && { text: formatRate(rate.callsPerSecond), keep: 2 },
      totalBytes > 0 &&
        phase !== "reading" && { text: `${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}`, keep: 4 },
      rate && rate.bytesPerSecond > 0 && { text: `${formatBytes(rate.bytesPerSecond)}/s`, keep: 3 },
      atOnce > 0 && { text: `${formatNumber(atOnce)} in parallel`, keep: 5 },
    ],
    width,
  );
  const statusLine = fitParts(
    [
      waiting !== undefined && { text: `Waiting: ${sanitize(waiting)}`, keep: 2, shrinks: true, paint: style.yellow },
      waiting === undefined && remainingMs !== undefined && { text: `${formatEta(remainingMs)} left`, keep: 2 },
      failed > 0 && { text: `${formatNumber(failed)} failed`, keep: 1, paint: style.red },
      progress.present > 0 && {
        text: `${formatNumber(progress.present)} ${presentAs(phase)}`,
        keep: 3,
        paint: style.dim,
      },
    ],
    width,
  );
  return [top, progressLine, statusLine];
}

/** Formats one line for a log. */
export function formatProgress({ progress, rate, remainingMs }: ProgressSnapshot): string {
  const { total, totalBytes, done, doneBytes, failed, present, atOnce, waiting, phase } = progress;
  const parts = [
    total > 0
      ? `${formatNumber(done)} of ${formatNumber(total)} (${formatPercent(done, total)})`
      : pluralize(done, "row"),
    rate && formatRate(rate.callsPerSecond),
    totalBytes > 0 && phase !== "reading" && `${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}`,
    rate && rate.bytesPerSecond > 0 && `${formatBytes(rate.bytesPerSecond)}/s`,
    atOnce > 0 && `${formatNumber(atOnce)} in parallel`,
    present > 0 && `${formatNumber(present)} ${presentAs(phase)}`,
    failed > 0 && `${formatNumber(failed)} failed`,
    waiting === undefined && remainingMs !== undefined && done < total && `${formatEta(remainingMs)} left`,
    waiting !== undefined && `waiting: ${sanitize(waiting)}`,
  ];
  return `${phases[phase].toLowerCase()}: ${parts.filter((part) => part).join(", ")}`;
}

function bar(part: number, width: number, style: Style): string {
  const filled = Math.max(0, Math.min(1, part)) * width;
  const full = Math.floor(filled);
  if (!style.unicode) return `[${"#".repeat(Math.max(0, full - 2)).padEnd(width - 2, ".")}]`;
  const half = filled - full >= 0.5 ? "╸" : "";
  return style.green("━".repeat(full) + half) + style.dim("─".repeat(width - full - half.length));
}

interface Part {
  readonly text: string;
  /** Priority: 1 is dropped last when there is no room. */
  readonly keep: number;
  /** Truncate instead of dropping it. */
  readonly shrinks?: boolean;
  readonly paint?: (text: string) => string;
}

const separator = " · ";
const indent = "  ";
const shortest = 12;

/** Selects parts by priority until the line is full, and prints them in their order. */
function fitParts(given: readonly (Part | false | undefined)[], width: number): string {
  const parts = given.filter((part): part is Part => Boolean(part));
  const shown = new Map<Part, string>();
  let room = width - indent.length;
  for (const part of parts.toSorted((a, b) => a.keep - b.keep)) {
    const free = room - (shown.size > 0 ? separator.length : 0);
    const needs = textWidth(part.text);
    if (needs > free && !(part.shrinks && free >= shortest) && shown.size > 0) continue;
    const text = truncateText(part.text, Math.max(0, free));
    shown.set(part, text);
    room = free - textWidth(text);
  }
  const texts = parts.flatMap((part) => {
    const text = shown.get(part);
    return text === undefined ? [] : [(part.paint ?? String)(text)];
  });
  return indent + texts.join(separator);
}
