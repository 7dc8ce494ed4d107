import { type Command, InvalidArgumentError, Option } from "commander";
import { createApiKey } from "../access/create-api-key.ts";
import { listApiKeys } from "../access/list-api-keys.ts";
import { revokeApiKey } from "../access/revoke-api-key.ts";
import { type KeyLimitChanges, setKeyLimits } from "../limits/set-limits.ts";
import { operator } from "../platform/actor.ts";
import { type Scope, scopes } from "../platform/caller.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { aLimit, limitsTable, toLimitsBody } from "./limits.ts";
import { print, table } from "./output.ts";
import { anId, type WithApp } from "./with-app.ts";

type KeyRow = Awaited<ReturnType<typeof listApiKeys>>[number];

function stateOf({ revokedAt, expiresAt }: KeyRow): string {
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`;
  if (!expiresAt) return "valid";
  return `${expiresAt.getTime() <= Date.now() ? "expired" : "valid until"} ${expiresAt.toISOString()}`;
}

function date(text: string): Date {
  const parsed = new Date(text);
  if (Number.isNaN(parsed.getTime()) || !/T.*(Z|[+-]\d\d:\d\d)$/.test(text)) {
    throw new InvalidArgumentError("Write a date with time and zone, such as 2027-01-31T00:00:00Z.");
  }
  return parsed;
}

export function keyCommands(program: Command, withApp: WithApp): void {
  const key = program.command("key").description("API keys");

  key
    .command("create")
    .description("make a key and show it, this once")
    .requiredOption("--workspace <id>", "the workspace", anId)
    .requiredOption("--name <name>", "what it is for, up to 200 characters")
    .addOption(
      new Option("--scope <scope...>", "what it may do: import (create agents, import calls), read, manage")
        .choices(scopes)
        .default(["import"]),
    )
    .option("--expires-at <time>", "when it ends by itself, such as 2027-01-31T00:00:00Z; never if absent", date)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      '\nExample:\n  hearback-server key create --workspace … --name "nightly import" --scope import',
    )
    .action((options: { workspace: string; name: string; scope: Scope[]; expiresAt?: Date; json?: boolean }) =>
      withApp(async (app) => {
        const made = await createApiKey(app, options.workspace, { ...options, scopes: options.scope });
        const { id, name, expiresAt } = made;
        const body = { id, name, scopes: made.scopes, expires_at: expiresAt, key: made.key };
        print(
          body,
          `Key ${id} (${name}, ${made.scopes.join(", ")}). It is shown this once:\n\n${made.key}\n`,
          options.json,
        );
      }),
    );

  key
    .command("list")
    .description("list the keys of a workspace, without the keys themselves")
    .requiredOption("--workspace <id>", "the workspace", anId)
    .option("--json", "print JSON")
    .action(({ workspace, json }: { workspace: string; json?: boolean }) =>
      withApp(async (app) => {
        const found = await inWorkspace(app, workspace, (tx) => listApiKeys(tx, workspace));
        const bodies = found.map(({ id, name, scopes, createdAt, expiresAt, revokedAt }) => ({
          ...{ id, name, scopes, created_at: createdAt, expires_at: expiresAt, revoked_at: revokedAt },
        }));
        const rows = found.map((row) => [row.id, row.name, row.scopes.join(","), stateOf(row)]);
        print(bodies, table(["ID", "NAME", "SCOPES", "STATE"], rows, "No key in this workspace."), json);
      }),
    );

  key
    .command("revoke")
    .description("end a key, on every process within a second")
    .argument("<key-id>", "the key's id, as `key list` shows it", anId)
    .requiredOption("--workspace <id>", "the workspace", anId)
    .option("--json", "print JSON")
    .action((id: string, options: { workspace: string; json?: boolean }) =>
      withApp(async (app) => {
        const revoked = await revokeApiKey(app, options.workspace, id);
        const body = { id: revoked.id, name: revoked.name, revoked_at: revoked.revokedAt };
        print(body, `Key ${id} (${revoked.name}) is revoked.`, options.json);
      }),
    );

  key
    .command("limits")
    .description("show the limits of a key, or change them; takes effect on every process within seconds")
    .argument("<key-id>", "the key's id, as `key list` shows it", anId)
    .requiredOption("--workspace <id>", "the workspace", anId)
    .addOption(new Option("--requests-per-second <n>", "a number, none or default").argParser(aLimit))
    .addOption(new Option("--uploads-at-once <n>", "a number, none or default").argParser(aLimit))
    .option("--json", "print JSON")
    .action((keyId: string, { workspace, json, ...changes }: KeyLimitChanges & { workspace: string; json?: boolean }) =>
      withApp(async (app) => {
        const found = await setKeyLimits(app, operator, { workspaceId: workspace, keyId }, changes);
        print(toLimitsBody(found).key, limitsTable(toLimitsBody(found).key), json);
      }),
    );
}
