import { ChangeCampaignBody, type Channel, CreateCampaignBody, type Masking, maskings, Name } from "@hearback/contract";
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
import { retentionDays } from "./privacy.ts";
import { pluralize, print, table } from "./support/output.ts";
import { validate } from "./support/validate.ts";
import { type Common, parseId, type WithApp } from "./support/with-app.ts";

const channels = ["left", "right", "unknown"] as const;
type ChannelChoice = (typeof channels)[number];
const toChannel = (choice: ChannelChoice | undefined): Channel | null =>
  choice === "left" || choice === "right" ? choice : null;
const maxListed = 10_000;
const onOff = ["on", "off"] as const;

interface CreateOptions extends Common {
  readonly name: string;
  readonly id?: string;
  readonly agentChannel?: ChannelChoice;
}

export function campaignCommands(program: Command, withApp: WithApp): void {
  const campaign = program.command("campaign").description("manage campaigns");
  createCommand(campaign, withApp);
  changeCommands(campaign, withApp);
  listCommand(campaign, withApp);
}

function createCommand(campaign: Command, withApp: WithApp): void {
  campaign
    .command("create")
    .description("create a campaign; prints it unchanged if it exists")
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .requiredOption("--name <name>", "name, up to 200 characters")
    .option("--id <id>", "id for imports, such as support-fr; generated if omitted")
    .addOption(new Option("--agent-channel <channel>", "the agent's channel in stereo recordings").choices(channels))
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      '\nExample:\n  hearback-server campaign create --workspace … --id support-fr --name "Support France" --agent-channel left',
    )
    .action((options: CreateOptions) =>
      withApp(async (app) => {
        const campaign = await createOrFindCampaign(app, options);
        print(
          toCampaignBody(campaign),
          `Campaign ${campaign.id} (${campaign.name}) is ready for imports.`,
          options.json,
        );
      }),
    );
}

/** Idempotent, so that scripts can run it again. */
async function createOrFindCampaign(app: App, { workspace, agentChannel, ...given }: CreateOptions) {
  const { id, name } = validate(CreateCampaignBody, { id: given.id, name: given.name });
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
      .requiredOption("--workspace <id>", "the workspace", parseId)
      .option("--json", "print JSON");
  const change = (id: string, { workspace, json }: Common, to: CampaignChange, message: string) =>
    withApp(async (app) => {
      const changed = await changeCampaign(app, operatorIn(workspace), id, to);
      print(toCampaignBody(changed), message, json);
    });

  add("set-agent-channel", "set the agent's channel, for existing calls too")
    .addArgument(new Argument("<channel>", "left, right, or unknown").choices(channels))
    .action((id: string, channel: ChannelChoice, options: Common) =>
      change(id, options, { agentChannel: toChannel(channel) }, `The agent's channel of campaign ${id} is ${channel}.`),
    );
  add("retention", "set for how many days after the conversation calls are kept before they are erased")
    .requiredOption("--days <days>", "1 to 36500, or forever", retentionDays)
    .addHelpText("after", "\nRun `hearback-server calls expire --dry-run` to see what would be erased.")
    .action((id: string, { days, ...options }: Common & { days: number | null }) => {
      const text = days === null ? "are kept forever" : `are erased ${pluralize(days, "day")} after the conversation`;
      return change(id, options, { retentionDays: days }, `The calls of campaign ${id} ${text}.`);
    });
  add("transcription", "set the language in which new calls are transcribed, or turn transcription off")
    .argument("<language>", "such as en or fr, or off")
    .addHelpText("after", "\nThe workspace must have transcription on: workspace change <id> --transcription on")
    .action((id: string, language: string, options: Common) => {
      const wanted = language === "off" ? null : language;
      const { transcription_language } = validate(ChangeCampaignBody, { transcription_language: wanted });
      const text = wanted === null ? "are not transcribed" : `are transcribed in ${wanted}`;
      const to = { transcriptionLanguage: transcription_language };
      return change(id, options, to, `New calls of campaign ${id} ${text}.`);
    });
  add("masking", "set where card numbers and the like are masked, and whether original recordings are erased then")
    .addArgument(new Argument("<masking>", "off, text, or text_and_sound").choices(maskings))
    .addOption(new Option("--erase-originals <state>", "erase originals once their sound is masked").choices(onOff))
    .action(
      (id: string, masking: Masking, { eraseOriginals, ...options }: Common & { eraseOriginals?: "on" | "off" }) => {
        const erases = eraseOriginals && { eraseMaskedOriginals: eraseOriginals === "on" };
        return change(id, options, { masking, ...erases }, `Masking of campaign ${id} is ${masking}.`);
      },
    );
  add("rename", "rename a campaign; its id stays the same")
    .argument("<name>", "name, up to 200 characters")
    .action((id: string, name: string, options: Common) =>
      change(id, options, { name: validate(Name, name) }, `Campaign ${id} is now named ${name}.`),
    );
  add("archive", "archive a campaign: it accepts no more imports and keeps its calls").action(
    (id: string, options: Common) => change(id, options, { archived: true }, `Campaign ${id} is archived.`),
  );
  add("unarchive", "reactivate an archived campaign").action((id: string, options: Common) =>
    change(id, options, { archived: false }, `Campaign ${id} accepts imports again.`),
  );
}

function listCommand(campaign: Command, withApp: WithApp): void {
  campaign
    .command("list")
    .description("list the campaigns of a workspace")
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .option("--json", "print JSON")
    .action(({ workspace, json }: Common) =>
      withApp(async (app) => {
        const { campaigns } = await inWorkspace(app, workspace, (tx) =>
          listCampaigns(tx, workspace, { archived: "all", limit: maxListed, within: null }),
        );
        const bodies = campaigns.map(toCampaignBody);
        const rows = bodies.map((row) => [row.id, row.name, row.agent_channel, row.archived ? "archived" : "open"]);
        print(bodies, table(["ID", "NAME", "AGENT CHANNEL", "STATE"], rows, "This workspace has no campaigns."), json);
      }),
    );
}
