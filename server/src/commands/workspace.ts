import { ChangeWorkspaceBody, Name } from "@hearback/contract";
import { type Command, Option } from "commander";
import { setWorkspaceLimits, type WorkspaceLimitChanges } from "../limits/set-limits.ts";
import { operator, operatorIn } from "../platform/actor.ts";
import { eraseWorkspace } from "../privacy/erase-workspace.ts";
import { changeWorkspace } from "../workspaces/change-workspace.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { listWorkspaces } from "../workspaces/list-workspaces.ts";
import { toWorkspaceBody } from "../workspaces/workspace-body.ts";
import { limitsTable, parseLimit, toLimitsBody } from "./limits.ts";
import { pluralize, print, progress, table } from "./support/output.ts";
import { validate } from "./support/validate.ts";
import { parseId, type WithApp } from "./support/with-app.ts";

interface ChangeOptions {
  readonly name?: string;
  readonly timeZone?: string;
  readonly earliestConversation?: string;
  readonly passwordSignIn?: "on" | "off";
  readonly agentDownloads?: "on" | "off";
  readonly transcription?: "on" | "off";
  readonly transcriptionMinutesPerDay?: number | null;
  readonly json?: boolean;
}

/** The schema of the API checks the number. */
const parseMinutes = (text: string) => (text === "none" ? null : Number(text));

const toSettings = ({ passwordSignIn, agentDownloads, transcription, ...options }: Omit<ChangeOptions, "name">) => ({
  time_zone: options.timeZone,
  earliest_conversation: options.earliestConversation,
  transcription_minutes_per_day: options.transcriptionMinutesPerDay,
  ...(passwordSignIn && { password_sign_in: passwordSignIn === "on" }),
  ...(agentDownloads && { agents_can_download: agentDownloads === "on" }),
  ...(transcription && { transcription: transcription === "on" }),
});

export function workspaceCommands(program: Command, withApp: WithApp): void {
  const workspace = program.command("workspace").description("manage workspaces");

  workspace
    .command("create")
    .description("create a workspace, which has its own keys, users, campaigns and calls")
    .requiredOption("--name <name>", "name, up to 200 characters")
    .option("--json", "print JSON")
    .addHelpText("after", '\nExample:\n  hearback-server workspace create --name "Acme Support"')
    .action(({ name, json }: { name: string; json?: boolean }) =>
      withApp(async (app) => {
        const created = await createWorkspace(app, validate(Name, name));
        const next = `Next: hearback-server campaign create --workspace ${created.id} --id support --name "Support"`;
        print(toWorkspaceBody(created), `Created workspace ${created.id} (${created.name}).\n${next}`, json);
      }),
    );

  workspace
    .command("erase")
    .description("permanently erase a workspace: calls, recordings, users, campaigns, keys, webhooks and events")
    .argument("<id>", "the workspace", parseId)
    .option("--yes", "confirm the erasure")
    .option("--json", "print JSON")
    .addHelpText("after", "\nThe audit log is kept; it contains only ids. You can interrupt and repeat the command.")
    .action((id: string, { yes, json }: { yes?: boolean; json?: boolean }) =>
      withApp(async (app) => {
        if (!yes) workspace.error("This can't be undone. Add --yes to confirm.");
        const erasure = await eraseWorkspace(app, id, { onProgress: (step, count) => progress(step)(count) });
        const body = { id, erasure_id: erasure.id, calls: erasure.erased, ended_at: erasure.endedAt };
        print(body, `Erased workspace ${id} with ${pluralize(erasure.erased, "call")}.`, json);
      }),
    );

  workspace
    .command("list")
    .description("list workspaces")
    .option("--json", "print JSON")
    .action(({ json }: { json?: boolean }) =>
      withApp(async (app) => {
        const found = await listWorkspaces(app.db);
        const rows = found.map(({ id, name, createdAt }) => [id, name, createdAt.toISOString()]);
        const empty = "No workspaces yet. Create one with its administrator: hearback-server setup";
        print(found.map(toWorkspaceBody), table(["ID", "NAME", "CREATED"], rows, empty), json);
      }),
    );

  workspace
    .command("change")
    .description("rename a workspace or change its settings")
    .argument("<id>", "the workspace", parseId)
    .option("--name <name>", "name, up to 200 characters")
    .option("--time-zone <zone>", "time zone of the import summary's days, such as Europe/Paris")
    .option("--earliest-conversation <date>", "reject calls from before this day (UTC), such as 2020-01-01")
    .addOption(new Option("--password-sign-in <state>", "allow sign-in with passwords").choices(["on", "off"]))
    .addOption(
      new Option("--agent-downloads <state>", "allow agents to download the recordings of their calls").choices([
        "on",
        "off",
      ]),
    )
    .addOption(
      new Option("--transcription <state>", "transcribe new calls of campaigns with a language").choices(["on", "off"]),
    )
    .option(
      "--transcription-minutes-per-day <n>",
      "minutes of speech per day (UTC), or none for no quota",
      parseMinutes,
    )
    .option("--json", "print JSON")
    .action((id: string, { name, json, ...options }: ChangeOptions) =>
      withApp(async (app) => {
        const change = validate(ChangeWorkspaceBody, { name, settings: toSettings(options) });
        const body = toWorkspaceBody(await changeWorkspace(app, operatorIn(id), change));
        print(body, `Workspace ${id} is ${body.name}, ${body.settings.time_zone}.`, json);
      }),
    );

  limitsCommand(workspace, withApp);
}

function limitsCommand(workspace: Command, withApp: WithApp): void {
  workspace
    .command("limits")
    .description("show or change the limits of a workspace; takes effect on every process within seconds")
    .argument("<workspace-id>", "the id of the workspace, from `workspace list`", parseId)
    .option("--requests-per-second <n>", "requests of all its keys together", parseLimit)
    .option("--imports-per-second <n>", "imports of all its keys together", parseLimit)
    .option("--uploads-at-once <n>", "concurrent uploads of all its keys together", parseLimit)
    .option("--calls-per-day <n>", "calls imported per day (UTC)", parseLimit)
    .option("--stored-bytes <n>", "total size of recordings", parseLimit)
    .option("--invitation-mails-per-day <n>", "invitation emails per day (UTC)", parseLimit)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\n<n> is a number, none for no limit, or default for the server's default (LIMIT_WORKSPACE_…).\n\nExample:\n  hearback-server workspace limits 3f0c5f5e-… --imports-per-second 50 --calls-per-day 100000",
    )
    .action((id: string, { json, ...changes }: WorkspaceLimitChanges & { json?: boolean }) =>
      withApp(async (app) => {
        const found = await setWorkspaceLimits(app, operator, id, changes);
        print(toLimitsBody(found).workspace, limitsTable(toLimitsBody(found).workspace), json);
      }),
    );
}
