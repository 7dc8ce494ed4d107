import type { Command } from "commander";
import { makeSetupLink } from "../access/make-setup-link.ts";
import { print } from "./output.ts";
import type { WithApp } from "./with-app.ts";

export function setupCommand(program: Command, withApp: WithApp): void {
  program
    .command("setup")
    .description("print a link that leads to the page where a workspace and its first administrator are made")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nThe link works once, for an hour, and begins with PUBLIC_URL. Run it again for another; open sessions and other workspaces\nare not touched. Without a browser: `workspace create`, `user create --role admin`, `user set-password`.",
    )
    .action(({ json }: { json?: boolean }) =>
      withApp(async (app) => {
        const { url, expiresAt } = await makeSetupLink(app);
        const until = expiresAt.toISOString();
        const words = `Open this in a browser, once, before ${until}:\n\n${url}\n\nWhoever has it becomes an administrator: do not pass it on.`;
        print({ link: url, expires_at: until }, words, json);
      }),
    );
}
