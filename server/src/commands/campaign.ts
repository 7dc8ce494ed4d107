import { type Channel, CreateCampaignBody, Name } from "@hearback/contract";
import { Argument, type Command, Option } from "commander";
import { toCampaignBody } from "../campaigns/campaign-body.ts";
import { type CampaignChange, changeCampaign } from "../campaigns/change-campaign.ts";
import { createCampaign } from "../campaigns/create-campaign.ts";
import { findCampaign } from "../campaigns/find-campaign.ts";
import { listCampaigns } from "../campaigns/list-campaigns.ts";
import { operatorIn } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { checked } from "./checked.ts";
import { print, table } from "./output.ts";
import { retentionDays } from "./privacy.ts";
import { anId, type Common, type WithApp } from "./with-app.ts";

const channels = ["left", "right", "unknown"] as const;
type ChannelChoice = (typeof channels)[number];
const toChannel = (choice: ChannelChoice | undefined): Channel | null =>
  choice === "left" || choice === "right" ? choice : null;
const mostListed = 10_000;

interface CreateOptions extends Common {
  readonly name: string;
  readonly id?: string;
  readonly agentChannel?: ChannelChoice;
}

export function campaignCommands(program: Command, withApp: WithApp): void {
  const campaign = program.command("campaign").description("where calls are gathered");
  createCommand(campaign, withApp);
  changeCommands(campaign, withApp);
  listCommand(campaign, withApp);
}

function createCommand(campaign: Command, withApp: WithApp): void {
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
        const made = await makeCampaign(app, options);
        print(toCampaignBody(made), `Campaign ${made.id} (${made.name}) is there.`, options.json);
      }),
    );
}

/** A script that is run twice finds what it made. */
async function makeCampaign(app: App, { workspace, agentChannel, ...given }: CreateOptions) {
  const { id, name } = checked(CreateCampaignBody, { id: given.id, name: given.name });
  try {
    return await createCampaign(app, operatorIn(workspace), { id, name, agentChannel: toChannel(agentChannel) });
  } catch (error) {
    if (!(error instanceof AppError && error.code === "campaign_exists" && id)) throw error;
    return inWorkspace(app, workspace, (tx) => findCampaign(tx, workspace, id, { within: null }));
  }
}

function changeCommands(campaign: Command, withApp: WithApp): void {
  const add = (name: string, description: string) =>
    campaign
      .command(name)
      .description(description)
      .argument("<id>", "the campaign")
      .requiredOption("--workspace <id>", "the workspace", anId)
      .option("--json", "print JSON");
  const change = (id: string, { workspace, json }: Common, to: CampaignChange, words: string) =>
    withApp(async (app) => {
      const changed = await changeCampaign(app, operatorIn(workspace), id, to);
      print(toCampaignBody(changed), words, json);
    });

  add("set-agent-channel", "say on which channel the agents are; it holds for the calls that are there, too")
    .addArgument(new Argument("<channel>", "left, right, or unknown").choices(channels))
    .action((id: string, channel: ChannelChoice, options: Common) =>
      change(id, options, { agentChannel: toChannel(channel) }, `In campaign ${id} the agent's channel is ${channel}.`),
    );
  add("retention", "say for how many days calls are kept, from the conversation on; then they are erased")
    .requiredOption("--days <days>", "1 to 36500, or forever", retentionDays)
    .addHelpText("after", "\n`hearback-server calls expire --dry-run` shows what would be erased.")
    .action((id: string, { days, ...options }: Common & { days: number | null }) => {
      const words = days === null ? "are kept" : `are erased ${days} days after the conversation`;
      return change(id, options, { retentionDays: days }, `The calls of campaign ${id} ${words}.`);
    });
  add("rename", "give a campaign another name; its id stays")
    .argument("<name>", "its name, up to 200 characters")
    .action((id: string, name: string, options: Common) =>
      change(id, options, { name: checked(Name, name) }, `Campaign ${id} is now called ${name}.`),
    );
  add("archive", "close a campaign to imports; its calls stay").action((id: string, options: Common) =>
    change(id, options, { archived: true }, `Campaign ${id} takes no more calls.`),
  );
  add("unarchive", "open an archived campaign to imports again").action((id: string, options: Common) =>
    change(id, options, { archived: false }, `Campaign ${id} takes calls.`),
  );
}

function listCommand(campaign: Command, withApp: WithApp): void {
  campaign
    .command("list")
    .description("list the campaigns of a workspace")
    .requiredOption("--workspace <id>", "the workspace", anId)
    .option("--json", "print JSON")
    .action(({ workspace, json }: Common) =>
      withApp(async (app) => {
        const { campaigns } = await inWorkspace(app, workspace, (tx) =>
          listCampaigns(tx, workspace, { archived: "all", limit: mostListed, within: null }),
        );
        const bodies = campaigns.map(toCampaignBody);
        const rows = bodies.map((row) => [row.id, row.name, row.agent_channel, row.archived ? "archived" : "open"]);
        print(bodies, table(["ID", "NAME", "AGENT'S CHANNEL", "STATE"], rows, "No campaign in this workspace."), json);
      }),
    );
}
