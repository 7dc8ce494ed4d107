import { type Client, type ClientOptions, createClient } from "@hearback/sdk";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import type { Environment } from "../terminal/style.ts";
import { type Address, readAddress } from "./address.ts";
import { readApiKey } from "./api-key.ts";
import { type Login, loginFile, readLogins } from "./login-file.ts";

/** Where the service is and who is asking. */
export interface Account extends Address {
  readonly apiKey: string;
  /** How it was found, for a person. */
  readonly source: string;
}

export interface Connection {
  readonly client: Client;
  readonly url: string;
  readonly apiKey: string;
}

export const defaultProfile = "default";

/** A profile that is named wins, then the environment, then the login that was saved. */
export async function findAccount(env: Environment, profile: string | undefined): Promise<Account> {
  const { HEARBACK_URL: url, HEARBACK_API_KEY: apiKey } = env;
  if (profile === undefined && (url || apiKey)) {
    if (url && apiKey) {
      const source = "HEARBACK_URL and HEARBACK_API_KEY";
      return { ...readAddress(url), apiKey: readApiKey(apiKey, "HEARBACK_API_KEY"), source };
    }
    // Half of each would send the key of one service to another.
    const [set, missing] = url ? ["HEARBACK_URL", "HEARBACK_API_KEY"] : ["HEARBACK_API_KEY", "HEARBACK_URL"];
    throw new CommandError(`${set} is set and ${missing} is not.`, {
      exitCode: exitCodes.usage,
      code: "settings_incomplete",
      fix: `Set both; or unset ${set} and use the saved login.`,
    });
  }
  return savedAccount(loginFile(env), profile);
}

async function savedAccount(file: string, profile: string | undefined): Promise<Account> {
  const logins = await readLogins(file);
  const name = profile ?? defaultProfile;
  const login: Login | undefined = Object.hasOwn(logins, name) ? logins[name] : undefined;
  if (login) {
    const source = `${file}${name === defaultProfile ? "" : `, profile "${name}"`}`;
    return { ...readAddress(login.url), apiKey: readApiKey(login.apiKey, `The key in ${file}`), source };
  }
  const others = Object.keys(logins);
  if (others.length > 0) {
    throw new CommandError(`There is no profile "${name}".`, {
      exitCode: exitCodes.usage,
      code: "profile_unknown",
      fix: `There ${others.length === 1 ? "is" : "are"}: ${others.join(", ")} (--profile NAME). To make another: hearback login --profile ${name}`,
    });
  }
  throw new CommandError("You are not logged in.", {
    exitCode: exitCodes.usage,
    code: "not_logged_in",
    fix: "Run: hearback login    (or set HEARBACK_URL and HEARBACK_API_KEY)",
  });
}

/** For somebody at a keyboard: a short while of retries, then the truth. */
const shortPatience = { attempts: 3, firstPauseMs: 300 };

export function openConnection(
  { url, apiKey }: Pick<Account, "url" | "apiKey">,
  options: Partial<ClientOptions> = {},
): Connection {
  return { url, apiKey, client: createClient({ baseUrl: url, apiKey, retries: shortPatience, ...options }) };
}
