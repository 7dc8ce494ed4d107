import type { AttemptBody } from "@hearback/contract";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { toEventBody } from "../../events/event-body.ts";
import { type EventIds, readEventIds } from "../../events/event-id.ts";
import type { StoredEvent } from "../../events/read-events.ts";
import { system } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { withRetries } from "../../platform/database/with-retries.ts";
import { openAddressRules } from "../endpoint/address-rules.ts";
import { disableWebhook } from "../endpoint/disable-webhook.ts";
import { signPayload } from "../endpoint/sign-payload.ts";
import { signingSecrets } from "../endpoint/webhook-secret.ts";
import type { Webhook } from "../webhook-body.ts";
import { type PostResult, postPayload } from "./post-payload.ts";
import { disableAfterMs, parseRetryAfter, retryDelay } from "./retry-schedule.ts";

interface PendingDelivery {
  readonly workspaceId: string;
  readonly deliveryId: string;
  /** Number of earlier attempts. A worker with an outdated number sends nothing. */
  readonly attempt: number;
}

interface Result {
  readonly delivered: boolean;
  /** Start of the current run of failures, or null after a success. */
  readonly failingSince: Date | null;
}

/** Sends one event to one webhook and schedules a retry if it fails. Returns undefined if the delivery is no longer pending. */
export async function attemptDelivery(app: App, due: PendingDelivery): Promise<Result | undefined> {
  const found = await load(app, due);
  if (!found) return undefined;
  const at = new Date();
  const result = await send(app, found, at);
  const attempt = { at, result, endedAt: new Date() };
  return withRetries(() => recordAttempt(app, due, found.webhook, attempt));
}

interface Found {
  readonly webhook: Webhook;
  readonly event: StoredEvent;
  readonly ids: EventIds;
}

/** Loads the webhook and the event of a pending delivery. */
async function load(app: App, { workspaceId, deliveryId, attempt }: PendingDelivery): Promise<Found | undefined> {
  return inWorkspace(app, workspaceId, async (tx) => {
    const delivery = await pending(tx, { workspaceId, deliveryId, attempt }).executeTakeFirst();
    if (!delivery) return undefined;
    const webhook = await tx
      .selectFrom("webhookEndpoint")
      .selectAll()
      .where("workspaceId", "=", workspaceId)
      .where("id", "=", delivery.endpointId)
      .executeTakeFirst();
    const event = await tx
      .selectFrom("event")
      .select(["epoch", "xid", "seq", "type", "data", "createdAt"])
      .where("workspaceId", "=", workspaceId)
      .where("epoch", "=", delivery.eventEpoch)
      .where("xid", "=", delivery.eventXid)
      .where("seq", "=", delivery.eventSeq)
      .executeTakeFirst();
    if (webhook && event) {
      return { webhook, event: event as StoredEvent, ids: await readEventIds(tx, workspaceId) };
    }
    // The event expired while the delivery was waiting.
    await settle(tx, workspaceId, deliveryId, "cancelled");
    return undefined;
  });
}

const pending = (tx: Db, { workspaceId, deliveryId, attempt }: PendingDelivery) =>
  tx
    .selectFrom("webhookDelivery")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", deliveryId)
    .where("state", "=", "pending")
    .where("attempts", "=", attempt);

async function send(app: App, { webhook, event, ids }: Found, at: Date): Promise<PostResult> {
  const { id, type, created_at: timestamp, data } = toEventBody(event, ids);
  const body = JSON.stringify({ id, type, timestamp, data });
  return postPayload(webhook.url, {
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "Hearback-Webhooks/1",
      ...signPayload({ id, at, body, secrets: signingSecrets(app, webhook, at) }),
    },
    rules: openAddressRules(app.config.webhooks.allowedNetworks),
  });
}

interface Attempt {
  readonly at: Date;
  readonly endedAt: Date;
  readonly result: PostResult;
}

