import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";

/** The base URL of a service. */
export interface Address {
  readonly url: string;
  /** A warning to show to the user. */
  readonly warning: string | undefined;
}

const wrong = (reason: string) =>
  new CommandError(`Invalid service URL: ${reason}.`, {
    exitCode: exitCodes.usage,
    code: "address_wrong",
    fix: "Use a URL such as https://hearback.example.com",
  });

/** Parses a service URL. The default scheme is https, or http for a loopback address. */
export function parseAddress(typed: string): Address {
  const text = typed.trim();
  if (text === "") throw wrong("it is empty");
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text
    : `${isLoopback(hostOf(text)) ? "http" : "https"}://${text}`;
  const url = URL.parse(withScheme);
  if (!url) throw wrong(`"${text}" is not a valid URL`);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw wrong(`the scheme must be https or http, not ${url.protocol}`);
  // Credentials would leak into files, messages and logs.
  if (url.username || url.password) throw wrong("it contains a user name or password");
  if (url.search || url.hash) throw wrong(`remove "${url.search}${url.hash}"`);
  const open = url.protocol === "http:" && !isLoopback(url.hostname);
  return {
    url: `${url.origin}${url.pathname.replace(/\/+$/, "")}`,
    warning: open
      ? `${url.origin} is not encrypted: others on the network can read the API key and the recordings. Use https.`
      : undefined,
  };
}

const hostOf = (text: string) => URL.parse(`http://${text}`)?.hostname ?? "";

export const isLoopback = (host: string) => /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(host);
