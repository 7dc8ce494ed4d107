import { callStatuses, exportFormats } from "@hearback/contract";
import { type Command, Option } from "commander";
import { unrestrictedViewer } from "../calls/call/find-call.ts";
import { exportCalls } from "../calls/search/export-calls.ts";
import { operator } from "../platform/actor.ts";
import { openTranscriptReader } from "../transcripts/read/read-for-export.ts";
import { writeOut } from "./support/output.ts";
import { parseId, parseTime, type WithApp } from "./support/with-app.ts";

interface ExportCommandOptions {
  readonly workspace: string;
  readonly format: "csv" | "jsonl";
  readonly campaign?: string[];
  readonly agent?: string[];
  readonly status?: (typeof callStatuses)[number][];
  readonly from?: Date;
  readonly to?: Date;
  readonly metadataColumns?: string[];
  readonly bom?: boolean;
  readonly transcripts?: boolean;
}

export function callExportCommand(call: Command, withApp: WithApp): void {
  call
    .command("export")
    .description("write the calls of a workspace to standard output, newest conversation first")
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .addOption(new Option("--format <format>", "csv or jsonl").choices(exportFormats).default("csv"))
    .option("--campaign <id...>", "only calls of these campaigns")
    .option("--agent <id...>", "only calls of these agents, by id or email address")
    .addOption(new Option("--status <status...>", "only calls with these statuses").choices(callStatuses))
    .option("--from <time>", "only conversations at or after this time, such as 2026-11-01T00:00:00Z", parseTime)
    .option("--to <time>", "only conversations before this time", parseTime)
    .option("--metadata-columns <key...>", "csv: metadata keys that get their own column")
    .option("--bom", "csv: start with a byte order mark, so that Excel detects UTF-8")
    .option("--transcripts", "also what was said")
    .addHelpText("after", "\nExample:\n  hearback-server calls export --workspace … --campaign support-fr > calls.csv")
    .action(({ workspace, format, metadataColumns = [], bom = false, transcripts, ...filters }: ExportCommandOptions) =>
      withApp(async (app) => {
        const { campaign, agent, status, from, to } = filters;
        const search = { campaign, agent, status, from, to, metadata: [] };
        const viewer = { ...unrestrictedViewer(workspace), actor: operator };
        const readTranscripts = transcripts ? openTranscriptReader(app) : undefined;
        const chunks = await exportCalls(app, viewer, {
          search,
          format,
          bom,
          separator: ",",
          metadataColumns,
          readTranscripts,
        });
        await writeOut(chunks);
      }),
    );
}
