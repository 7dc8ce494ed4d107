/** A name as a letter says it: whoever chose it writes no lines of the letter. */
export const onOneLine = (name: string): string => name.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
