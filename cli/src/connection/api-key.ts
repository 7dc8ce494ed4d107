import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";

export const createKeyHint =
  "Create an API key in the console, or with `hearback-server key create` on the server. Then run `hearback login`.";

/** Validates an API key. Errors never quote the key. */
export function parseApiKey(text: string, source: string): string {
  const key = text.trim();
  const reason =
    key === ""
      ? "is empty"
      : !key.startsWith("hb_")
        ? "does not start with hb_"
        : /^[\x21-\x7e]{4,200}$/.test(key)
          ? undefined
          : "has an invalid character or is too long";
  if (reason === undefined) return key;
  throw new CommandError(`${source} ${reason}: this is not an API key.`, {
    exitCode: exitCodes.usage,
    code: "key_malformed",
    fix: createKeyHint,
  });
}

/** Replaces API keys in a text. */
export const redactKeys = (text: string) => text.replace(/\bhb_[0-9A-Za-z]+_[0-9A-Za-z]{8,}/g, "hb_…");
