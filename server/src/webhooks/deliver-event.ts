import type { AttemptBody } from "@hearback/contract";
import { z } from "zod";
import { record } from "../audit/record.ts";
import { toEventBody } from "../events/event-body.ts";
import type { StoredEvent } from "../events/read-events.ts";
import { system } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { withRetries } from "../platform/database/with-retries.ts";
import { defineJob, enqueue, type Job } from "../platform/queue.ts";
import { openAddressRules } from "./address-rules.ts";
import { disableEndpoint } from "./disable-endpoint.ts";
import type { Endpoint } from "./endpoint-body.ts";
import { allLanes, type EndpointLanes, openEndpointLanes } from "./endpoint-lanes.ts";
import { type Answer, postPayload } from "./post-payload.ts";
import { parseRetryAfter, patienceMs, pauseAfter } from "./retry-schedule.ts";
import { signPayload } from "./sign-payload.ts";

const DeliveryJob = z.object({
  workspaceId: z.uuid(),
  deliveryId: z.uuid(),
  /** How many attempts there were before: a job that runs twice finds that its number has passed. */
  attempt: z.int(),
});
type DeliveryJob = z.output<typeof DeliveryJob>;

const lanesOf = new WeakMap<App, EndpointLanes>();

/** Sends one event to one endpoint, once; what comes of it decides whether there is a next time. */
export const deliverEvent: Job<DeliveryJob> = defineJob({
  name: "event.deliver",
  concurrency: () => allLanes,
  // Whether the receiver takes it is counted by us. What is tried again here is our own failure.
  options: { retryLimit: 10_000, retryDelayMax: 300, expireInSeconds: 120 },
  payload: DeliveryJob,
  async run(app, job) {
    const found = await load(app, job);
    if (!found) return;
    const lanes = lanesOf.get(app) ?? openEndpointLanes();
    lanesOf.set(app, lanes);
    const lane = lanes.enter(found.endpoint.id, performance.now());
    if ("putOffMs" in lane) {
      const startAfter = new Date(Date.now() + lane.putOffMs);
      return inWorkspace(app, job.workspaceId, (tx) => enqueue(tx, deliverEvent, job, { startAfter }));
    }
    const at = new Date();
    let answer: Answer;
    try {
      answer = await send(app, found, at);
    } finally {
      lane.leave(performance.now());
    }
    await withRetries(() => recordAttempt(app, job, found.endpoint, { at, answer, endedAt: new Date() }));
  },
});

interface Found {
  readonly endpoint: Endpoint;
  readonly event: StoredEvent;
}

/** What is to be sent, if it still is. */
async function load(app: App, { workspaceId, deliveryId, attempt }: DeliveryJob): Promise<Found | undefined> {
  return inWorkspace(app, workspaceId, async (tx) => {
    const delivery = await pending(tx, { workspaceId, deliveryId, attempt }).executeTakeFirst();
    if (!delivery) return undefined;
    const endpoint = await tx
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
    if (endpoint && event) return { endpoint, event: event as StoredEvent };
    // The event was removed for its age while it waited.
    await settle(tx, workspaceId, deliveryId, "cancelled");
    return undefined;
  });
}

const pending = (tx: Db, { workspaceId, deliveryId, attempt }: DeliveryJob) =>
  tx
    .selectFrom("webhookDelivery")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", deliveryId)
    .where("state", "=", "pending")
    .where("attempts", "=", attempt);

async function send(app: App, { endpoint, event }: Found, at: Date): Promise<Answer> {
  const { id, type, created_at: timestamp, data } = toEventBody(event);
  const body = JSON.stringify({ id, type, timestamp, data });
  const { secret, previousSecret, previousSecretUntil } = endpoint;
  const overlaps = previousSecret && previousSecretUntil && previousSecretUntil > at;
  return postPayload(endpoint.url, {
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "Hearback-Webhooks/1",
      ...signPayload({ id, at, body, secrets: overlaps ? [secret, previousSecret] : [secret] }),
    },
    rules: openAddressRules(app.config.webhooks.allowedNetworks),
  });
}

interface Attempt {
  readonly at: Date;
  readonly endedAt: Date;
  readonly answer: Answer;
}

/** Writes down an attempt, and with it whatever follows from it. */
async function recordAttempt(app: App, job: DeliveryJob, endpoint: Endpoint, attempt: Attempt): Promise<void> {
  const { workspaceId, deliveryId } = job;
  const { at, endedAt, answer } = attempt;
  const delivered = answer.status !== null && answer.status >= 200 && answer.status < 300;
  const outcome = await inWorkspace(app, workspaceId, async (tx) => {
    // Endpoint before delivery, as everybody who changes both takes them.
    const touchesEndpoint = !delivered || endpoint.failingSince !== null;
    const failingSince = touchesEndpoint ? await noteHealth(tx, endpoint, delivered, endedAt) : null;
    const delivery = await pending(tx, job).forUpdate().executeTakeFirst();
    if (!delivery) return "repeated";
    const entry: AttemptBody = {
      at: at.toISOString(),
      status: answer.status,
      error: delivered ? null : (answer.error ?? `status_${answer.status}`),
      duration_ms: endedAt.getTime() - at.getTime(),
    };
    const attempts = delivery.attempts + 1;
    const log = JSON.stringify([...(delivery.log as AttemptBody[]), entry]);
    await change(tx, workspaceId, deliveryId, { attempts, log });
    if (delivered) return settle(tx, workspaceId, deliveryId, "delivered");

    const { retryFactor: factor } = app.config.webhooks;
    const retryAfterMs = parseRetryAfter(answer.retryAfter, endedAt);
    const pause = pauseAfter({ attempts, retryAfterMs, factor, chance: Math.random() });
    const failing = failingSince !== null && endedAt.getTime() - failingSince.getTime() >= patienceMs * factor;
    if (answer.status === 410 || pause === undefined) await settle(tx, workspaceId, deliveryId, "failed");
    if (answer.status === 410) return disable(tx, endpoint, "gone");
    if (failing) return disable(tx, endpoint, "failing");
    if (pause === undefined) return "failed";
    const dueAt = new Date(endedAt.getTime() + pause);
    await change(tx, workspaceId, deliveryId, { dueAt });
    await enqueue(tx, deliverEvent, { ...job, attempt: attempts }, { startAfter: dueAt });
    return "retried";
  });
  app.metrics.deliveries.inc({ outcome });
  const { status, error } = answer;
  const about = { workspaceId, webhookId: endpoint.id, deliveryId, attempt: job.attempt + 1, status, error, outcome };
  app.log.info(about, "delivery attempted");
}

/** Locks the endpoint and notes since when it has taken nothing. */
async function noteHealth(tx: Db, { workspaceId, id }: Endpoint, delivered: boolean, now: Date): Promise<Date | null> {
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

async function disable(tx: Db, { workspaceId, id }: Endpoint, reason: "gone" | "failing"): Promise<string> {
  await disableEndpoint(tx, workspaceId, id, reason);
  const data = { changed: ["enabled"], reason };
  await record(tx, workspaceId, { actor: system, action: "webhook.changed", subject: { type: "webhook", id }, data });
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
