import type { Command } from "commander";
import { defaultProfile } from "../connection/connect.ts";
import { loginFile, readLogins, saveLogin } from "../connection/login-file.ts";
import { type Context, globalOptions } from "./context.ts";
import { withExamples } from "./program.ts";

export function logoutCommand(program: Command, context: Context): void {
  const command = program
    .command("logout")
    .summary("remove a saved login")
    .description("Remove a saved login. The API key stays valid: revoke it if you no longer need it.")
    .action((_options: object, self: Command) => logout(context, self));
  withExamples(
    command,
    ["hearback logout", "remove the default login"],
    ["hearback logout --profile test", "remove the login saved as test"],
  );
}

async function logout(context: Context, command: Command): Promise<void> {
  const { profile = defaultProfile, json } = globalOptions(command);
  const file = loginFile(context.env);
  const known = Object.hasOwn(await readLogins(file), profile);
  if (known) await saveLogin(file, profile, undefined);
  if (json) return context.print(JSON.stringify({ profile, forgotten: known }));
  context.print(known ? `Removed the login "${profile}".` : `No login "${profile}".`);
}
