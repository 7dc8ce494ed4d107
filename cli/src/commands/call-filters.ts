import type { CallFilter, CallStatus } from "@hearback/sdk";
import { type Command, InvalidArgumentError, Option } from "commander";

const several = (value: string, before: readonly string[] | undefined) => [...(before ?? []), value];

/** The options of a command that chooses calls. */
export function withCallFilters(command: Command): Command {
  return command
    .option("--campaign <id>", "of this campaign; repeated: of any of them", several)
    .option("--agent <e-mail or id>", "of this agent; repeated: of any of them", several)
    .option("--from <time>", "conversations from this time on, such as 2026-11-01T00:00:00+01:00", readMoment)
    .option("--to <time>", "conversations before this time", readMoment)
    .option("--imported-from <time>", "imported from this time on", readMoment)
    .option("--imported-to <time>", "imported before this time", readMoment)
    .addOption(
      new Option("--status <status>", "repeated: any of them")
        .choices(["received", "ready", "failed"])
        .argParser((value, before: readonly CallStatus[] | undefined) => [...(before ?? []), readStatus(value)]),
    )
    .option("--min-duration <seconds>", "that last at least so long", readSeconds)
    .option("--max-duration <seconds>", "that last at most so long", readSeconds)
    .option("--metadata <key=value>", "with this entry; repeated: all keys, any value of a key", readMetadata);
}

/** What a person chose, without the other options of the command. */
export function chosenCalls(options: CallFilter): CallFilter {
  const { campaign, agent, from, to, importedFrom, importedTo, status, minDuration, maxDuration, metadata } = options;
  return { campaign, agent, from, to, importedFrom, importedTo, status, minDuration, maxDuration, metadata };
}

function readMoment(text: string): Date {
  const unix = /^\d{1,12}$/.test(text);
  const inWords = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/.test(text);
  const at = new Date(unix ? Number(text) * 1000 : inWords ? text.toUpperCase().replace(" ", "T") : Number.NaN);
  if (!Number.isNaN(at.getTime())) return at;
  // A zone is never guessed: an hour more or less is another call.
  throw new InvalidArgumentError(
    "Give the time with its zone, such as 2026-11-15T08:00:00Z or 2026-11-15T09:00:00+01:00, or as Unix seconds.",
  );
}

function readStatus(text: string): CallStatus {
  if (text === "received" || text === "ready" || text === "failed") return text;
  throw new InvalidArgumentError("Allowed choices are received, ready, failed.");
}

function readSeconds(text: string): number {
  if (/^\d{1,7}(\.\d{1,3})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a number of seconds, such as 90.");
}

type Metadata = Readonly<Record<string, readonly string[]>>;

function readMetadata(text: string, before: Metadata | undefined): Metadata {
  const cut = text.indexOf("=");
  if (cut < 1) throw new InvalidArgumentError("Give it as key=value, such as client_phone=+33123456789.");
  const key = text.slice(0, cut);
  const known = Object.entries(before ?? {});
  const values = known.find(([name]) => name === key)?.[1] ?? [];
  return Object.fromEntries([...known.filter(([name]) => name !== key), [key, [...values, text.slice(cut + 1)]]]);
}
