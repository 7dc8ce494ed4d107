import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";

export const howToMakeAKey =
  "Make a key with POST /keys or, on the server, `hearback-server key create`; then `hearback login`.";

/** A key as it was typed or set, or why it cannot be one. The key itself is never said. */
export function readApiKey(text: string, source: string): string {
  const key = text.trim();
  const reason =
    key === ""
      ? "is empty"
      : !key.startsWith("hb_")
        ? "does not begin with hb_"
        : /^[\x21-\x7e]{4,200}$/.test(key)
          ? undefined
          : "has a blank or a strange character in it, or is too long";
  if (reason === undefined) return key;
  throw new CommandError(`${source} ${reason}: this is no key.`, {
    exitCode: exitCodes.usage,
    code: "key_malformed",
    fix: howToMakeAKey,
  });
}

/** Leaves no key in a text, wherever it came from. */
export const withoutKeys = (text: string) => text.replace(/\bhb_[0-9A-Za-z]+_[0-9A-Za-z]{8,}/g, "hb_…");
