/** Parses "90", "1:30" or "0:01:30" to seconds. Undefined: not a duration. */
export function parseDuration(text: string): number | undefined {
  const parts = text.trim().split(":");
  if (parts.length > 3 || !parts.every((part, index) => (index === 0 ? /^\d{1,6}$/ : /^[0-5]\d$/).test(part))) {
    return undefined;
  }
  return parts.reduce((seconds, part) => seconds * 60 + Number(part), 0);
}
