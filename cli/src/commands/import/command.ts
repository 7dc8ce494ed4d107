import type { Command } from "commander";
import type { Context } from "../context.ts";
import { parseCount, withManifestOptions } from "../manifest-options.ts";
import { withExamples } from "../program.ts";
import type { ImportOptions } from "./state.ts";

export function importCommand(program: Command, context: Context): void {
  const command = withManifestOptions(
    program
      .command("import")
      .summary("import calls from a manifest or a folder")
      .description(
        "Import calls. First checks the whole manifest, then imports the calls that the service does not have, and finally " +
          "compares every row with the service. You can stop or kill it at any time; run it again to resume.",
      ),
  )
    .option("--dry-run", "check the manifest without importing")
    .option("--create-agents", "create agents that do not exist yet")
    .option("--skip-invalid", "import the valid rows even if others are invalid")
    .option("-y, --yes", "import without confirmation")
    .option(
      "--concurrency <n>",
      "maximum concurrent uploads; lowered automatically when the service asks for it",
      parseCount(100),
      16,
    )
    .option("--max-wait <minutes>", "how long to wait for an unreachable service", parseCount(10_000), 60)
    .option("--no-reconcile", "skip the final comparison with the service")
    .action(async (path: string | undefined, options: ImportOptions, self: Command) => {
      // Lazy import: the other commands start faster.
      const { runImport } = await import("./run.ts");
      await runImport(context, self, path, options);
    });
  withExamples(
    command,
    [
      "hearback import calls.csv --recordings /srv/recordings --campaign support-fr --time-zone Europe/Paris --dry-run",
      "check the manifest without importing",
    ],
    [
      "hearback import calls.csv --recordings /srv/recordings --campaign support-fr --create-agents --yes",
      "import, and create missing agents; run the same command again to resume",
    ],
    [
      "hearback import --recordings /srv/rec --pattern '{agent_email}_{time:yyyyMMddHHmmss}_{client_phone}.wav' --time-zone UTC --campaign sales",
      "import without a manifest, using the file names",
    ],
    [
      "hearback import cdr.csv --recipe asterisk --agents agents.csv --recordings /var/spool/asterisk/monitor --time-zone Europe/Paris --campaign support-fr",
      "import an Asterisk export",
    ],
    [
      "hearback import calls.csv.hearback/failures-20261115-080000-000.csv --recordings /srv/recordings --campaign support-fr",
      "import the failed rows after fixing them",
    ],
  );
}
