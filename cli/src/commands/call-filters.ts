import type { CallFilter, CallStatus } from "@hearback/sdk";
import { type Command, InvalidArgumentError, Option } from "commander";

export const several = (value: string, before: readonly string[] | undefined) => [...(before ?? []), value];

/** Adds the call filter options to a command. */
export function withCallFilters(command: Command): Command {
  return command
    .option("--campaign <id>", "in this campaign; repeat for several", several)
    .option("--agent <email or id>", "by this agent; repeat for several", several)
    .option("--from <time>", "conversation at or after this time, such as 2026-11-01T00:00:00+01:00", parseTime)
    .option("--to <time>", "conversation before this time", parseTime)
    .option("--imported-from <time>", "imported at or after this time", parseTime)
    .option("--imported-to <time>", "imported before this time", parseTime)
    .addOption(
      new Option("--status <status>", "with this status; repeat for several")
        .choices(["received", "ready", "failed"])
        .argParser((value, before: readonly CallStatus[] | undefined) => [...(before ?? []), parseStatus(value)]),
    )
    .option("--min-duration <seconds>", "at least this long", parseSeconds)
    .option("--max-duration <seconds>", "at most this long", parseSeconds)
    .option("--phone <number>", "with a phone number that ends with these digits, at least 4")
    .option("--said <words>", "in which one side said these words; in double quotes, a phrase")
    .addOption(
      new Option("--said-by <side>", "with --said: only words of this side").choices([
        "agent",
        "customer",
        "left",
        "right",
      ]),
    )
    .option(
      "--metadata <key=value>",
      "with this metadata; repeat to require several keys or to allow several values of one key",
      readMetadata,
    );
}

/** Picks the filter options out of all options of the command. */
export function pickFilters(options: CallFilter): CallFilter {
  const { campaign, agent, from, to, importedFrom, importedTo, status, minDuration, maxDuration, phone, metadata } =
    options;
  const { said, saidBy } = options;
  const columns = { campaign, agent, from, to, importedFrom, importedTo, status, minDuration, maxDuration };
  return { ...columns, phone, said, saidBy, metadata };
}

export function parseTime(text: string): Date {
  const unix = /^\d{1,12}$/.test(text);
  const isIso = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/.test(text);
  const at = new Date(unix ? Number(text) * 1000 : isIso ? text.toUpperCase().replace(" ", "T") : Number.NaN);
  if (!Number.isNaN(at.getTime())) return at;
  // Never guess the time zone.
  throw new InvalidArgumentError(
    "Include the time zone, such as 2026-11-15T08:00:00Z or 2026-11-15T09:00:00+01:00, or use Unix seconds.",
  );
}

function parseStatus(text: string): CallStatus {
  if (text === "received" || text === "ready" || text === "failed") return text;
  throw new InvalidArgumentError("Allowed choices are received, ready, failed.");
}

function parseSeconds(text: string): number {
  if (/^\d{1,7}(\.\d{1,3})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Enter a number of seconds, such as 90.");
}

type Metadata = Readonly<Record<string, readonly string[]>>;

function readMetadata(text: string, before: Metadata | undefined): Metadata {
  const cut = text.indexOf("=");
  if (cut < 1) throw new InvalidArgumentError("Use key=value, such as client_phone=+33123456789.");
  const key = text.slice(0, cut);
  const known = Object.entries(before ?? {});
  const values = known.find(([name]) => name === key)?.[1] ?? [];
  return Object.fromEntries([...known.filter(([name]) => name !== key), [key, [...values, text.slice(cut + 1)]]]);
}
