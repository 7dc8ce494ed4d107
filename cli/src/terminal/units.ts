const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const byteUnits = ["B", "kB", "MB", "GB", "TB", "PB"] as const;

/** 1234 → "1,234" */
export const formatNumber = (count: number) => whole.format(count);

/** "1 call", "1,234 calls" */
export const pluralize = (count: number, one: string, many = `${one}s`) =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** "1 of 2 rows is on the service" */
export const formatFound = (found: number, rows: number) =>
  `${formatNumber(found)} of ${pluralize(rows, "row")} ${found === 1 || rows === 1 ? "is" : "are"} on the service`;

/** 1934567890 → "1.9 GB" */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // Math.round: otherwise 999.6 would print as "1000".
  while (Math.round(value) >= 1000 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${byteUnits[unit]}`;
}

const binaryUnits = ["MiB", "GiB", "TiB"] as const;
const mib = 1024 * 1024;

/** A limit as an operator sets it: 536870912 → "512 MiB", 5000000 → "5.0 MB" */
export function formatLimit(bytes: number): string {
  const power = binaryUnits.findLastIndex((_, index) => bytes % (mib * 1024 ** index) === 0);
  return power < 0 ? formatBytes(bytes) : `${formatNumber(bytes / (mib * 1024 ** power))} ${binaryUnits[power]}`;
}

/** 200000 → "3 min 20 s" */
export function formatDuration(ms: number): string {
  if (ms < 950) return `${Math.round(ms)} ms`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, "")} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return joinParts([minutes, "min"], [seconds % 60, "s"]);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return joinParts([hours, "h"], [minutes % 60, "min"]);
  return joinParts([Math.floor(hours / 24), "d"], [hours % 24, "h"]);
}

const joinParts = (...parts: readonly (readonly [number, string])[]) =>
  parts
    .filter(([value], index) => index === 0 || value > 0)
    .map(([value, unit]) => `${formatNumber(value)} ${unit}`)
    .join(" ");

/** 100000 → "1:40" */
export function formatTimecode(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  const end = `${hours > 0 ? twoDigits(minutes) : minutes}:${twoDigits(seconds % 60)}`;
  return hours > 0 ? `${hours}:${end}` : end;
}

/** Rate per second, or per minute below 1/s: "212/s", "3.4/s", "20/min". */
export function formatRate(perSecond: number): string {
  if (perSecond === 0) return "0/s";
  if (perSecond < 0.95) return `${formatNumber(perSecond * 60)}/min`;
  return `${perSecond < 9.95 ? perSecond.toFixed(1) : formatNumber(perSecond)}/s`;
}

/** Rounds down: "100%" only when everything is done. */
export const formatPercent = (part: number, all: number) =>
  `${all === 0 ? 100 : part >= all ? 100 : Math.min(99, Math.floor((part * 100) / all))}%`;
