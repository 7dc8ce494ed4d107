import { exportFormats } from "@hearback/contract";
import { type Command, Option } from "commander";
import { exportCalls } from "../calls/export-calls.ts";
import { operator } from "../platform/actor.ts";
import { writeOut } from "./output.ts";
import { aMoment, anId, type WithApp } from "./with-app.ts";

interface ExportCommandOptions {
  readonly workspace: string;
  readonly format: "csv" | "jsonl";
  readonly campaign?: string[];
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
    .option("--from <time>", "only conversations from this time on, such as 2026-11-01T00:00:00Z", aMoment)
    .option("--to <time>", "only conversations before this time", aMoment)
    .option("--metadata-columns <key...>", "csv: keys of metadata that get a column of their own")
    .option("--bom", "csv: begin with a byte order mark, by which Excel knows UTF-8")
    .addHelpText("after", "\nExample:\n  hearback-server calls export --workspace … --campaign support-fr > calls.csv")
    .action(({ workspace, format, metadataColumns = [], bom = false, campaign, from, to }: ExportCommandOptions) =>
      withApp(async (app) => {
        const filters = { campaign, from, to };
        const names = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));
        const chunks = await exportCalls(
          app,
          { workspaceId: workspace, actor: operator },
          {
            ...{ format, bom, separator: ",", metadataColumns },
            filter: { campaigns: campaign, from, to },
            filterNames: names,
          },
        );
        await writeOut(chunks);
      }),
    );
}
