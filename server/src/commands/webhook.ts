import { CreateWebhookBody, type ListDeliveriesQuery, ReplayFields, RotateSecretBody } from "@hearback/contract";
import { type Command, Option } from "commander";
import { z } from "zod";
import { operatorIn } from "../platform/actor.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { changeEndpoint } from "../webhooks/change-endpoint.ts";
import { createEndpoint } from "../webhooks/create-endpoint.ts";
import { deleteEndpoint } from "../webhooks/delete-endpoint.ts";
import { type Endpoint, toWebhookBody } from "../webhooks/endpoint-body.ts";
import { listDeliveries, toDeliveryBody } from "../webhooks/list-deliveries.ts";
import { listEndpoints } from "../webhooks/list-endpoints.ts";
import { replayEvents } from "../webhooks/replay-events.ts";
import { toReplayInput } from "../webhooks/replay-input.ts";
import { rotateSecret } from "../webhooks/rotate-secret.ts";
import { testEndpoint } from "../webhooks/test-endpoint.ts";
import { checked } from "./checked.ts";
import { print, table } from "./output.ts";
import { anId, type Common, type WithApp } from "./with-app.ts";

/** A subcommand of `webhook` with what all of them take. */
function add(webhook: Command, name: string, description: string, example: string): Command {
  return webhook
    .command(name)
    .description(description)
    .requiredOption("--workspace <id>", "the workspace", anId)
    .option("--json", "print JSON")
    .addHelpText("after", `\nExample:\n  hearback-server webhook ${name} --workspace … ${example}`);
}

const one = (command: Command) => command.argument("<webhook-id>", "the webhook, as `webhook list` shows it", anId);

const stateOf = ({ disabledAt, disabledReason, failingSince }: Endpoint) =>
  disabledAt
    ? `disabled (${disabledReason})`
    : failingSince
      ? `failing since ${failingSince.toISOString()}`
      : "enabled";

const withSecret = (endpoint: Endpoint) => ({ ...toWebhookBody(endpoint), secret: endpoint.secret });

export function webhookCommands(program: Command, withApp: WithApp): void {
  const webhook = program.command("webhook").description("where events are sent");
  createCommands(webhook, withApp);
  changeCommands(webhook, withApp);
  secretCommands(webhook, withApp);
  deliveryCommands(webhook, withApp);
  replayCommands(webhook, withApp);
}

