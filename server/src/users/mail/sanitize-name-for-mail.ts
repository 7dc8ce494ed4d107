import { stripLineBreaks } from "./strip-line-breaks.ts";

const maxLength = 100;

/**
 * Prevents a name from turning into a link. Mail clients link anything that looks like a URL or email address, and inviters
 * choose names freely: slashes, colons, @ and similar characters become spaces, and a space is added after dots.
 */
export function sanitizeNameForMail(name: string): string {
  const plain = stripLineBreaks(name.normalize("NFKC").replace(/\p{Cf}/gu, ""));
  const defused = plain.replace(/[:/\\@#?%&=<>[\](){}]+/g, " ").replace(/[.\u3002](?=\S)/gu, ". ");
  return [...stripLineBreaks(defused)].slice(0, maxLength).join("");
}
