import { CreateWebhookBody, type ListDeliveriesQuery, ReplayBody, RotateSecretBody } from "@hearback/contract";
import { type Command, Option } from "commander";
import { z } from "zod";
import { readEventIds } from "../events/event-id.ts";
import { operatorIn } from "../platform/actor.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { changeWebhook } from "../webhooks/endpoint/change-webhook.ts";
import { createWebhook } from "../webhooks/endpoint/create-webhook.ts";
import { deleteWebhook } from "../webhooks/endpoint/delete-webhook.ts";
import { listWebhooks } from "../webhooks/endpoint/list-webhooks.ts";
import { rotateSecret } from "../webhooks/endpoint/rotate-secret.ts";
import { testWebhook } from "../webhooks/endpoint/test-webhook.ts";
import { listDeliveries, toDeliveryBody } from "../webhooks/history/list-deliveries.ts";
import { replayEvents } from "../webhooks/history/replay-events.ts";
import { toReplayInput } from "../webhooks/history/replay-input.ts";
import { toWebhookBody, type Webhook } from "../webhooks/webhook-body.ts";
import { pluralize, print, table } from "./support/output.ts";
import { validate } from "./support/validate.ts";
import { type Common, parseId, type WithApp } from "./support/with-app.ts";

/** Adds a subcommand with the common options. */
function add(webhook: Command, name: string, description: string, example: string): Command {
  return webhook
    .command(name)
    .description(description)
    .requiredOption("--workspace <id>", "the workspace", parseId)
    .option("--json", "print JSON")
    .addHelpText("after", `\nExample:\n  hearback-server webhook ${name} --workspace … ${example}`);
}

const withWebhookId = (command: Command) =>
  command.argument("<webhook-id>", "the id of the webhook, from `webhook list`", parseId);

const stateOf = ({ disabledAt, disabledReason, failingSince }: Webhook) =>
  disabledAt
    ? `disabled (${disabledReason})`
    : failingSince
      ? `failing since ${failingSince.toISOString()}`
      : "enabled";

const withSecret = (hook: Webhook) => ({ ...toWebhookBody(hook), secret: hook.secret });

export function webhookCommands(program: Command, withApp: WithApp): void {
  const webhook = program.command("webhook").description("manage webhooks");
  createCommands(webhook, withApp);
  changeCommands(webhook, withApp);
  secretCommands(webhook, withApp);
  deliveryCommands(webhook, withApp);
  replayCommands(webhook, withApp);
}

