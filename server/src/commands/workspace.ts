import type { Command } from "commander";
import { eraseWorkspace } from "../privacy/erase-workspace.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { listWorkspaces } from "../workspaces/list-workspaces.ts";
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
        const made = await createWorkspace(app, name);
        const body = { id: made.id, name: made.name, created_at: made.createdAt };
        const next = `Next: hearback-server campaign create --workspace ${made.id} --id support --name "Support"`;
        print(body, `Workspace ${made.id} (${made.name}) made.\n${next}`, json);
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
        const bodies = found.map(({ id, name, createdAt }) => ({ id, name, created_at: createdAt }));
        print(bodies, table(["ID", "NAME", "CREATED"], rows, empty), json);
      }),
    );
}
