import type { Progress } from "../import/progress.ts";
import { inRoughTime, type Pace } from "./progress-rate.ts";
import type { Style } from "./style.ts";
import { fitText, harmless, textWidth } from "./text-width.ts";
import { inBytes, inDigits, inPercent, inRate } from "./units.ts";

/** What is to be shown at one moment. */
export interface Moment {
  readonly progress: Readonly<Progress>;
  readonly pace: Pace | undefined;
  readonly remainingMs: number | undefined;
}

const phases = { reading: "Reading", importing: "Importing", reconciling: "Proving" } as const;
const widestBar = 60;

/** Three lines for a terminal: how far, how fast, how much longer. */
export function drawProgress(moment: Moment, { width, style }: { width: number; style: Style }): string[] {
  const { progress, pace, remainingMs } = moment;
  const { total, totalBytes, done, doneBytes, failed, atOnce, waiting, phase } = progress;
  const knowsTotal = total > 0;
  const percent = knowsTotal ? inPercent(done, total).padStart(5) : "";
  const name = phases[phase].padEnd(9);
  const barWidth = Math.min(widestBar, width - textWidth(name) - textWidth(percent) - 2);
  const top =
    knowsTotal && barWidth >= 5
      ? `${style.bold(name)} ${bar(done / total, barWidth, style)} ${percent}`
      : style.bold(name);
  const far = fitting(
    [
      {
        text: knowsTotal ? `${inDigits(done)} of ${inDigits(total)}${width < 60 ? "" : " calls"}` : counting(done),
        keep: 1,
      },
      pace && { text: inRate(pace.callsPerSecond), keep: 2 },
      totalBytes > 0 && phase !== "reading" && { text: `${inBytes(doneBytes)} of ${inBytes(totalBytes)}`, keep: 4 },
      pace && pace.bytesPerSecond > 0 && { text: `${inBytes(pace.bytesPerSecond)}/s`, keep: 3 },
      atOnce > 0 && { text: `${inDigits(atOnce)} at once`, keep: 5 },
    ],
    width,
  );
  const end = fitting(
    [
      waiting !== undefined && { text: `Waiting: ${harmless(waiting)}`, keep: 2, shrinks: true, paint: style.yellow },
      waiting === undefined && remainingMs !== undefined && { text: `${inRoughTime(remainingMs)} left`, keep: 2 },
      failed > 0 && { text: `${inDigits(failed)} failed`, keep: 1, paint: style.red },
      progress.present > 0 && { text: `${inDigits(progress.present)} there already`, keep: 3, paint: style.dim },
    ],
    width,
  );
  return [top, far, end];
}

const counting = (done: number) => `${inDigits(done)} ${done === 1 ? "row" : "rows"}`;

/** One line for a log. */
export function tellProgress({ progress, pace, remainingMs }: Moment): string {
  const { total, totalBytes, done, doneBytes, failed, present, atOnce, waiting, phase } = progress;
  const parts = [
    total > 0 ? `${inDigits(done)} of ${inDigits(total)} (${inPercent(done, total)})` : counting(done),
    pace && inRate(pace.callsPerSecond),
    totalBytes > 0 && phase !== "reading" && `${inBytes(doneBytes)} of ${inBytes(totalBytes)}`,
    pace && pace.bytesPerSecond > 0 && `${inBytes(pace.bytesPerSecond)}/s`,
    atOnce > 0 && `${inDigits(atOnce)} at once`,
    present > 0 && `${inDigits(present)} there already`,
    failed > 0 && `${inDigits(failed)} failed`,
    waiting === undefined && remainingMs !== undefined && done < total && `${inRoughTime(remainingMs)} left`,
    waiting !== undefined && `waiting: ${harmless(waiting)}`,
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
  /** 1 is kept longest when there is no room. */
  readonly keep: number;
  /** It is rather cut than left out. */
  readonly shrinks?: boolean;
  readonly paint?: (text: string) => string;
}

const separator = " · ";
const indent = "  ";
const shortest = 12;

/** As many parts as there is room for, those that matter most first, shown in their order. */
function fitting(given: readonly (Part | false | undefined)[], width: number): string {
  const parts = given.filter((part): part is Part => Boolean(part));
  const shown = new Map<Part, string>();
  let room = width - indent.length;
  for (const part of parts.toSorted((a, b) => a.keep - b.keep)) {
    const free = room - (shown.size > 0 ? separator.length : 0);
    const needs = textWidth(part.text);
    if (needs > free && !(part.shrinks && free >= shortest) && shown.size > 0) continue;
    const text = fitText(part.text, Math.max(0, free));
    shown.set(part, text);
    room = free - textWidth(text);
  }
  const texts = parts.flatMap((part) => {
    const text = shown.get(part);
    return text === undefined ? [] : [(part.paint ?? String)(text)];
  });
  return indent + texts.join(separator);
}
