/** International (+33612345678, 0033612345678) or national with a leading zero. Other digits may be ids or counters. */
const phone = /(?<![a-z0-9.+])(?:\+\d{7,15}|00?[1-9]\d{7,13})(?![a-z0-9@]|[.]\d)/gi;

/** Phone number in a file name without its time, if there is exactly one. */
export function phoneInName(text: string): string | undefined {
  const [only, another] = new Set(text.match(phone));
  return another ? undefined : only;
}
