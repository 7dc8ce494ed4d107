import { CreateKeyFields, RotateKeyFields, type Scope, scopes } from "@hearback/contract";
import { type Command, Option } from "commander";
import { changeApiKey } from "../access/change-api-key.ts";
import { createApiKey, type MadeKey } from "../access/create-api-key.ts";
import { hasEnded, type Key, toKeyBody } from "../access/key-body.ts";
import { listApiKeys } from "../access/list-api-keys.ts";
import { revokeApiKey } from "../access/revoke-api-key.ts";
import { rotateApiKey } from "../access/rotate-api-key.ts";
import { type KeyLimitChanges, setKeyLimits } from "../limits/set-limits.ts";
import { operator, operatorIn } from "../platform/actor.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { checked } from "./checked.ts";
import { aLimit, limitsTable, toLimitsBody } from "./limits.ts";
import { print, table } from "./output.ts";
import { aMoment, anId, type Common, type WithApp } from "./with-app.ts";

const mostListed = 10_000;

function stateOf(key: Key): string {
  if (key.revokedAt) return `revoked ${key.revokedAt.toISOString()}`;
  if (!key.expiresAt) return "valid";
  return `${hasEnded(key) ? "expired" : "valid until"} ${key.expiresAt.toISOString()}`;
}

const printMade = (made: MadeKey, words: string, json: boolean | undefined) =>
  print({ ...toKeyBody(made), key: made.key }, `${words} It is shown this once:\n\n${made.key}\n`, json);

/** A subcommand of `key` with what all of them take. */
const add = (key: Command, name: string, description: string) =>
  key
    .command(name)
    .description(description)
    .requiredOption("--workspace <id>", "the workspace", anId)
    .option("--json", "print JSON");

const one = (command: Command) => command.argument("<key-id>", "the key's id, as `key list` shows it", anId);

export function keyCommands(program: Command, withApp: WithApp): void {
  const key = program.command("key").description("API keys");
  createCommand(key, withApp);
  listCommand(key, withApp);
  changeCommands(key, withApp);
  rotateCommand(key, withApp);
  limitsCommand(key, withApp);
}

type CreateOptions = Common & { name: string; scope: Scope[]; campaign?: string[]; expiresAt?: Date };

function createCommand(key: Command, withApp: WithApp): void {
  add(key, "create", "make a key and show it, this once")
    .requiredOption("--name <name>", "what it is for, up to 200 characters")
    .addOption(
      new Option("--scope <scope...>", "what it may do: import (create agents, import calls), read, manage")
        .choices(scopes)
        .default(["import"]),
    )
    .option("--campaign <id...>", "restrict it to these campaigns: no other exists for it")
    .option("--expires-at <time>", "when it ends by itself, such as 2027-01-31T00:00:00Z; never if absent", aMoment)
    .addHelpText(
      "after",
      '\nExample:\n  hearback-server key create --workspace … --name "nightly import" --scope import --campaign support-fr',
    )
    .action((options: CreateOptions) =>
      withApp(async (app) => {
        const { name, scope, campaign, expiresAt } = options;
        const given = checked(CreateKeyFields, { name, scopes: scope, campaign_ids: campaign ?? null });
        const made = await createApiKey(app, operatorIn(options.workspace), {
          ...{ name: given.name, scopes: given.scopes, campaignIds: given.campaign_ids, expiresAt },
        });
        const where = made.campaignIds ? `, only ${made.campaignIds.join(", ")}` : "";
        printMade(made, `Key ${made.id} (${name}, ${made.scopes.join(", ")}${where}).`, options.json);
      }),
    );
}

function listCommand(key: Command, withApp: WithApp): void {
  add(key, "list", "list the keys of a workspace, without the keys themselves").action(({ workspace, json }: Common) =>
    withApp(async (app) => {
      const { keys } = await inWorkspace(app, workspace, (tx) => listApiKeys(tx, workspace, { limit: mostListed }));
      const rows = keys.map((row) => [
        ...[row.id, row.name, row.scopes.join(","), row.campaignIds?.join(",") ?? "all"],
        ...[stateOf(row), row.lastUsedAt?.toISOString() ?? "never"],
      ]);
      const headings = ["ID", "NAME", "SCOPES", "CAMPAIGNS", "STATE", "LAST USED"];
      print(keys.map(toKeyBody), table(headings, rows, "No key in this workspace."), json);
    }),
  );
}

function changeCommands(key: Command, withApp: WithApp): void {
  one(add(key, "change", "rename a key, or say when it ends; scopes and campaigns never change"))
    .option("--name <name>", "what it is for, up to 200 characters")
    .option("--expires-at <time>", "when it ends by itself, such as 2027-01-31T00:00:00Z", aMoment)
    .option("--never-expires", "it does not end by itself")
    .action((id: string, options: Common & { name?: string; expiresAt?: Date; neverExpires?: boolean }) =>
      withApp(async (app) => {
        const { name: given } = checked(CreateKeyFields.pick({ name: true }).partial(), { name: options.name });
        const expiresAt = options.neverExpires ? null : options.expiresAt;
        const changed = await changeApiKey(app, operatorIn(options.workspace), id, { name: given, expiresAt });
        print(toKeyBody(changed), `Key ${id} (${changed.name}) is ${stateOf(changed)}.`, options.json);
      }),
    );

  one(add(key, "revoke", "end a key, on every process within a second")).action((id: string, options: Common) =>
    withApp(async (app) => {
      // Whoever sits here can always make another.
      const revoked = await revokeApiKey(app, operatorIn(options.workspace), id, { keepLast: false });
      print(toKeyBody(revoked), `Key ${id} (${revoked.name}) is revoked.`, options.json);
    }),
  );
}

function rotateCommand(key: Command, withApp: WithApp): void {
  one(add(key, "rotate", "put a new key in the place of another and show it, this once"))
    .option("--overlap-hours <hours>", "how long the old one goes on working, 0 to 168", Number, 24)
    .action((id: string, options: Common & { overlapHours: number }) =>
      withApp(async (app) => {
        const { overlap_hours: overlapHours } = checked(RotateKeyFields, { overlap_hours: options.overlapHours });
        const made = await rotateApiKey(app, operatorIn(options.workspace), id, { overlapHours });
        const words = `Key ${made.id} takes the place of ${id}, which works for ${overlapHours} h more.`;
        printMade(made, words, options.json);
      }),
    );
}

function limitsCommand(key: Command, withApp: WithApp): void {
  const words = "show the limits of a key, or change them; takes effect on every process within seconds";
  one(add(key, "limits", words))
    .option("--requests-per-second <n>", "a number, none or default", aLimit)
    .option("--uploads-at-once <n>", "a number, none or default", aLimit)
    .action((keyId: string, { workspace, json, ...changes }: Common & KeyLimitChanges) =>
      withApp(async (app) => {
        const found = await setKeyLimits(app, operator, { workspaceId: workspace, keyId }, changes);
        print(toLimitsBody(found).key, limitsTable(toLimitsBody(found).key), json);
      }),
    );
}
