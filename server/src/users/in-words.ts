/** A time as a letter says it; where its reader is, nobody knows. */
export const inWords = (at: Date): string => {
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat("en-GB", format).format(at)} UTC`;
};