function createCommands(webhook: Command, withApp: WithApp): void {
  add(webhook, "create", "have events sent to a URL; shows the secret, this once", "--url https://example.com/hearback")
    .requiredOption("--url <url>", "where to")
    .option("--description <text>", "what it is for, up to 200 characters")
    .option("--type <type...>", "only events of these types, such as call.ready; all if absent")
    .action((options: Common & { url: string; description?: string; type?: string[] }) =>
      withApp(async (app) => {
        const { url, description, type: types } = options;
        const endpoint = await createEndpoint(
          app,
          operatorIn(options.workspace),
          checked(CreateWebhookBody, { url, description, types }),
        );
        const words = `Webhook ${endpoint.id}. Its secret is shown this once:\n\n${endpoint.secret}\n`;
        print(withSecret(endpoint), words, options.json);
      }),
    );

  add(webhook, "list", "list the webhooks of a workspace", "--json").action(({ workspace, json }: Common) =>
    withApp(async (app) => {
      const found = await inWorkspace(app, workspace, (tx) => listEndpoints(tx, workspace));
      // A URL's query may hold a secret of the receiver's.
      const rows = found.map((row) => [
        row.id,
        row.url.replace(/[?#].*/, "?…"),
        row.types.join(",") || "all",
        stateOf(row),
      ]);
      const words = table(["ID", "URL", "TYPES", "STATE"], rows, "No webhook in this workspace.");
      print(found.map(toWebhookBody), words, json);
    }),
  );
}

function changeCommands(webhook: Command, withApp: WithApp): void {
  for (const [name, enabled, description, said] of [
    ["disable", false, "send nothing more; what waits is cancelled", "is disabled"],
    ["enable", true, "send what happens from now on; replay what was missed", "is enabled"],
  ] as const) {
    one(add(webhook, name, description, "3f0c5f5e-…")).action((id: string, { workspace, json }: Common) =>
      withApp(async (app) => {
        const endpoint = await changeEndpoint(app, operatorIn(workspace), id, { enabled });
        print(toWebhookBody(endpoint), `Webhook ${id} ${said}.`, json);
      }),
    );
  }

  one(add(webhook, "delete", "remove a webhook and the record of what was sent to it", "3f0c5f5e-…")).action(
    (id: string, { workspace, json }: Common) =>
      withApp(async (app) => {
        await deleteEndpoint(app, operatorIn(workspace), id);
        print({ id, deleted: true }, `Webhook ${id} is deleted.`, json);
      }),
  );
}

function secretCommands(webhook: Command, withApp: WithApp): void {
  one(add(webhook, "rotate-secret", "give a webhook another secret and show it, this once", "3f0c5f5e-…"))
    .option("--overlap-hours <hours>", "how long the old one signs too, 0 to 168", Number, 24)
    .action((id: string, { workspace, overlapHours, json }: Common & { overlapHours: number }) =>
      withApp(async (app) => {
        const { overlap_hours } = checked(RotateSecretBody, { overlap_hours: overlapHours });
        const endpoint = await rotateSecret(app, operatorIn(workspace), id, overlap_hours);
        const words = `Webhook ${id} has a new secret, shown this once. The old one signs too for ${overlapHours} h.\n\n${endpoint.secret}\n`;
        print(withSecret(endpoint), words, json);
      }),
    );

  one(add(webhook, "test", "send a test event to this webhook and to no other", "3f0c5f5e-…")).action(
    (id: string, { workspace, json }: Common) =>
      withApp(async (app) => {
        const { eventId, deliveryId } = await testEndpoint(app, workspace, id);
        const words = `Test event ${eventId} will be sent; \`webhook deliveries\` shows what came of it.`;
        print({ event_id: eventId, delivery_id: deliveryId }, words, json);
      }),
  );
}

type DeliveryOptions = Common & { state?: ListDeliveriesQuery["state"]; limit: string; cursor?: string };

function deliveryCommands(webhook: Command, withApp: WithApp): void {
  one(add(webhook, "deliveries", "what was sent, or is to be, newest first", "3f0c5f5e-… --state failed"))
    .addOption(new Option("--state <state>", "only these").choices(["pending", "delivered", "failed", "cancelled"]))
    .option("--limit <count>", "how many, 1 to 200", "50")
    .option("--cursor <id>", "only those older than this one", anId)
    .action((id: string, { workspace, state, limit, cursor, json }: DeliveryOptions) =>
      withApp(async (app) => {
        const size = checked(z.coerce.number().int().min(1).max(200), limit);
        const page = await inWorkspace(app, workspace, (tx) =>
          listDeliveries(tx, workspace, id, { state, cursor, limit: size }),
        );
        const bodies = page.deliveries.map(toDeliveryBody);
        const rows = bodies.map((body) => {
          const last = body.attempts.at(-1);
          return [body.id, body.event_id, body.type, body.state, `${body.attempts.length}`, last?.error ?? ""];
        });
        const words = table(["ID", "EVENT", "TYPE", "STATE", "ATTEMPTS", "LAST ERROR"], rows, "Nothing was sent.");
        print({ deliveries: bodies, next: page.next }, words, json);
      }),
    );
}

type ReplayOptions = Common & { event?: string; from?: string; to?: string; after?: string; until?: string };

function replayCommands(webhook: Command, withApp: WithApp): void {
  one(add(webhook, "replay", "send events again, with the ids that they had", "3f0c5f5e-… --from 2026-11-14T00:00:00Z"))
    .option("--event <id>", "this one event")
    .option("--from <time>", "events from this time on, such as 2026-11-14T00:00:00Z")
    .option("--to <time>", "and before this time")
    .option("--after <event-id>", "events after this one")
    .option("--until <event-id>", "up to and including this one")
    .action((id: string, { workspace, event: event_id, from, to, after, until, json }: ReplayOptions) =>
      withApp(async (app) => {
        const input = toReplayInput(checked(ReplayFields, { event_id, from, to, after, until }));
        const replayed = await replayEvents(app, workspace, id, input);
        const more = replayed.next ? ` There are more: go on with --after ${replayed.next}.` : "";
        print(replayed, `${replayed.queued.toLocaleString("en")} events will be sent again.${more}`, json);
      }),
    );
}
