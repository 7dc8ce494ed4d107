import type { Command } from "commander";
import { beginEventEpoch } from "../events/begin-event-epoch.ts";
import { print } from "./support/output.ts";
import type { WithApp } from "./support/with-app.ts";

export function eventCommands(program: Command, withApp: WithApp): void {
  const events = program.command("events").description("manage the order of events");

  events
    .command("new-epoch")
    .description("start a new event epoch, after a restore that the database cannot detect")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nNew events sort after all existing ones. Required after restoring a virtual machine with its memory. Recovery, failover\nand restarts are detected automatically.",
    )
    .action(({ json }: { json?: boolean }) =>
      withApp(async (app) => {
        const epoch = await beginEventEpoch(app);
        print({ epoch }, `Started event epoch ${epoch}. Readers and webhooks continue where they were.`, json);
      }),
    );
}
