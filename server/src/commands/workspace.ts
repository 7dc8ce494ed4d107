import { ChangeWorkspaceBody, Name } from "@hearback/contract";
import type { Command } from "commander";
import { setWorkspaceLimits, type WorkspaceLimitChanges } from "../limits/set-limits.ts";
import { operator, operatorIn } from "../platform/actor.ts";
import { eraseWorkspace } from "../privacy/erase-workspace.ts";
import { changeWorkspace } from "../workspaces/change-workspace.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { listWorkspaces } from "../workspaces/list-workspaces.ts";
import { toWorkspaceBody } from "../workspaces/workspace-body.ts";
import { checked } from "./checked.ts";
import { aLimit, limitsTable, toLimitsBody } from "./limits.ts";
import { print, progress, table } from "./output.ts";
import { anId, type WithApp } from "./with-app.ts";

export function workspaceCommands(program: Command, withApp: WithApp): void {
  const workspace = program.command("workspace").description("the customers of this installation");

  workspace
    .command("create")
    .description("make a workspace: it owns keys, users, campaigns and calls, and sees nothing of another")
    .requiredOption("--name <name>", "its name, up to 200 characters")
    .option("--json", "print JSON")
    .addHelpText("after", '\nExample:\n  hearback-server workspace create --name "Acme Support"')
    .action(({ name, json }: { name: string; json?: boolean }) =>
      withApp(async (app) => {
        const made = await createWorkspace(app, checked(Name, name));
        const next = `Next: hearback-server campaign create --workspace ${made.id} --id support --name "Support"`;
        print(toWorkspaceBody(made), `Workspace ${made.id} (${made.name}) made.\n${next}`, json);
      }),
    );

  workspace
    .command("erase")
    .description(
      "erase everything of a workspace for good: calls, recordings, users, campaigns, keys, webhooks, events",
    )
    .argument("<id>", "the workspace", anId)
    .option("--yes", "you mean it")
    .option("--json", "print JSON")
    .addHelpText("after", "\nIts audit log stays, which holds ids. It can be stopped and repeated.")
    .action((id: string, { yes, json }: { yes?: boolean; json?: boolean }) =>
      withApp(async (app) => {
        if (!yes) workspace.error("This cannot be undone. Add --yes if you mean it.");
        const erasure = await eraseWorkspace(app, id, { onProgress: (step, count) => progress(step)(count) });
        const body = { id, erasure_id: erasure.id, calls: erasure.erased, ended_at: erasure.endedAt };
        print(body, `Workspace ${id} is erased: ${erasure.erased} calls, and everything else of it.`, json);
      }),
    );

  workspace
    .command("list")
    .description("list the workspaces")
    .option("--json", "print JSON")
    .action(({ json }: { json?: boolean }) =>
      withApp(async (app) => {
        const found = await listWorkspaces(app.db);
        const rows = found.map(({ id, name, createdAt }) => [id, name, createdAt.toISOString()]);
        const empty = "No workspace yet: hearback-server workspace create --name …";
        print(found.map(toWorkspaceBody), table(["ID", "NAME", "CREATED"], rows, empty), json);
      }),
    );

  workspace
    .command("change")
    .description("rename a workspace, or change its settings")
    .argument("<id>", "the workspace", anId)
    .option("--name <name>", "its name, up to 200 characters")
    .option("--time-zone <zone>", "in which days and hours reports are made, such as Europe/Paris")
    .option("--json", "print JSON")
    .action((id: string, { name, timeZone, json }: { name?: string; timeZone?: string; json?: boolean }) =>
      withApp(async (app) => {
        const change = checked(ChangeWorkspaceBody, { name, settings: { time_zone: timeZone } });
        const body = toWorkspaceBody(await changeWorkspace(app, operatorIn(id), change));
        print(body, `Workspace ${id} is ${body.name}, ${body.settings.time_zone}.`, json);
      }),
    );

  limitsCommand(workspace, withApp);
}

function limitsCommand(workspace: Command, withApp: WithApp): void {
  workspace
    .command("limits")
    .description("show the limits of a workspace, or change them; takes effect on every process within seconds")
    .argument("<workspace-id>", "the workspace, as `workspace list` shows it", anId)
    .option("--requests-per-second <n>", "of all its keys together", aLimit)
    .option("--imports-per-second <n>", "of all its keys together", aLimit)
    .option("--uploads-at-once <n>", "of all its keys together", aLimit)
    .option("--calls-per-day <n>", "imported between midnight and midnight, UTC", aLimit)
    .option("--stored-bytes <n>", "of recordings", aLimit)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\n<n> is a number, none for no limit, or default for what the settings say (LIMIT_WORKSPACE_…).\n\nExample:\n  hearback-server workspace limits 3f0c5f5e-… --imports-per-second 50 --calls-per-day 100000",
    )
    .action((id: string, { json, ...changes }: WorkspaceLimitChanges & { json?: boolean }) =>
      withApp(async (app) => {
        const found = await setWorkspaceLimits(app, operator, id, changes);
        print(toLimitsBody(found).workspace, limitsTable(toLimitsBody(found).workspace), json);
      }),
    );
}
