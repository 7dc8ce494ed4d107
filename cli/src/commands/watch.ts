import { type Command, InvalidArgumentError, Option } from "commander";
import type { Done } from "../watch/finish.ts";
import type { Context } from "./context.ts";
import { parseCount } from "./manifest-options.ts";
import { withExamples } from "./program.ts";
import type { WatchCommandOptions } from "./run-watch.ts";

export function watchCommand(program: Command, context: Context): void {
  const command = program
    .command("watch")
    .summary("import recordings as they appear in a folder")
    .description("Import recordings as a phone system writes them to a folder, until stopped.")
    .argument("<folder>", "folder to watch, including its subfolders")
    .option("--pattern <pattern>", "file name pattern, such as '{agent_email}_{time:yyyyMMddHHmmss}.wav'")
    .option("--sidecar <name>", "JSON file next to each recording: '{name}.json' or '{file}.json'")
    .option("--recipe <name>", "built-in mapping for the sidecar or the file names")
    .option("--mapping <file>", "your own mapping file")
    .addOption(
      new Option("--map <field=column>", "map one field; repeat for several").argParser(collect).default([], "none"),
    )
    .option("--agents <file>", "CSV file with the columns agent, email, name")
    .option("--create-agents", "create agents that do not exist yet, with the names from --agents")
    .option("--campaign <id>", "campaign for all calls")
    .option("--time-zone <name>", "time zone for times without an offset, such as Europe/Paris")
    .option("--time-format <format>", "format of the times, such as yyyyMMddHHmmss")
    .addOption(
      new Option("--ambiguous <which>", "how to read times that occur twice when daylight saving time ends").choices([
        "earlier",
        "later",
      ]),
    )
    .option("--settle <seconds>", "a file is complete after this long without changes", seconds, 10)
    .option("--every <seconds>", "how often to scan the folder", seconds, 5)
    .addOption(
      new Option("--done <what>", "what to do with imported recordings: mark, move:FOLDER, delete or leave")
        .argParser(parseDone)
        .default({ how: "mark" }, "mark"),
    )
    .option("--failed <folder>", "move recordings that cannot be imported to this folder")
    .option("--status <file>", "write the watcher's status to this JSON file, for monitoring")
    .option("--concurrency <number>", "maximum concurrent uploads", parseCount(64), 4)
    .option("--once", "import the current recordings and exit, for cron")
    .action(async (folder: string, options: WatchCommandOptions, self: Command) => {
      // Lazy import: the other commands start faster.
      const { runWatch } = await import("./run-watch.ts");
      await runWatch(context, self, folder, options);
    });
  withExamples(
    command,
    [
      "hearback watch /srv/recordings --pattern '{agent_email}_{time:yyyyMMddHHmmss}_{client_phone}.wav' --time-zone Europe/Paris --campaign support-fr",
      "read agent, time and phone number from the file names",
    ],
    [
      "hearback watch /srv/recordings --sidecar '{name}.json' --mapping ours.json --agents agents.csv --done move:/srv/imported",
      "read them from a JSON file next to each recording",
    ],
    [
      "hearback watch /var/lib/3cxpbx/Instance1/Data/Recordings --recipe 3cx --agents agents.csv --time-zone Europe/Paris --campaign support-fr --once",
      "run once, from cron",
    ],
  );
}

const collect = (value: string, all: readonly string[]) => [...all, value];

function seconds(text: string): number {
  const value = Number(text);
  if (!(value >= 0.1 && value <= 86_400)) throw new InvalidArgumentError("Enter a number of seconds.");
  return value;
}

function parseDone(text: string): Done {
  if (text === "mark" || text === "delete" || text === "leave") return { how: text };
  if (text.startsWith("move:") && text.length > "move:".length) return { how: "move", folder: text.slice(5) };
  throw new InvalidArgumentError("Use mark, move:FOLDER, delete or leave.");
}
