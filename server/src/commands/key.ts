import { CreateKeyBody, RotateKeyBody, type Scope, scopes } from "@hearback/contract";
import { type Command, Option } from "commander";
import { changeApiKey } from "../access/keys/change-api-key.ts";
import { type CreatedKey, createApiKey } from "../access/keys/create-api-key.ts";
import { isRevokedOrExpired, type Key, toKeyBody } from "../access/keys/key-body.ts";
import { listApiKeys } from "../access/keys/list-api-keys.ts";
import { revokeApiKey } from "../access/keys/revoke-api-key.ts";
import { rotateApiKey } from "../access/keys/rotate-api-key.ts";
import { type KeyLimitChanges, setKeyLimits } from "../limits/set-limits.ts";
import { operator, operatorIn } from "../platform/actor.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { limitsTable, parseLimit, toLimitsBody } from "./limits.ts";
import { print, table } from "./support/output.ts";
import { validate } from "./support/validate.ts";
import { type Common, parseId, parseTime, type WithApp } from "./support/with-app.ts";

const maxListed = 10_000;

function stateOf(key: Key): string {
  if (key.revokedAt) return `revoked ${key.revokedAt.toISOString()}`;
  if (!key.expiresAt) return "valid";
  return `${isRevokedOrExpired(key) ? "expired" : "valid until"} ${key.expiresAt.toISOString()}`;
}

const printNewKey = (created: CreatedKey, message: string, json: boolean | undefined) =>
  print(
    { ...toKeyBody(created), key: created.key },
    `${message} The key is shown only once:\n\n${created.key}\n`,
    json,
  );

/** Adds a subcommand with the common options. */
const add = (key: Command, name: string, description: string) =>
  key
    .command(name)
    .description(description)
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .option("--json", "print JSON");

const withKeyId = (command: Command) => command.argument("<key-id>", "the id of the key, from `key list`", parseId);

export function keyCommands(program: Command, withApp: WithApp): void {
  const key = program.command("key").description("manage API keys");
  createCommand(key, withApp);
  listCommand(key, withApp);
  changeCommands(key, withApp);
  rotateCommand(key, withApp);
  limitsCommand(key, withApp);
}

type CreateOptions = Common & { name: string; scope: Scope[]; campaign?: string[]; expiresAt?: Date };

function createCommand(key: Command, withApp: WithApp): void {
  add(key, "create", "create a key and show it once")
    .requiredOption("--name <name>", "name of the key, up to 200 characters")
    .addOption(
      new Option(
        "--scope <scope...>",
        "permissions: import (create agents, import calls), read, review (scorecards), manage",
      )
        .choices(scopes)
        .default(["import"]),
    )
    .option("--campaign <id...>", "restrict the key to these campaigns")
    .option("--expires-at <time>", "expiry time, such as 2027-01-31T00:00:00Z; never expires if omitted", parseTime)
    .addHelpText(
      "after",
      '\nExample:\n  hearback-server key create --workspace … --name "nightly import" --scope import --campaign support-fr',
    )
    .action((options: CreateOptions) =>
      withApp(async (app) => {
        const { name, scope, campaign, expiresAt } = options;
        const given = validate(CreateKeyBody, { name, scopes: scope, campaign_ids: campaign ?? null });
        const created = await createApiKey(app, operatorIn(options.workspace), {
          name: given.name,
          scopes: given.scopes,
          campaignIds: given.campaign_ids,
          expiresAt,
        });
        const campaigns = created.campaignIds ? `, only ${created.campaignIds.join(", ")}` : "";
        printNewKey(
          created,
          `Created key ${created.id} (${name}, ${created.scopes.join(", ")}${campaigns}).`,
          options.json,
        );
      }),
    );
}

function listCommand(key: Command, withApp: WithApp): void {
  add(key, "list", "list the keys of a workspace, without their secrets").action(({ workspace, json }: Common) =>
    withApp(async (app) => {
      const { keys } = await inWorkspace(app, workspace, (tx) => listApiKeys(tx, workspace, { limit: maxListed }));
      const rows = keys.map((row) => [
        ...[row.id, row.name, row.scopes.join(","), row.campaignIds?.join(",") ?? "all"],
        ...[stateOf(row), row.lastUsedAt?.toISOString() ?? "never"],
      ]);
      const headings = ["ID", "NAME", "SCOPES", "CAMPAIGNS", "STATE", "LAST USED"];
      print(keys.map(toKeyBody), table(headings, rows, "This workspace has no keys."), json);
    }),
  );
}

function changeCommands(key: Command, withApp: WithApp): void {
  withKeyId(add(key, "change", "rename a key or change its expiry; scopes and campaigns cannot change"))
    .option("--name <name>", "name of the key, up to 200 characters")
    .option("--expires-at <time>", "expiry time, such as 2027-01-31T00:00:00Z", parseTime)
    .option("--never-expires", "remove the expiry")
    .action((id: string, options: Common & { name?: string; expiresAt?: Date; neverExpires?: boolean }) =>
      withApp(async (app) => {
        const { name: given } = validate(CreateKeyBody.pick({ name: true }).partial(), { name: options.name });
        const expiresAt = options.neverExpires ? null : options.expiresAt;
        const changed = await changeApiKey(app, operatorIn(options.workspace), id, { name: given, expiresAt });
        print(toKeyBody(changed), `Key ${id} (${changed.name}) is ${stateOf(changed)}.`, options.json);
      }),
    );

  withKeyId(add(key, "revoke", "revoke a key; takes effect on every process within a second")).action(
    (id: string, options: Common) =>
      withApp(async (app) => {
        // The operator can always create another key.
        const revoked = await revokeApiKey(app, operatorIn(options.workspace), id, { keepLast: false });
        print(toKeyBody(revoked), `Key ${id} (${revoked.name}) is revoked.`, options.json);
      }),
  );
}

function rotateCommand(key: Command, withApp: WithApp): void {
  withKeyId(add(key, "rotate", "replace a key with a new one and show the new one once"))
    .option("--overlap-hours <hours>", "hours for which the old key keeps working, 0 to 168", Number, 24)
    .action((id: string, options: Common & { overlapHours: number }) =>
      withApp(async (app) => {
        const { overlap_hours: overlapHours } = validate(RotateKeyBody, { overlap_hours: options.overlapHours });
        const created = await rotateApiKey(app, operatorIn(options.workspace), id, { overlapHours });
        const message = `Key ${created.id} replaces ${id}, which keeps working for ${overlapHours} h.`;
        printNewKey(created, message, options.json);
      }),
    );
}

function limitsCommand(key: Command, withApp: WithApp): void {
  const message = "show or change the limits of a key; takes effect on every process within seconds";
  withKeyId(add(key, "limits", message))
    .option("--requests-per-second <n>", "a number, none or default", parseLimit)
    .option("--uploads-at-once <n>", "a number, none or default", parseLimit)
    .action((keyId: string, { workspace, json, ...changes }: Common & KeyLimitChanges) =>
      withApp(async (app) => {
        const found = await setKeyLimits(app, operator, { workspaceId: workspace, keyId }, changes);
        print(toLimitsBody(found).key, limitsTable(toLimitsBody(found).key), json);
      }),
    );
}