function createCommands(webhook: Command, withApp: WithApp): void {
  add(webhook, "create", "create a webhook and show its secret once", "--url https://example.com/hearback")
    .requiredOption("--url <url>", "URL that receives the events")
    .option("--description <text>", "description, up to 200 characters")
    .option("--type <type...>", "only events of these types, such as call.ready; default: all")
    .action((options: Common & { url: string; description?: string; type?: string[] }) =>
      withApp(async (app) => {
        const { url, description, type: types } = options;
        const hook = await createWebhook(
          app,
          operatorIn(options.workspace),
          validate(CreateWebhookBody, { url, description, types }),
        );
        const message = `Created webhook ${hook.id}. Its secret is shown only once:\n\n${hook.secret}\n`;
        print(withSecret(hook), message, options.json);
      }),
    );

  add(webhook, "list", "list the webhooks of a workspace", "--json").action(({ workspace, json }: Common) =>
    withApp(async (app) => {
      const found = await inWorkspace(app, workspace, (tx) => listWebhooks(tx, workspace));
      // The query string may contain a secret of the receiver.
      const rows = found.map((row) => [
        row.id,
        row.url.replace(/[?#].*/, "?…"),
        row.types.join(",") || "all",
        stateOf(row),
      ]);
      const message = table(["ID", "URL", "TYPES", "STATE"], rows, "This workspace has no webhooks.");
      print(found.map(toWebhookBody), message, json);
    }),
  );
}

function changeCommands(webhook: Command, withApp: WithApp): void {
  for (const [name, enabled, description, outcome] of [
    ["disable", false, "disable a webhook and cancel its pending deliveries", "is disabled"],
    ["enable", true, "enable a webhook for new events; use replay for the events it missed", "is enabled"],
  ] as const) {
    withWebhookId(add(webhook, name, description, "3f0c5f5e-…")).action((id: string, { workspace, json }: Common) =>
      withApp(async (app) => {
        const hook = await changeWebhook(app, operatorIn(workspace), id, { enabled });
        print(toWebhookBody(hook), `Webhook ${id} ${outcome}.`, json);
      }),
    );
  }

  withWebhookId(add(webhook, "delete", "delete a webhook and its deliveries", "3f0c5f5e-…")).action(
    (id: string, { workspace, json }: Common) =>
      withApp(async (app) => {
        await deleteWebhook(app, operatorIn(workspace), id);
        print({ id, deleted: true }, `Webhook ${id} is deleted.`, json);
      }),
  );
}

function secretCommands(webhook: Command, withApp: WithApp): void {
  withWebhookId(
    add(webhook, "rotate-secret", "replace the secret of a webhook and show the new one once", "3f0c5f5e-…"),
  )
    .option("--overlap-hours <hours>", "hours for which the old secret also signs, 0 to 168", Number, 24)
    .action((id: string, { workspace, overlapHours, json }: Common & { overlapHours: number }) =>
      withApp(async (app) => {
        const { overlap_hours } = validate(RotateSecretBody, { overlap_hours: overlapHours });
        const hook = await rotateSecret(app, operatorIn(workspace), id, overlap_hours);
        const message = `Webhook ${id} has a new secret, shown only once. The old secret also signs for ${overlapHours} h.\n\n${hook.secret}\n`;
        print(withSecret(hook), message, json);
      }),
    );

  withWebhookId(add(webhook, "test", "send a test event to this webhook only", "3f0c5f5e-…")).action(
    (id: string, { workspace, json }: Common) =>
      withApp(async (app) => {
        const { eventId, deliveryId } = await testWebhook(app, workspace, id);
        const message = `Queued test event ${eventId}. Run \`webhook deliveries\` to see the result.`;
        print({ event_id: eventId, delivery_id: deliveryId }, message, json);
      }),
  );
}

type DeliveryOptions = Common & { state?: ListDeliveriesQuery["state"]; limit: string; cursor?: string };

function deliveryCommands(webhook: Command, withApp: WithApp): void {
  withWebhookId(add(webhook, "deliveries", "list deliveries, newest first", "3f0c5f5e-… --state failed"))
    .addOption(
      new Option("--state <state>", "only deliveries in this state").choices([
        "pending",
        "delivered",
        "failed",
        "cancelled",
      ]),
    )
    .option("--limit <count>", "number of deliveries, 1 to 200", "50")
    .option("--cursor <id>", "only deliveries older than this one", parseId)
    .action((id: string, { workspace, state, limit, cursor, json }: DeliveryOptions) =>
      withApp(async (app) => {
        const size = validate(z.coerce.number().int().min(1).max(200), limit);
        const { ids, page } = await inWorkspace(app, workspace, async (tx) => ({
          page: await listDeliveries(tx, workspace, id, { state, cursor, limit: size }),
          ids: await readEventIds(tx, workspace),
        }));
        const bodies = page.deliveries.map((delivery) => toDeliveryBody(delivery, ids));
        const rows = bodies.map((body) => {
          const last = body.attempts.at(-1);
          return [body.id, body.event_id, body.type, body.state, `${body.attempts.length}`, last?.error ?? ""];
        });
        const message = table(["ID", "EVENT", "TYPE", "STATE", "ATTEMPTS", "LAST ERROR"], rows, "No deliveries found.");
        print({ deliveries: bodies, next: page.next }, message, json);
      }),
    );
}

type ReplayOptions = Common & { event?: string; from?: string; to?: string; after?: string; until?: string };

function replayCommands(webhook: Command, withApp: WithApp): void {
  withWebhookId(
    add(webhook, "replay", "send events again, with their original ids", "3f0c5f5e-… --from 2026-11-14T00:00:00Z"),
  )
    .option("--event <id>", "a single event")
    .option("--from <time>", "events at or after this time, such as 2026-11-14T00:00:00Z")
    .option("--to <time>", "events before this time")
    .option("--after <event-id>", "events after this one")
    .option("--until <event-id>", "events up to and including this one")
    .action((id: string, { workspace, event: event_id, from, to, after, until, json }: ReplayOptions) =>
      withApp(async (app) => {
        const input = toReplayInput(validate(ReplayBody, { event_id, from, to, after, until }));
        const replayed = await replayEvents(app, workspace, id, input);
        const more = replayed.next ? ` There are more events. Continue with --after ${replayed.next}.` : "";
        print(replayed, `Queued ${pluralize(replayed.queued, "event")}.${more}`, json);
      }),
    );
}