/** Stores the attempt and its consequences: delivered, retry, failed or webhook disabled. */
async function recordAttempt(app: App, job: PendingDelivery, webhook: Webhook, attempt: Attempt): Promise<Result> {
  const { workspaceId, deliveryId } = job;
  const { at, endedAt, result } = attempt;
  const delivered = result.status !== null && result.status >= 200 && result.status < 300;
  let failingSince: Date | null = null;
  const outcome = await inWorkspace(app, workspaceId, async (tx) => {
    // Lock order: webhook before delivery, as everywhere else.
    const updatesHealth = !delivered || webhook.failingSince !== null;
    failingSince = updatesHealth ? await updateHealth(tx, webhook, delivered, endedAt) : null;
    const delivery = await pending(tx, job).forUpdate().executeTakeFirst();
    if (!delivery) return "repeated";
    const entry: AttemptBody = {
      at: at.toISOString(),
      status: result.status,
      error: delivered ? null : (result.error ?? `status_${result.status}`),
      duration_ms: endedAt.getTime() - at.getTime(),
    };
    const attempts = delivery.attempts + 1;
    const log = JSON.stringify([...(delivery.log as AttemptBody[]), entry]);
    await change(tx, workspaceId, deliveryId, { attempts, log });
    if (delivered) return settle(tx, workspaceId, deliveryId, "delivered");

    const { retryFactor: factor } = app.config.webhooks;
    const retryAfterMs = parseRetryAfter(result.retryAfter, endedAt);
    const delay = retryDelay({ attempts, retryAfterMs, factor, chance: Math.random() });
    const failingTooLong =
      failingSince !== null && endedAt.getTime() - failingSince.getTime() >= disableAfterMs * factor;
    if (result.status === 410 || delay === undefined) await settle(tx, workspaceId, deliveryId, "failed");
    if (result.status === 410) return disable(tx, webhook, "gone");
    if (failingTooLong) return disable(tx, webhook, "failing");
    if (delay === undefined) return "failed";
    await change(tx, workspaceId, deliveryId, { dueAt: new Date(endedAt.getTime() + delay) });
    return "retried";
  });
  app.metrics.deliveries.inc({ outcome });
  const { status, cause } = result;
  const fields = { workspaceId, webhookId: webhook.id, deliveryId, attempt: job.attempt + 1, status, cause, outcome };
  app.log.info(fields, "delivery attempted");
  return { delivered, failingSince };
}

/** Locks the webhook and updates `failing_since`. */
async function updateHealth(tx: Db, { workspaceId, id }: Webhook, delivered: boolean, now: Date): Promise<Date | null> {
  const row = await tx
    .selectFrom("webhookEndpoint")
    .select("failingSince")
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) return null;
  const failingSince = delivered ? null : (row.failingSince ?? now);
  if (failingSince?.getTime() !== row.failingSince?.getTime()) {
    const update = tx.updateTable("webhookEndpoint").set({ failingSince });
    await update.where("workspaceId", "=", workspaceId).where("id", "=", id).execute();
  }
  return failingSince;
}

async function disable(tx: Db, { workspaceId, id }: Webhook, reason: "gone" | "failing"): Promise<string> {
  await disableWebhook(tx, workspaceId, id, reason);
  const data = { changed: ["enabled"], reason };
  await recordAuditEntry(tx, workspaceId, {
    actor: system,
    action: "webhook.changed",
    subject: { type: "webhook", id },
    data,
  });
  return reason;
}

interface Change {
  readonly attempts?: number;
  readonly log?: string;
  readonly dueAt?: Date | null;
  readonly state?: string;
  readonly settledAt?: Date;
}

async function change(tx: Db, workspaceId: string, deliveryId: string, values: Change): Promise<void> {
  const row = tx.updateTable("webhookDelivery").set(values);
  await row.where("workspaceId", "=", workspaceId).where("id", "=", deliveryId).execute();
}

async function settle<State extends "delivered" | "failed" | "cancelled">(
  tx: Db,
  workspaceId: string,
  deliveryId: string,
  state: State,
): Promise<State> {
  await change(tx, workspaceId, deliveryId, { state, settledAt: new Date(), dueAt: null });
  return state;
}
