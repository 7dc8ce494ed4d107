import { type Client, type ClientOptions, createClient } from "@hearback/sdk";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import type { Environment } from "../terminal/style.ts";
import { type Address, parseAddress } from "./address.ts";
import { parseApiKey } from "./api-key.ts";
import { type Login, loginFile, readLogins } from "./login-file.ts";

/** A service URL with the API key for it. */
export interface Account extends Address {
  readonly apiKey: string;
  /** Where the settings come from, for messages. */
  readonly source: string;
}

export interface Connection {
  readonly client: Client;
  readonly url: string;
  readonly apiKey: string;
}

export const defaultProfile = "default";

/** Precedence: --profile, then the environment, then the saved login. */
export async function findAccount(env: Environment, profile: string | undefined): Promise<Account> {
  const { HEARBACK_URL: url, HEARBACK_API_KEY: apiKey } = env;
  if (profile === undefined && (url || apiKey)) {
    if (url && apiKey) {
      const source = "HEARBACK_URL and HEARBACK_API_KEY";
      return { ...parseAddress(url), apiKey: parseApiKey(apiKey, "HEARBACK_API_KEY"), source };
    }
    // Combining them with a saved login could send the key to another service.
    const [set, missing] = url ? ["HEARBACK_URL", "HEARBACK_API_KEY"] : ["HEARBACK_API_KEY", "HEARBACK_URL"];
    throw new CommandError(`${set} is set, but ${missing} is not.`, {
      exitCode: exitCodes.usage,
      code: "settings_incomplete",
      fix: `Set both, or unset ${set} to use the saved login.`,
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
    return { ...parseAddress(login.url), apiKey: parseApiKey(login.apiKey, `The API key in ${file}`), source };
  }
  const others = Object.keys(logins);
  if (others.length > 0) {
    throw new CommandError(`No profile "${name}".`, {
      exitCode: exitCodes.usage,
      code: "profile_unknown",
      fix: `Saved profiles: ${others.join(", ")} (use --profile NAME). To create it, run: hearback login --profile ${name}`,
    });
  }
  throw new CommandError("You are not logged in.", {
    exitCode: exitCodes.usage,
    code: "not_logged_in",
    fix: "Run: hearback login    (or set HEARBACK_URL and HEARBACK_API_KEY)",
  });
}

/** Interactive use: retry briefly, then report the error. */
const interactiveRetries = { attempts: 3, initialBackoffMs: 300 };

export function openConnection(
  { url, apiKey }: Pick<Account, "url" | "apiKey">,
  options: Partial<ClientOptions> = {},
): Connection {
  return { url, apiKey, client: createClient({ baseUrl: url, apiKey, retries: interactiveRetries, ...options }) };
}
