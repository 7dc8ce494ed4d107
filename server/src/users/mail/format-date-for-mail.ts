/** Formats a time in UTC: the recipient's time zone is unknown. */
export const formatDateForMail = (at: Date): string => {
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat("en-GB", format).format(at)} UTC`;
};
