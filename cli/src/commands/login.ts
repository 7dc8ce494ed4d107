import { ServiceError } from "@hearback/sdk";
import { type Command, Option } from "commander";
import { readAddress } from "../connection/address.ts";
import { howToMakeAKey, readApiKey } from "../connection/api-key.ts";
import { defaultProfile, openConnection } from "../connection/connect.ts";
import { loginFile, readLogins, saveLogin } from "../connection/login-file.ts";
import { type KeyPowers, probeKey, tellCampaigns, tellScopes } from "../connection/probe-key.ts";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { askSecret, askText, canAsk, type Dialogue } from "../terminal/question.ts";
import { marks } from "../terminal/style.ts";
import { harmless } from "../terminal/text-width.ts";
import { type Context, globalOptions } from "./context.ts";
import { withExamples } from "./program.ts";

interface LoginOptions {
  readonly url?: string;
  readonly force?: boolean;
}

export function loginCommand(program: Command, context: Context): void {
  const command = program
    .command("login")
    .summary("keep the service's address and a key")
    .description("Keeps the service's address and a key, after trying them, in a file that only you can read.")
    .addOption(new Option("--url <address>", "where the service is; asked for if absent"))
    .option("--force", "keep them even if the service cannot be reached now")
    .action((options: LoginOptions, self: Command) => login(context, self, options));
  withExamples(
    command,
    ["hearback login", "asks for the address and the key; the key is not shown while you type"],
    ["hearback login --url hearback.example.com < key.txt", "in a script: the key comes on standard input"],
    ["hearback login --profile test --url 127.0.0.1:8080", "a second login; use it with --profile test"],
  );
}

async function login(context: Context, command: Command, options: LoginOptions): Promise<void> {
  const { env, errorStyle: style } = context;
  const { profile = defaultProfile, json } = globalOptions(command);
  const { url, apiKey } = await askForBoth(context, command, options);
  const powers = await tryBoth(context, { url, apiKey }, options.force === true);
  const file = loginFile(env);
  await saveLogin(file, profile, { url, apiKey });
  if (json) {
    const { scopes, campaigns } = powers ?? { scopes: null, campaigns: null };
    return context.print(JSON.stringify({ url, profile, file, tried: powers !== undefined, scopes, campaigns }));
  }
  const { good, warning } = marks(context.style);
  context.print(`${powers ? good : warning} ${powers ? "Logged in" : "Saved without having tried it"}: ${url}`);
  if (powers) {
    context.print(`  This key ${tellScopes(powers)}.`);
    context.print(`  Campaigns: ${harmless(tellCampaigns(powers))}`);
  }
  context.print(context.style.dim(`  Kept in ${file}${profile === defaultProfile ? "" : ` as "${profile}"`}`));
  if (env.HEARBACK_URL || env.HEARBACK_API_KEY) {
    context.note(
      command,
      `${marks(style).warning} HEARBACK_URL or HEARBACK_API_KEY is set, and is used instead of this login.`,
    );
  }
}

async function askForBoth(
  context: Context,
  command: Command,
  options: LoginOptions,
): Promise<{ url: string; apiKey: string }> {
  const dialogue: Dialogue = { input: context.stdin, output: context.stderr, signal: context.signal };
  const person = canAsk(dialogue);
  if (!person && options.url === undefined) {
    throw new CommandError("There is nobody to ask for the address.", {
      exitCode: exitCodes.usage,
      code: "address_missing",
      fix: "Give the address with --url and the key on standard input: hearback login --url hearback.example.com < key.txt",
    });
  }
  const { url, warning } = readAddress(options.url ?? (await askForAddress(context, command, dialogue)));
  if (warning) context.note(command, `${marks(context.errorStyle).warning} ${warning}`);
  const typed = person ? await askSecret(dialogue, "Key (not shown): ") : await firstLine(context.stdin);
  return { url, apiKey: readApiKey(typed, person ? "What you typed" : "Standard input") };
}

/** Whoever logs in again has, most of the time, a new key for the same service. */
async function askForAddress({ env }: Context, command: Command, dialogue: Dialogue): Promise<string> {
  const { profile = defaultProfile } = globalOptions(command);
  const before = (await readLogins(loginFile(env)))[profile]?.url;
  const answer = await askText(dialogue, `Address of the service${before ? ` [${before}]` : ""}: `);
  return answer || (before ?? "");
}

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  let text = "";
  input.setEncoding("utf8");
  for await (const chunk of input) {
    text += chunk;
    if (text.trimStart().includes("\n") || text.length > 4096) break;
  }
  return text.trim().split(/\r?\n/, 1)[0] ?? "";
}

/** What the key may do; undefined: the service is away, and the user wants it saved nevertheless. */
async function tryBoth(
  { signal }: Context,
  account: { url: string; apiKey: string },
  force: boolean,
): Promise<KeyPowers | undefined> {
  const { client } = openConnection(account, { retries: { attempts: 1 }, timeoutMs: 10_000 });
  try {
    return await probeKey(client, signal);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.status === 401) {
      throw new CommandError("The service refuses this key: it is unknown, expired or revoked. Nothing was saved.", {
        exitCode: exitCodes.refused,
        code: error.code,
        fix: howToMakeAKey,
      });
    }
    if (force) return undefined;
    throw new CommandError(`${error.message}${/[.?!]$/.test(error.message) ? "" : "."} Nothing was saved.`, {
      exitCode: exitCodes.unreachable,
      code: error.code,
      fix: "Check the address; or keep it as it is with --force, then look closer with hearback doctor.",
    });
  }
}
