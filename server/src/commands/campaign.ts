import type { Channel } from "@hearback/contract";
import { Argument, type Command, Option } from "commander";
import { archiveCampaign } from "../campaigns/archive-campaign.ts";
import { createCampaign } from "../campaigns/create-campaign.ts";
import { listCampaigns } from "../campaigns/list-campaigns.ts";
import { setAgentChannel } from "../campaigns/set-agent-channel.ts";
import { setRetention } from "../campaigns/set-retention.ts";
import { operatorIn } from "../platform/actor.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { print, table } from "./output.ts";
import { retentionDays } from "./privacy.ts";
import { anId, type WithApp } from "./with-app.ts";

type Campaign = Awaited<ReturnType<typeof createCampaign>>;
const toBody = ({ id, name, agentChannel, retentionDays: days, archivedAt, createdAt }: Campaign) => ({
  id,
  name,
  agent_channel: agentChannel ?? "unknown",
  retention_days: days,
  archived_at: archivedAt,
  created_at: createdAt,
});

const channels = ["left", "right", "unknown"] as const;
type ChannelChoice = (typeof channels)[number];
const toChannel = (choice: ChannelChoice | undefined): Channel | null =>
  choice === "left" || choice === "right" ? choice : null;

interface CreateOptions {
  readonly workspace: string;
  readonly name: string;
  readonly id?: string;
  readonly agentChannel?: ChannelChoice;
  readonly json?: boolean;
}

export function campaignCommands(program: Command, withApp: WithApp): void {
  const campaign = program.command("campaign").description("where calls are gathered");

  campaign
    .command("create")
    .description("make a campaign; making it again changes nothing")
    .requiredOption("--workspace <id>", "the workspace", anId)
    .requiredOption("--name <name>", "its name, up to 200 characters")
    .option("--id <id>", "the id that imports name, such as support-fr; one is made up if absent")
    .addOption(
      new Option("--agent-channel <channel>", "on which channel of a stereo recording the agent is").choices(channels),
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      '\nExample:\n  hearback-server campaign create --workspace … --id support-fr --name "Support France" --agent-channel left',
    )
    .action((options: CreateOptions) =>
      withApp(async (app) => {
        const agentChannel = toChannel(options.agentChannel);
        const made = await createCampaign(app, options.workspace, { ...options, agentChannel });
        print(toBody(made), `Campaign ${made.id} (${made.name}) is there.`, options.json);
      }),
    );

  campaign
    .command("set-agent-channel")
    .description("say on which channel the agents are; it holds for the calls that are there, too")
    .argument("<id>", "the campaign")
    .addArgument(new Argument("<channel>", "left, right, or unknown").choices(channels))
    .requiredOption("--workspace <id>", "the workspace", anId)
    .option("--json", "print JSON")
    .action((id: string, channel: ChannelChoice, options: { workspace: string; json?: boolean }) =>
      withApp(async (app) => {
        const changed = await setAgentChannel(app, options.workspace, id, toChannel(channel));
        print(toBody(changed), `In campaign ${id} the agent's channel is ${channel}.`, options.json);
      }),
    );

  campaign
    .command("retention")
    .description("say for how many days calls are kept, from the conversation on; then they are erased")
    .argument("<id>", "the campaign")
    .requiredOption("--workspace <id>", "the workspace", anId)
    .requiredOption("--days <days>", "1 to 36500, or forever", retentionDays)
    .option("--json", "print JSON")
    .addHelpText("after", "\n`hearback-server calls expire --dry-run` shows what would be erased.")
    .action((id: string, options: { workspace: string; days: number | null; json?: boolean }) =>
      withApp(async (app) => {
        const changed = await setRetention(app, operatorIn(options.workspace), id, options.days);
        const words = options.days === null ? "are kept" : `are erased ${options.days} days after the conversation`;
        print(toBody(changed), `The calls of campaign ${id} ${words}.`, options.json);
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
        const rows = found.map((row) => [
          row.id,
          row.name,
          row.agentChannel ?? "unknown",
          row.archivedAt ? "archived" : "open",
        ]);
        print(
          found.map(toBody),
          table(["ID", "NAME", "AGENT'S CHANNEL", "STATE"], rows, "No campaign in this workspace."),
          json,
        );
      }),
    );
}
