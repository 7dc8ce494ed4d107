import { type Command, InvalidArgumentError, Option } from "commander";
import { withCallFilters } from "./call-filters.ts";
import { downloadCall } from "./calls-download.ts";
import { exportCalls } from "./calls-export.ts";
import { listCalls } from "./calls-list.ts";
import { showCall } from "./calls-show.ts";
import { requestTranscript, showTranscript } from "./calls-transcript.ts";
import type { Context } from "./context.ts";
import { withExamples } from "./program.ts";

export function callsCommand(program: Command, context: Context): void {
  const calls = program
    .command("calls")
    .summary("search, show, download and export calls")
    .description("Search, show, download and export calls. Requires an API key with the read scope.");
  withExamples(
    calls,
    ["hearback calls list --campaign support-fr --from 2026-11-01T00:00:00+01:00", "list calls"],
    ["hearback calls show 019a8557-5400-8c9f-8d0e-0f6a3b1f2c4d", "show one call"],
    ["hearback calls download 019a8557-5400-8c9f-8d0e-0f6a3b1f2c4d", "download its audio"],
  );
  addList(calls, context);
  addShow(calls, context);
  addDownload(calls, context);
  addTranscript(calls, context);
  addTranscribe(calls, context);
  addExport(calls, context);
}

function addList(calls: Command, context: Context): void {
  const command = withCallFilters(calls.command("list").summary("list calls, newest conversation first"))
    .description("List calls, newest conversation first.")
    .addOption(new Option("--limit <count>", "maximum number of calls").argParser(parseLimit).default(50))
    .option("--all", "list all calls")
    .action((options, self: Command) => listCalls(context, self, options));
  withExamples(
    command,
    ["hearback calls list --status failed", "calls whose preparation failed"],
    ["hearback calls list --agent ann@example.com --min-duration 600", "Ann's calls of 10 minutes or more"],
    ["hearback calls list --said '\"cancel my contract\"' --said-by customer", "calls in which a customer said this"],
    ["hearback calls list --metadata client_phone=+33123456789", "all calls with this customer"],
    ["hearback calls list --campaign support-fr --all --json | jq -r .id", "the ids of all calls in a campaign"],
  );
}

function addShow(calls: Command, context: Context): void {
  const command = calls
    .command("show")
    .summary("show a call")
    .description("Show all details of a call.")
    .argument("<id>", "the call id, as printed by hearback calls list")
    .action((id: string, _options: object, self: Command) => showCall(context, self, id));
  withExamples(
    command,
    ["hearback calls show 019a8557-5400-8c9f-8d0e-0f6a3b1f2c4d", "as text"],
    ["hearback calls show 019a8557-5400-8c9f-8d0e-0f6a3b1f2c4d --json | jq .audio", "as JSON"],
  );
}

function addDownload(calls: Command, context: Context): void {
  const command = calls
    .command("download")
    .summary("download the audio of a call")
    .description("Download the audio of a call: the playback copy, or the original recording with --original.")
    .argument("<id>", "the call id")
    .option("--original", "the original recording, unchanged")
    .option(
      "-o, --output <file>",
      "output file; - for standard output (default: named after the id, in the current folder)",
    )
    .option("--force", "overwrite an existing file")
    .action((id: string, options, self: Command) => downloadCall(context, self, { id, ...options }));
  withExamples(
    command,
    ["hearback calls download 019a8557-5400-8c9f-8d0e-0f6a3b1f2c4d", "to 019a8557-….m4a"],
    ["hearback calls download 019a8557-5400-8c9f-8d0e-0f6a3b1f2c4d --original -o call.wav", "the original recording"],
  );
}

function addTranscript(calls: Command, context: Context): void {
  const command = calls
    .command("transcript")
    .summary("show what was said in a call")
    .description("Show what was said in a call: as text, as subtitles, or as JSON with the time of every word.")
    .argument("<id>", "the call id")
    .addOption(new Option("--format <format>", "output format (default: text)").choices(["json", "vtt", "text"]))
    .option("-o, --output <file>", "output file (default: standard output)")
    .option("--force", "overwrite an existing file")
    .action((id: string, options, self: Command) => showTranscript(context, self, { id, ...options }));
  withExamples(
    command,
    ["hearback calls transcript 019a8557-5400-8c9f-8d0e-0f6a3b1f2c4d", "as text"],
    ["hearback calls transcript 019a8557-5400-8c9f-8d0e-0f6a3b1f2c4d --format vtt -o call.vtt", "subtitles"],
  );
}

function addTranscribe(calls: Command, context: Context): void {
  const command = calls
    .command("transcribe")
    .summary("request the transcript of a call")
    .description(
      "Queue a call to be transcribed, again if it has a transcript. Requires an API key with the import or manage scope.",
    )
    .argument("<id>", "the call id")
    .action((id: string, _options: object, self: Command) => requestTranscript(context, self, id));
  withExamples(command, ["hearback calls transcribe 019a8557-5400-8c9f-8d0e-0f6a3b1f2c4d", "queue one call"]);
}

function addExport(calls: Command, context: Context): void {
  const command = withCallFilters(calls.command("export").summary("export call data as CSV or JSON lines"))
    .description("Export the data of all matching calls as CSV or JSON lines.")
    .addOption(new Option("--format <format>", "output format").choices(["csv", "jsonl"]).default("csv"))
    .option("--transcripts", "also what was said")
    .option("-o, --output <file>", "output file (default: standard output)")
    .option("--force", "overwrite an existing file")
    .action((options, self: Command) => exportCalls(context, self, options));
  withExamples(
    command,
    ["hearback calls export --campaign support-fr -o calls.csv", "a whole campaign, for a spreadsheet"],
    [
      "hearback calls export --format jsonl --from 2026-11-01T00:00:00Z | gzip > calls.jsonl.gz",
      "compressed JSON lines",
    ],
  );
}

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Enter a whole number, 1 or more.");
}
