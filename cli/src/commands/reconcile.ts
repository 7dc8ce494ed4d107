import { type Command, Option } from "commander";
import type { Context } from "./context.ts";
import { takesManifest } from "./manifest-options.ts";
import { withExamples } from "./program.ts";
import type { ReconcileOptions } from "./run-reconcile.ts";

export function reconcileCommand(program: Command, context: Context): void {
  const command = takesManifest(
    program
      .command("reconcile")
      .summary("compare a manifest with the service")
      .description(
        "Compares every row of a manifest with the service, and changes nothing. Ends with 0 if every row is there, " +
          "with 5 if not; each difference is named with its line.",
      ),
  )
    // So that the line of an import can be used: they mean nothing here.
    .addOption(new Option("--create-agents").hideHelp())
    .addOption(new Option("--skip-wrong").hideHelp())
    .addOption(new Option("-y, --yes").hideHelp())
    .addOption(new Option("--at-once <n>").hideHelp())
    .addOption(new Option("--patience <minutes>").hideHelp())
    .option("--hash-again", "read every recording, also those whose digest was noted when they were imported")
    .action(async (path: string | undefined, options: ReconcileOptions, self: Command) => {
      const { runReconcile } = await import("./run-reconcile.ts");
      await runReconcile(context, self, path, options);
    });
  withExamples(
    command,
    [
      "hearback reconcile calls.csv --recordings /srv/recordings --campaign support-fr",
      "whether every row of the manifest is on the service",
    ],
    ["hearback reconcile calls.csv --recordings /srv/recordings --campaign support-fr --json", "for a program"],
  );
}
