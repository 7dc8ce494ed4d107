import { stderr } from "node:process";
import type { Command } from "commander";
import { createSetupLink } from "../access/links/create-setup-link.ts";
import { newEncryptionKey } from "../platform/secret-box.ts";
import { todaysKeyId } from "./secrets.ts";
import { print } from "./support/output.ts";
import type { WithApp } from "./support/with-app.ts";

/** Suggests a key without storing it: the database must not contain it. */
const keyAdvice = () =>
  `Secrets are stored in plain text. Add this line to the settings of every process, and keep a copy apart from the database\nbackups (docs/operations/settings.md):\n\nENCRYPTION_KEYS=${newEncryptionKey(todaysKeyId())}`;

export function setupCommand(program: Command, withApp: WithApp): void {
  program
    .command("setup")
    .description("print a link to the page that creates a workspace and its first administrator")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nThe link works once, for one hour, and starts with PUBLIC_URL. Run the command again for another link; sessions and other\nworkspaces are not affected. Without a browser, use `workspace create`, `user create --role admin` and\n`user set-password`.",
    )
    .action(({ json }: { json?: boolean }) =>
      withApp(async (app) => {
        const { url, expiresAt } = await createSetupLink(app);
        const until = expiresAt.toISOString();
        const message = `Open this link in a browser before ${until}. It works once:\n\n${url}\n\nAnyone with this link can become an administrator. Do not share it.`;
        if (!app.secretBox.encrypts) stderr.write(`${keyAdvice()}\n\n`);
        print({ link: url, expires_at: until }, message, json);
      }),
    );
}
