import { type Command, Option } from "commander";
import type { Context } from "./context.ts";
import { withManifestOptions } from "./manifest-options.ts";
import { withExamples } from "./program.ts";
import type { ReconcileOptions } from "./run-reconcile.ts";

export function reconcileCommand(program: Command, context: Context): void {
  const command = withManifestOptions(
    program
      .command("reconcile")
      .summary("compare a manifest with the service")
      .description(
        "Compare every row of a manifest with the service without changing anything. Exits with 0 if the service has every " +
          "row, otherwise with 5. Prints each difference with its line.",
      ),
  )
    // Accepted and ignored, so that the arguments of an import can be reused.
    .addOption(new Option("--create-agents").hideHelp())
    .addOption(new Option("--skip-invalid").hideHelp())
    .addOption(new Option("-y, --yes").hideHelp())
    .addOption(new Option("--concurrency <n>").hideHelp())
    .addOption(new Option("--max-wait <minutes>").hideHelp())
    .option("--rehash", "hash every recording again instead of using the digests stored by the import")
    .action(async (path: string | undefined, options: ReconcileOptions, self: Command) => {
      const { runReconcile } = await import("./run-reconcile.ts");
      await runReconcile(context, self, path, options);
    });
  withExamples(
    command,
    [
      "hearback reconcile calls.csv --recordings /srv/recordings --campaign support-fr",
      "check that the service has every row of the manifest",
    ],
    [
      "hearback reconcile calls.csv --recordings /srv/recordings --campaign support-fr --json",
      "print the result as JSON",
    ],
  );
}
