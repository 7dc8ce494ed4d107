import { cwd, version as nodeVersion } from "node:process";
import type { Command } from "commander";
import type { Check } from "../connection/check.ts";
import { checkNode, checkRecordings, checkWritable } from "../connection/check-machine.ts";
import { checkKey, checkReadiness } from "../connection/check-service.ts";
import { type Account, findAccount, openConnection } from "../connection/connect.ts";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { marks } from "../terminal/style.ts";
import { sanitize } from "../terminal/text-width.ts";
import { pluralize } from "../terminal/units.ts";
import { type Context, globalOptions } from "./context.ts";
import { withExamples } from "./program.ts";

interface DoctorOptions {
  readonly campaign?: string;
  readonly recordings?: string;
}

export function doctorCommand(program: Command, context: Context): void {
  const command = program
    .command("doctor")
    .summary("find problems before an import")
    .description(
      "Check everything that an import needs: settings, network, service, API key, clock and limits. Prints a fix for each problem.",
    )
    .option("--campaign <id>", "also check that this campaign accepts calls")
    .option("--recordings <folder>", "also check that this folder is readable")
    .action((options: DoctorOptions, self: Command) => doctor(context, self, options));
  withExamples(
    command,
    ["hearback doctor", "check everything that an import needs"],
    ["hearback doctor --campaign support-fr --recordings /var/spool/recordings", "check before the first import"],
    ["hearback doctor --json | jq '.checks[] | select(.state != \"good\")'", "print only the problems, as JSON"],
  );
}

async function doctor(context: Context, command: Command, options: DoctorOptions): Promise<void> {
  const { style, signal } = context;
  const { json, profile } = globalOptions(command);
  const signs = { good: marks(style).good, warning: marks(style).warning, bad: marks(style).bad };
  const checks: Check[] = [];
  for await (const check of runChecks(context, profile, options)) {
    signal.throwIfAborted();
    checks.push(check);
    if (json) continue;
    context.print(`${signs[check.state]} ${style.bold(check.name)}: ${sanitize(check.detail)}`);
    if (check.fix !== undefined) context.print(style.dim(`    ${sanitize(check.fix)}`));
  }
  const bad = checks.filter(({ state }) => state === "bad").length;
  if (bad > 0) context.setExitCode(exitCodes.someFailed);
  if (json) {
    return context.print(
      JSON.stringify({ ok: bad === 0, checks: checks.map((check) => ({ ...check, fix: check.fix ?? null })) }),
    );
  }
  context.print("");
  context.print(bad === 0 ? style.green("Ready to import.") : style.red(`${pluralize(bad, "problem")} to fix.`));
}

async function* runChecks(
  context: Context,
  profile: string | undefined,
  { campaign, recordings }: DoctorOptions,
): AsyncGenerator<Check, void, undefined> {
  yield checkNode(nodeVersion);
  yield* checkConnection(context, profile, campaign);
  if (recordings === undefined) return;
  yield* checkRecordings(recordings);
  yield await checkWritable(cwd());
}

async function* checkConnection(
  { env, signal }: Context,
  profile: string | undefined,
  campaign: string | undefined,
): AsyncGenerator<Check, void, undefined> {
  const found = await checkSettings(() => findAccount(env, profile));
  yield found.check;
  if (!found.account) return;
  const { url } = found.account;
  // Lazy import: it loads node:tls.
  const { checkNetwork } = await import("../connection/check-network.ts");
  if (yield* yieldChecks(checkNetwork(url))) return;
  if (yield* yieldChecks(checkReadiness(url, signal))) return;
  const { client } = openConnection(found.account, { retries: { attempts: 2 }, timeoutMs: 10_000 });
  yield* checkKey(client, campaign, signal);
}

async function checkSettings(find: () => Promise<Account>): Promise<{ check: Check; account?: Account }> {
  const name = "settings";
  try {
    const account = await find();
    const { url, source, warning } = account;
    return {
      account,
      check: { name, state: warning ? "warning" : "good", detail: `${url} (from ${source})`, fix: warning },
    };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { check: { name, state: "bad", detail: error.message, fix: error.fix } };
  }
}

/** Yields the checks and returns whether one was bad. Later checks would fail for the same reason. */
async function* yieldChecks(checks: AsyncIterable<Check>): AsyncGenerator<Check, boolean, undefined> {
  let bad = false;
  for await (const check of checks) {
    yield check;
    bad ||= check.state === "bad";
  }
  return bad;
}
