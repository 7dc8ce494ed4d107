import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";

/** Where a service is, as the client needs it. */
export interface Address {
  readonly url: string;
  /** What a person should know about it. */
  readonly warning: string | undefined;
}

const wrong = (reason: string) =>
  new CommandError(`This is no address of a service: ${reason}.`, {
    exitCode: exitCodes.usage,
    code: "address_wrong",
    fix: "Give it like https://hearback.example.com",
  });

/** Takes an address as people write them: without a scheme it is https, on this machine http. */
export function readAddress(typed: string): Address {
  const text = typed.trim();
  if (text === "") throw wrong("it is empty");
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text
    : `${isLoopback(hostOf(text)) ? "http" : "https"}://${text}`;
  const url = URL.parse(withScheme);
  if (!url) throw wrong(`"${text}" cannot be read`);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw wrong(`${url.protocol} is neither https nor http`);
  // It would end in files, messages and logs.
  if (url.username || url.password) throw wrong("it has a name or a password in it, and needs none");
  if (url.search || url.hash) throw wrong(`"${url.search}${url.hash}" does not belong to it`);
  const open = url.protocol === "http:" && !isLoopback(url.hostname);
  return {
    url: `${url.origin}${url.pathname.replace(/\/+$/, "")}`,
    warning: open
      ? `${url.origin} is not encrypted: the key and the recordings can be read on the way. Use https.`
      : undefined,
  };
}

const hostOf = (text: string) => URL.parse(`http://${text}`)?.hostname ?? "";

export const isLoopback = (host: string) => /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(host);
