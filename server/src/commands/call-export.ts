import { callStatuses, exportFormats } from "@hearback/contract";
import { type Command, Option } from "commander";
import { exportCalls } from "../calls/export-calls.ts";
import { anyCallOf } from "../calls/find-call.ts";
import { operator } from "../platform/actor.ts";
import { writeOut } from "./output.ts";
import { aMoment, anId, type WithApp } from "./with-app.ts";

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
}

export function callExportCommand(call: Command, withApp: WithApp): void {
  call
    .command("export")
    .description("write the calls of a workspace to standard output, newest conversation first")
    .requiredOption("--workspace <id>", "the workspace", anId)
    .addOption(new Option("--format <format>", "csv or jsonl").choices(exportFormats).default("csv"))
    .option("--campaign <id...>", "only calls of these campaigns")
    .option("--agent <id...>", "only calls of these agents, by id or e-mail address")
    .addOption(new Option("--status <status...>", "only calls in these states").choices(callStatuses))
    .option("--from <time>", "only conversations from this time on, such as 2026-11-01T00:00:00Z", aMoment)
    .option("--to <time>", "only conversations before this time", aMoment)
    .option("--metadata-columns <key...>", "csv: keys of metadata that get a column of their own")
    .option("--bom", "csv: begin with a byte order mark, by which Excel knows UTF-8")
    .addHelpText("after", "\nExample:\n  hearback-server calls export --workspace … --campaign support-fr > calls.csv")
    .action(({ workspace, format, metadataColumns = [], bom = false, ...filters }: ExportCommandOptions) =>
      withApp(async (app) => {
        const { campaign, agent, status, from, to } = filters;
        const search = { campaign, agent, status, from, to, metadata: [] };
        const viewer = { ...anyCallOf(workspace), actor: operator };
        const chunks = await exportCalls(app, viewer, { search, format, bom, separator: ",", metadataColumns });
        await writeOut(chunks);
      }),
    );
}
