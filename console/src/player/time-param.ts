/** Parses a time parameter to milliseconds: 83, 83.5, 1:23, 1:02:03 or 1m23s. */
export function parseTimeParam(text: unknown): number | undefined {
  if (typeof text !== "string" || text.length > 16) return undefined;
  const clock = /^(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,6}(?:\.\d{1,3})?)$/.exec(text);
  const words = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6}(?:\.\d{1,3})?)s)?$/.exec(text);
  const [, hours = "0", minutes = "0", seconds = "0"] = clock ?? words ?? [];
  if ((!clock && !words) || text === "") return undefined;
  return Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000);
}

/** Rounded down, so that the moment is included. */
export const formatTimeParam = (ms: number): string => String(Math.floor(ms / 1000));
