import { realpath, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { ImportStopped } from "../import/import-stopped.ts";
import { takeLock } from "../import/journal-lock.ts";
import { openPace } from "../import/pace.ts";
import { ManifestError } from "../manifest/finding-codes.ts";
import { loadMapping } from "../manifest/load-mapping.ts";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { harmless } from "../terminal/text-width.ts";
import type { Done } from "../watch/finish.ts";
import type { Plan } from "../watch/import-pass.ts";
import { openPlan } from "../watch/read-plan.ts";
import { tellEvent, type WatchEvent } from "../watch/watch-event.ts";
import { watchFolder } from "../watch/watch-folder.ts";
import { type Context, globalOptions } from "./context.ts";
import { withExamples } from "./program.ts";

interface WatchCommandOptions {
  readonly recipe?: string;
  readonly mapping?: string;
  readonly map: string[];
  readonly pattern?: string;
  readonly sidecar?: string;
  readonly campaign?: string;
  readonly timeFormat?: string;
  readonly timeZone?: string;
  readonly ambiguous?: "earlier" | "later";
  readonly agents?: string;
  readonly createAgents?: boolean;
  readonly settle: number;
  readonly every: number;
  readonly done: Done;
  readonly failed?: string;
  readonly status?: string;
  readonly atOnce: number;
  readonly once?: boolean;
}

export function watchCommand(program: Command, context: Context): void {
  const command = program
    .command("watch")
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
    .option("--at-once <number>", "how many are sent at once at most", count, 4)
    .option("--once", "import what is there and end, for cron")
    .action((folder: string, options: WatchCommandOptions, self: Command) => watch(context, self, folder, options));
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

async function watch(context: Context, command: Command, folder: string, options: WatchCommandOptions): Promise<void> {
  const { signal } = context;
  const { json } = globalOptions(command);
  const root = await findFolder(folder);
  const done: Done = options.done.how === "move" ? { how: "move", folder: resolve(options.done.folder) } : options.done;
  const moved = done.how === "move" ? done.folder : undefined;
  const failedFolder = options.failed === undefined ? undefined : resolve(options.failed);
  if (moved === root || failedFolder === root)
    throw new CommandError("What is done, or failed, cannot be moved into the folder that is watched.", {
      exitCode: exitCodes.usage,
      code: "folder_same",
      fix: "Name another folder; it may lie in that one.",
    });
  const plan = await readOptions(options).catch(wrongUsage);
  // The pace repeats for all requests together; while it is out of reach the service is waited for, however long.
  const { client, url } = await context.connect(command, { retries: { attempts: 1 } });
  const pace = openPace({ most: options.atOnce, patienceMs: Number.POSITIVE_INFINITY });
  const tell = (event: WatchEvent) => context.print(json ? JSON.stringify(event) : harmless(tellEvent(event)));
  const unlock = await lock(root);
  try {
    tell({ event: "started", detail: `watching ${root} for ${url}` });
    const status = await watchFolder({
      root,
      except: new Set([moved, failedFolder].flatMap((path) => (path === undefined ? [] : [relative(root, path)]))),
      client,
      pace,
      plan,
      done,
      failedFolder,
      sidecar: options.sidecar,
      settleMs: options.settle * 1000,
      everyMs: options.every * 1000,
      once: options.once === true,
      createAgents: options.createAgents === true,
      statusFile: options.status === undefined ? undefined : resolve(options.status),
      tell,
      signal,
    });
    const { imported, present, failed, waiting } = status;
    tell({
      event: "ended",
      detail: `${imported} imported, ${present} there before, ${failed} failed, ${waiting} waiting`,
    });
    if (options.once && failed > 0) context.endWith(exitCodes.someFailed);
  } catch (error) {
    if (!(error instanceof ImportStopped)) throw error;
    throw new CommandError(error.message, { exitCode: error.exitCode, code: "stopped" }, { cause: error });
  } finally {
    await unlock();
  }
}

async function readOptions(options: WatchCommandOptions): Promise<Plan> {
  if ([options.pattern, options.sidecar, options.recipe, options.mapping].every((said) => said === undefined))
    throw new CommandError("Nothing says who spoke in a recording, and when.", {
      exitCode: exitCodes.usage,
      code: "pattern_missing",
      fix: "Say what the names of the files mean (--pattern), or that a JSON file lies beside each (--sidecar '{name}.json').",
    });
  const { recipe, mapping: mappingFile, map: maps, pattern, campaign, timeFormat, timeZone, ambiguous } = options;
  const mapping = await loadMapping({ recipe, mappingFile, maps });
  const hasSidecar = options.sidecar !== undefined;
  const agentsFile = options.agents;
  return openPlan({ mapping, pattern, hasSidecar, agentsFile, campaign, timeFormat, timeZone, ambiguous });
}

async function findFolder(folder: string): Promise<string> {
  const root = await realpath(folder).catch(() => undefined);
  if (root !== undefined && (await stat(root)).isDirectory()) return root;
  throw new CommandError(`There is no folder ${folder}.`, {
    exitCode: exitCodes.usage,
    code: "folder_missing",
    fix: "Name the folder into which the telephone system writes.",
  });
}

function wrongUsage(error: unknown): never {
  if (!(error instanceof ManifestError)) throw error;
  const [first] = error.findings;
  throw new CommandError(error.findings.map(({ detail }) => detail).join("\n"), {
    exitCode: exitCodes.usage,
    code: first?.code ?? "usage",
    fix: first?.fix,
  });
}

/** Two watchers of one folder would do no harm to the calls, but to each other's files. */
async function lock(root: string): Promise<() => Promise<void>> {
  const file = join(root, ".hearback-watch.lock");
  try {
    return await takeLock(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const usage = { exitCode: exitCodes.usage } as const;
    if (error instanceof ImportStopped)
      throw new CommandError(`Another watcher is at work in ${root}.`, {
        ...usage,
        code: "folder_locked",
        fix: `Stop it first; if there is none on this machine, delete ${file}.`,
      });
    if (code === "EACCES" || code === "EROFS" || code === "EPERM")
      throw new CommandError(`Nothing can be written into ${root} (${code}).`, {
        ...usage,
        code: "folder_not_writable",
        fix: "Give this user the right to write there: a lock, and notes beside the recordings, are kept in it.",
      });
    throw error;
  }
}

const collect = (value: string, all: readonly string[]) => [...all, value];

function seconds(text: string): number {
  const value = Number(text);
  if (!(value >= 0.1 && value <= 86_400)) throw new InvalidArgumentError("It must be a number of seconds.");
  return value;
}

function count(text: string): number {
  const value = Number(text);
  if (!(Number.isInteger(value) && value >= 1 && value <= 64)) throw new InvalidArgumentError("It must be 1 to 64.");
  return value;
}

function parseDone(text: string): Done {
  if (text === "mark" || text === "delete" || text === "leave") return { how: text };
  if (text.startsWith("move:") && text.length > "move:".length) return { how: "move", folder: text.slice(5) };
  throw new InvalidArgumentError("It must be mark, move:FOLDER, delete or leave.");
}
