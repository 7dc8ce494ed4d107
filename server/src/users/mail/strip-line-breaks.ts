/** Keeps a name on one line, so that it cannot inject text into an email. */
export const stripLineBreaks = (name: string): string => name.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
