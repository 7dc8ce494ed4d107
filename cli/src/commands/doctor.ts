import { cwd, version as nodeVersion } from "node:process";
import type { Command } from "commander";
import type { Check } from "../connection/check.ts";
import { checkNode, checkRecordings, checkWritable } from "../connection/check-machine.ts";
import { checkKey, checkReadiness } from "../connection/check-service.ts";
import { type Account, findAccount, openConnection } from "../connection/connect.ts";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { marks } from "../terminal/style.ts";
import { harmless } from "../terminal/text-width.ts";
import { counted } from "../terminal/units.ts";
import { type Context, globalOptions } from "./context.ts";
import { withExamples } from "./program.ts";

interface DoctorOptions {
  readonly campaign?: string;
  readonly recordings?: string;
}

export function doctorCommand(program: Command, context: Context): void {
  const command = program
    .command("doctor")
    .summary("look whether an import can work, and say what to do")
    .description(
      "Looks whether an import can work: settings, network, service, key, clock, limits; and says what to do.",
    )
    .option("--campaign <id>", "also look whether this campaign takes calls")
    .option("--recordings <folder>", "also look whether this folder can be read")
    .action((options: DoctorOptions, self: Command) => doctor(context, self, options));
  withExamples(
    command,
    ["hearback doctor", "looks at everything that an import needs"],
    ["hearback doctor --campaign support-fr --recordings /var/spool/recordings", "before the first import"],
    ["hearback doctor --json | jq '.checks[] | select(.state != \"good\")'", "for a program"],
  );
}

async function doctor(context: Context, command: Command, options: DoctorOptions): Promise<void> {
  const { style, signal } = context;
  const { json, profile } = globalOptions(command);
  const signs = { good: marks(style).good, warning: marks(style).warning, bad: marks(style).bad };
  const checks: Check[] = [];
  for await (const check of everything(context, profile, options)) {
    signal.throwIfAborted();
    checks.push(check);
    if (json) continue;
    context.print(`${signs[check.state]} ${style.bold(check.name)}: ${harmless(check.detail)}`);
    if (check.fix !== undefined) context.print(style.dim(`    ${harmless(check.fix)}`));
  }
  const bad = checks.filter(({ state }) => state === "bad").length;
  if (bad > 0) context.endWith(exitCodes.someFailed);
  if (json) {
    return context.print(
      JSON.stringify({ ok: bad === 0, checks: checks.map((check) => ({ ...check, fix: check.fix ?? null })) }),
    );
  }
  context.print("");
  context.print(
    bad === 0 ? style.green("Everything an import needs is there.") : style.red(`${counted(bad, "thing")} to mend.`),
  );
}

async function* everything(
  context: Context,
  profile: string | undefined,
  { campaign, recordings }: DoctorOptions,
): AsyncGenerator<Check, void, undefined> {
  yield checkNode(nodeVersion);
  yield* checkTheService(context, profile, campaign);
  if (recordings === undefined) return;
  yield* checkRecordings(recordings);
  yield await checkWritable(cwd());
}

async function* checkTheService(
  { env, signal }: Context,
  profile: string | undefined,
  campaign: string | undefined,
): AsyncGenerator<Check, void, undefined> {
  const found = await settings(() => findAccount(env, profile));
  yield found.check;
  if (!found.account) return;
  const { url } = found.account;
  // Loaded by whom needs it: it takes all of TLS along.
  const { checkNetwork } = await import("../connection/check-network.ts");
  if (yield* untilBad(checkNetwork(url))) return;
  if (yield* untilBad(checkReadiness(url, signal))) return;
  const { client } = openConnection(found.account, { retries: { attempts: 2 }, timeoutMs: 10_000 });
  yield* checkKey(client, campaign, signal);
}

async function settings(find: () => Promise<Account>): Promise<{ check: Check; account?: Account }> {
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

/** Passes checks on and tells whether one was bad: what comes after would only fail for the same reason. */
async function* untilBad(checks: AsyncIterable<Check>): AsyncGenerator<Check, boolean, undefined> {
  let bad = false;
  for await (const check of checks) {
    yield check;
    bad ||= check.state === "bad";
  }
  return bad;
}
