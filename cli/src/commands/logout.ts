import type { Command } from "commander";
import { defaultProfile } from "../connection/connect.ts";
import { loginFile, readLogins, saveLogin } from "../connection/login-file.ts";
import { type Context, globalOptions } from "./context.ts";
import { withExamples } from "./program.ts";

export function logoutCommand(program: Command, context: Context): void {
  const command = program
    .command("logout")
    .summary("forget a login")
    .description("Forgets a login. The key stays valid: revoke it if nobody needs it any more.")
    .action((_options: object, self: Command) => logout(context, self));
  withExamples(
    command,
    ["hearback logout", "forgets the login"],
    ["hearback logout --profile test", "forgets the login that was saved as test"],
  );
}

async function logout(context: Context, command: Command): Promise<void> {
  const { profile = defaultProfile, json } = globalOptions(command);
  const file = loginFile(context.env);
  const known = Object.hasOwn(await readLogins(file), profile);
  if (known) await saveLogin(file, profile, undefined);
  if (json) return context.print(JSON.stringify({ profile, forgotten: known }));
  context.print(known ? `Forgotten: the login "${profile}".` : `There was no login "${profile}".`);
}
