import { ServiceError } from "@hearback/sdk";
import { type Command, Option } from "commander";
import { parseAddress } from "../connection/address.ts";
import { createKeyHint, parseApiKey } from "../connection/api-key.ts";
import { defaultProfile, openConnection } from "../connection/connect.ts";
import { loginFile, readLogins, saveLogin } from "../connection/login-file.ts";
import { describeCampaigns, describeScopes, type KeyPermissions, probeKey } from "../connection/probe-key.ts";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { isInteractive, type PromptStreams, promptSecret, promptText } from "../terminal/prompt.ts";
import { marks } from "../terminal/style.ts";
import { sanitize } from "../terminal/text-width.ts";
import { type Context, globalOptions } from "./context.ts";
import { withExamples } from "./program.ts";

interface LoginOptions {
  readonly url?: string;
  readonly force?: boolean;
}

export function loginCommand(program: Command, context: Context): void {
  const command = program
    .command("login")
    .summary("save the service URL and an API key")
    .description("Verify the service URL and an API key, then save them in a file that only you can read.")
    .addOption(new Option("--url <address>", "service URL; prompts if omitted"))
    .option("--force", "save even if the service is unreachable")
    .action((options: LoginOptions, self: Command) => login(context, self, options));
  withExamples(
    command,
    ["hearback login", "prompt for the URL and the API key; the key is not echoed"],
    ["hearback login --url hearback.example.com < key.txt", "in a script, with the API key on standard input"],
    ["hearback login --profile test --url 127.0.0.1:8080", "save a second login; use it with --profile test"],
  );
}

async function login(context: Context, command: Command, options: LoginOptions): Promise<void> {
  const { env, errorStyle: style } = context;
  const { profile = defaultProfile, json } = globalOptions(command);
  const { url, apiKey } = await readCredentials(context, command, options);
  const permissions = await verifyCredentials(context, { url, apiKey }, options.force === true);
  const file = loginFile(env);
  await saveLogin(file, profile, { url, apiKey });
  if (json) {
    const { scopes, campaigns } = permissions ?? { scopes: null, campaigns: null };
    return context.print(JSON.stringify({ url, profile, file, tried: permissions !== undefined, scopes, campaigns }));
  }
  const { good, warning } = marks(context.style);
  context.print(`${permissions ? good : warning} ${permissions ? "Logged in" : "Saved without verification"}: ${url}`);
  if (permissions) {
    context.print(`  This key ${describeScopes(permissions)}.`);
    context.print(`  Campaigns: ${sanitize(describeCampaigns(permissions))}`);
  }
  context.print(context.style.dim(`  Saved in ${file}${profile === defaultProfile ? "" : ` as "${profile}"`}`));
  if (env.HEARBACK_URL || env.HEARBACK_API_KEY) {
    context.note(command, `${marks(style).warning} HEARBACK_URL or HEARBACK_API_KEY is set and overrides this login.`);
  }
}

async function readCredentials(
  context: Context,
  command: Command,
  options: LoginOptions,
): Promise<{ url: string; apiKey: string }> {
  const streams: PromptStreams = { input: context.stdin, output: context.stderr, signal: context.signal };
  const person = isInteractive(streams);
  if (!person && options.url === undefined) {
    throw new CommandError("Cannot prompt for the service URL: not a terminal.", {
      exitCode: exitCodes.usage,
      code: "address_missing",
      fix: "Pass the URL with --url and the API key on standard input: hearback login --url hearback.example.com < key.txt",
    });
  }
  const { url, warning } = parseAddress(options.url ?? (await promptForUrl(context, command, streams)));
  if (warning) context.note(command, `${marks(context.errorStyle).warning} ${warning}`);
  const typed = person ? await promptSecret(streams, "API key (hidden): ") : await firstLine(context.stdin);
  return { url, apiKey: parseApiKey(typed, person ? "Your input" : "Standard input") };
}

/** Offers the saved URL as the default: a second login is usually a new key for the same service. */
async function promptForUrl({ env }: Context, command: Command, streams: PromptStreams): Promise<string> {
  const { profile = defaultProfile } = globalOptions(command);
  const before = (await readLogins(loginFile(env)))[profile]?.url;
  const answer = await promptText(streams, `Service URL${before ? ` [${before}]` : ""}: `);
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

/** Returns the key's permissions; undefined if the service is unreachable and `force` is set. */
async function verifyCredentials(
  { signal }: Context,
  account: { url: string; apiKey: string },
  force: boolean,
): Promise<KeyPermissions | undefined> {
  const { client } = openConnection(account, { retries: { attempts: 1 }, timeoutMs: 10_000 });
  try {
    return await probeKey(client, signal);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.status === 401) {
      throw new CommandError(
        "The service rejected this API key: it is unknown, expired or revoked. Nothing was saved.",
        {
          exitCode: exitCodes.refused,
          code: error.code,
          fix: createKeyHint,
        },
      );
    }
    if (force) return undefined;
    throw new CommandError(`${error.message}${/[.?!]$/.test(error.message) ? "" : "."} Nothing was saved.`, {
      exitCode: exitCodes.unreachable,
      code: error.code,
      fix: "Check the URL. To save it anyway, add --force, then run hearback doctor.",
    });
  }
}
