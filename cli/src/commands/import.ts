import type { Command } from "commander";
import type { Context } from "./context.ts";
import type { ImportOptions } from "./import-run.ts";
import { countTo, takesManifest } from "./manifest-options.ts";
import { withExamples } from "./program.ts";

export function importCommand(program: Command, context: Context): void {
  const command = takesManifest(
    program
      .command("import")
      .summary("import the calls of a manifest, or of a folder")
      .description(
        "Imports calls. First it reads everything and says what it found; then it imports what is not there yet, and " +
          "compares every row with the service. It can be stopped or killed at any moment: run again, it continues.",
      ),
  )
    .option("--dry-run", "say what was found, and stop")
    .option("--create-agents", "create the agents that do not exist yet")
    .option("--skip-wrong", "import the rows that are right although others are wrong")
    .option("-y, --yes", "do not ask before importing")
    .option("--at-once <n>", "how many uploads at once, at most; fewer when the service asks for it", countTo(100), 16)
    .option("--patience <minutes>", "how long to wait for a service that is away", countTo(10_000), 60)
    .option("--no-proof", "do not compare every row with the service at the end")
    .action(async (path: string | undefined, options: ImportOptions, self: Command) => {
      // Loaded by whom needs it: the other commands start faster.
      const { runImport } = await import("./run-import.ts");
      await runImport(context, self, path, options);
    });
  withExamples(
    command,
    [
      "hearback import calls.csv --recordings /srv/recordings --campaign support-fr --time-zone Europe/Paris --dry-run",
      "what is in it, and what is wrong with it",
    ],
    [
      "hearback import calls.csv --recordings /srv/recordings --campaign support-fr --create-agents --yes",
      "imports it, and creates the agents; the same line continues after a stop",
    ],
    [
      "hearback import --recordings /srv/rec --pattern '{agent_email}_{time:yyyyMMddHHmmss}_{client_phone}.wav' --time-zone UTC --campaign sales",
      "without a manifest, by the names of the files",
    ],
    [
      "hearback import cdr.csv --recipe asterisk --agents agents.csv --recordings /var/spool/asterisk/monitor --time-zone Europe/Paris --campaign support-fr",
      "an export of Asterisk",
    ],
    [
      "hearback import calls.csv.hearback/failures.csv --recordings /srv/recordings --campaign support-fr",
      "the rows that failed, once they are mended",
    ],
  );
}
