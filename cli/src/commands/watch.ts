import { type Command, InvalidArgumentError, Option } from "commander";
import type { Done } from "../watch/finish.ts";
import type { Context } from "./context.ts";
import { countTo } from "./manifest-options.ts";
import { withExamples } from "./program.ts";
import type { WatchCommandOptions } from "./run-watch.ts";

export function watchCommand(program: Command, context: Context): void {
  const command = program
    .command("watch")
    .summary("import what comes into a folder, as it comes")
    .description("Imports what a telephone system writes into a folder, as it comes, until it is stopped.")
    .argument("<folder>", "the folder of recordings; folders in it are watched, too")
    .option("--pattern <pattern>", "what the names of the files say, such as '{agent_email}_{time:yyyyMMddHHmmss}.wav'")
    .option("--sidecar <name>", "a JSON file beside each recording says it: '{name}.json' or '{file}.json'")
    .option("--recipe <name>", "a mapping that comes with the command, for the members of a sidecar or for the names")
    .option("--mapping <file>", "a mapping file of your own")
    .addOption(
      new Option("--map <field=column>", "one field of it; can be repeated").argParser(collect).default([], "none"),
    )
    .option("--agents <file>", "who the agents are: a CSV with the columns agent, email, name")
    .option("--create-agents", "create agents that do not exist yet, with the names of that file")
    .option("--campaign <id>", "the campaign of all calls")
    .option("--time-zone <name>", "the zone of times that do not say it, such as Europe/Paris")
    .option("--time-format <format>", "how times are written, such as yyyyMMddHHmmss")
    .addOption(new Option("--ambiguous <which>", "when clocks are put back").choices(["earlier", "later"]))
    .option("--settle <seconds>", "a file is complete when it has not changed for so long", seconds, 10)
    .option("--every <seconds>", "how often the folder is gone through", seconds, 5)
    .addOption(
      new Option("--done <what>", "mark, move:FOLDER, delete or leave what the service has")
        .argParser(parseDone)
        .default({ how: "mark" }, "mark"),
    )
    .option("--failed <folder>", "put what cannot be imported there, instead of a note beside it")
    .option("--status <file>", "write there how it goes, as JSON, for monitoring")
    .option("--at-once <number>", "how many are sent at once at most", countTo(64), 4)
    .option("--once", "import what is there and end, for cron")
    .action(async (folder: string, options: WatchCommandOptions, self: Command) => {
      // Loaded by whom needs it: the other commands start faster.
      const { runWatch } = await import("./run-watch.ts");
      await runWatch(context, self, folder, options);
    });
  withExamples(
    command,
    [
      "hearback watch /srv/recordings --pattern '{agent_email}_{time:yyyyMMddHHmmss}_{client_phone}.wav' --time-zone Europe/Paris --campaign support-fr",
      "the names of the files say everything",
    ],
    [
      "hearback watch /srv/recordings --sidecar '{name}.json' --mapping ours.json --agents agents.csv --done move:/srv/imported",
      "a JSON file beside each recording says it",
    ],
    [
      "hearback watch /var/lib/3cxpbx/Instance1/Data/Recordings --recipe 3cx --agents agents.csv --time-zone Europe/Paris --campaign support-fr --once",
      "once, from cron",
    ],
  );
}

const collect = (value: string, all: readonly string[]) => [...all, value];

function seconds(text: string): number {
  const value = Number(text);
  if (!(value >= 0.1 && value <= 86_400)) throw new InvalidArgumentError("It must be a number of seconds.");
  return value;
}

function parseDone(text: string): Done {
  if (text === "mark" || text === "delete" || text === "leave") return { how: text };
  if (text.startsWith("move:") && text.length > "move:".length) return { how: "move", folder: text.slice(5) };
  throw new InvalidArgumentError("It must be mark, move:FOLDER, delete or leave.");
}
