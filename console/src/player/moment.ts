/** A moment of a call as an address says it: 83, 83.5, 1:23, 1:02:03, 1m23s. In milliseconds. */
export function readMoment(text: unknown): number | undefined {
  if (typeof text !== "string" || text.length > 16) return undefined;
  const clock = /^(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,6}(?:\.\d{1,3})?)$/.exec(text);
  const words = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6}(?:\.\d{1,3})?)s)?$/.exec(text);
  const [, hours = "0", minutes = "0", seconds = "0"] = clock ?? words ?? [];
  if ((!clock && !words) || text === "") return undefined;
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000);
}

/** Seconds, rounded down: whoever opens it hears the whole of what was meant. */
export const writeMoment = (ms: number): string => String(Math.floor(ms / 1000));
