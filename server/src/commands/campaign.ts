import type { Command } from "commander";
import { archiveCampaign } from "../campaigns/archive-campaign.ts";
import { createCampaign } from "../campaigns/create-campaign.ts";
import { listCampaigns } from "../campaigns/list-campaigns.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { print, table } from "./output.ts";
import { anId, type WithApp } from "./with-app.ts";

type Campaign = Awaited<ReturnType<typeof createCampaign>>;
const toBody = ({ id, name, archivedAt, createdAt }: Campaign) => ({
  id,
  name,
  archived_at: archivedAt,
  created_at: createdAt,
});

export function campaignCommands(program: Command, withApp: WithApp): void {
  const campaign = program.command("campaign").description("where calls are gathered");

  campaign
    .command("create")
    .description("make a campaign; making it again changes nothing")
    .requiredOption("--workspace <id>", "the workspace", anId)
    .requiredOption("--name <name>", "its name, up to 200 characters")
    .option("--id <id>", "the id that imports name, such as support-fr; one is made up if absent")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      '\nExample:\n  hearback-server campaign create --workspace … --id support-fr --name "Support France"',
    )
    .action((options: { workspace: string; name: string; id?: string; json?: boolean }) =>
      withApp(async (app) => {
        const made = await createCampaign(app, options.workspace, options);
        print(toBody(made), `Campaign ${made.id} (${made.name}) is there.`, options.json);
      }),
    );

  campaign
    .command("archive")
    .description("close a campaign to imports; its calls stay")
    .argument("<id>", "the campaign")
    .requiredOption("--workspace <id>", "the workspace", anId)
    .option("--json", "print JSON")
    .action((id: string, options: { workspace: string; json?: boolean }) =>
      withApp(async (app) => {
        const archived = await archiveCampaign(app, options.workspace, id);
        print(toBody(archived), `Campaign ${id} takes no more calls.`, options.json);
      }),
    );

  campaign
    .command("list")
    .description("list the campaigns of a workspace")
    .requiredOption("--workspace <id>", "the workspace", anId)
    .option("--json", "print JSON")
    .action(({ workspace, json }: { workspace: string; json?: boolean }) =>
      withApp(async (app) => {
        const found = await inWorkspace(app, workspace, (tx) => listCampaigns(tx, workspace));
        const rows = found.map((row) => [row.id, row.name, row.archivedAt ? "archived" : "open"]);
        print(found.map(toBody), table(["ID", "NAME", "STATE"], rows, "No campaign in this workspace."), json);
      }),
    );
}
