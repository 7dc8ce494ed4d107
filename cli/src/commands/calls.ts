import { type Command, InvalidArgumentError, Option } from "commander";
import { withCallFilters } from "./call-filters.ts";
import { downloadCall } from "./calls-download.ts";
import { exportCalls } from "./calls-export.ts";
import { listCalls } from "./calls-list.ts";
import { showCall } from "./calls-show.ts";
import type { Context } from "./context.ts";
import { withExamples } from "./program.ts";

export function callsCommand(program: Command, context: Context): void {
  const calls = program
    .command("calls")
    .summary("find, show, download and export calls")
    .description("Finds, shows, downloads and exports calls. Needs a key with the scope read.");
  withExamples(
    calls,
    ["hearback calls list --campaign support-fr --from 2026-11-01T00:00:00+01:00", "what is there"],
    ["hearback calls show 019a8557-5400-8c9f-8d0e-0f6a3b1f2c4d", "everything about one call"],
    ["hearback calls download 019a8557-5400-8c9f-8d0e-0f6a3b1f2c4d", "to hear it"],
  );
  addList(calls, context);
  addShow(calls, context);
  addDownload(calls, context);
  addExport(calls, context);
}

function addList(calls: Command, context: Context): void {
  const command = withCallFilters(calls.command("list").summary("list calls, newest conversation first"))
    .description("Lists calls, newest conversation first.")
    .addOption(new Option("--limit <count>", "as many at most").argParser(readCount).default(50))
    .option("--all", "without a limit")
    .action((options, self: Command) => listCalls(context, self, options));
  withExamples(
    command,
    ["hearback calls list --status failed", "what could not be prepared"],
    ["hearback calls list --agent ann@example.com --min-duration 600", "Ann's calls of ten minutes and more"],
    ["hearback calls list --metadata client_phone=+33123456789", "all calls of this customer"],
    ["hearback calls list --campaign support-fr --all --json | jq -r .id", "the ids of a whole campaign"],
  );
}

function addShow(calls: Command, context: Context): void {
  const command = calls
    .command("show")
    .summary("show everything about a call")
    .description("Shows everything about a call.")
    .argument("<id>", "the call's id, from an import or from hearback calls list")
    .action((id: string, _options: object, self: Command) => showCall(context, self, id));
  withExamples(
    command,
    ["hearback calls show 019a8557-5400-8c9f-8d0e-0f6a3b1f2c4d", "for a person"],
    ["hearback calls show 019a8557-5400-8c9f-8d0e-0f6a3b1f2c4d --json | jq .audio", "for a program"],
  );
}

function addDownload(calls: Command, context: Context): void {
  const command = calls
    .command("download")
    .summary("download the sound of a call")
    .description("Downloads a call: the copy that every player plays, or the recording as it came.")
    .argument("<id>", "the call's id")
    .option("--original", "the recording as it came, byte by byte")
    .option("-o, --output <file>", "where to; - is standard output (default: the id, in this folder)")
    .option("--force", "write over a file that is there")
    .action((id: string, options, self: Command) => downloadCall(context, self, { id, ...options }));
  withExamples(
    command,
    ["hearback calls download 019a8557-5400-8c9f-8d0e-0f6a3b1f2c4d", "to 019a8557-….m4a"],
    ["hearback calls download 019a8557-5400-8c9f-8d0e-0f6a3b1f2c4d --original -o call.wav", "the recording as it came"],
  );
}

function addExport(calls: Command, context: Context): void {
  const command = withCallFilters(calls.command("export").summary("write the facts about all calls that are chosen"))
    .description("Exports the facts about all calls that are chosen, as CSV or JSON lines, however many there are.")
    .addOption(new Option("--format <format>", "how").choices(["csv", "jsonl"]).default("csv"))
    .option("-o, --output <file>", "where to (default: standard output)")
    .option("--force", "write over a file that is there")
    .action((options, self: Command) => exportCalls(context, self, options));
  withExamples(
    command,
    ["hearback calls export --campaign support-fr -o calls.csv", "a whole campaign for a spreadsheet"],
    ["hearback calls export --format jsonl --from 2026-11-01T00:00:00Z | gzip > calls.jsonl.gz", "for a program"],
  );
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number, 1 or more.");
}
