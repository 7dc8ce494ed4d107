const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const byteUnits = ["B", "kB", "MB", "GB", "TB", "PB"] as const;

/** 1234 → "1,234" */
export const inDigits = (count: number) => whole.format(count);

/** "1 call", "1,234 calls" */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${inDigits(count)} ${count === 1 ? one : many}`;

/** 1934567890 → "1.9 GB" */
export function inBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999.6 would be shown as "1000".
  while (Math.round(value) >= 1000 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${byteUnits[unit]}`;
}

/** 200000 → "3 min 20 s" */
export function inTime(ms: number): string {
  if (ms < 950) return `${Math.round(ms)} ms`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, "")} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return together([minutes, "min"], [seconds % 60, "s"]);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return together([hours, "h"], [minutes % 60, "min"]);
  return together([Math.floor(hours / 24), "d"], [hours % 24, "h"]);
}

const together = (...parts: readonly (readonly [number, string])[]) =>
  parts
    .filter(([value], index) => index === 0 || value > 0)
    .map(([value, unit]) => `${inDigits(value)} ${unit}`)
    .join(" ");

/** 100000 → "1:40", as a player shows it. */
export function onAClock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  const end = `${hours > 0 ? twoDigits(minutes) : minutes}:${twoDigits(seconds % 60)}`;
  return hours > 0 ? `${hours}:${end}` : end;
}

/** What happens in a second, or in a minute where that is less than one: "212/s", "3.4/s", "20/min". */
export function inRate(perSecond: number): string {
  if (perSecond === 0) return "0/s";
  if (perSecond < 0.95) return `${inDigits(perSecond * 60)}/min`;
  return `${perSecond < 9.95 ? perSecond.toFixed(1) : inDigits(perSecond)}/s`;
}

/** Never "100 %" before all is done. */
export const inPercent = (part: number, all: number) =>
  `${all === 0 ? 100 : part >= all ? 100 : Math.min(99, Math.floor((part * 100) / all))} %`;
