import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../../platform/app.ts";
import { type Claim, claimDue, releaseLease, renewEveryMs, renewLeases } from "../queue/delivery-lease.ts";
import { deliverToWebhook } from "./deliver-to-webhook.ts";
import { openDeliverySlots, totalSlots } from "./delivery-slots.ts";

const pollMs = 250;

export interface Deliveries {
  /** Polls for due webhooks immediately. */
  poll(): void;
  /** Starts no new attempts and waits for running ones. */
  stop(): Promise<void>;
}

/** Sends due deliveries until stopped. Workers share the webhooks by leases. */
export function runDeliveries(app: App): Deliveries {
  const lease = randomUUID();
  const slots = openDeliverySlots();
  const runs = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  let wake = new AbortController();
  const poll = () => wake.abort();

  async function deliver(claim: Claim): Promise<void> {
    const began = performance.now();
    let outcome = "done";
    try {
      const pause = await deliverToWebhook(app, claim, slots, stopping.signal);
      await releaseLease(app, claim, pause);
    } catch (err) {
      // The lease expires on its own.
      outcome = "failed";
      app.log.warn({ err, webhookId: claim.endpointId }, "could not send deliveries; retrying");
    }
    app.metrics.jobs.observe({ queue: "webhook.deliver", outcome }, (performance.now() - began) / 1000);
  }

  async function claimWebhooks(): Promise<void> {
    const limit = totalSlots - runs.size;
    if (limit <= 0) return;
    for (const claim of await claimDue(app.db, { lease, limit, running: [...runs.keys()] })) {
      const run = deliver(claim).finally(() => {
        runs.delete(claim.endpointId);
        poll();
      });
      runs.set(claim.endpointId, run);
    }
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      await claimWebhooks().catch((err) => app.log.warn({ err }, "could not find due webhooks; retrying"));
      await sleep(pollMs, undefined, { signal: wake.signal }).catch(() => {});
    }
  }

  const renewing = setInterval(() => {
    if (runs.size === 0) return;
    renewLeases(app.db, lease, [...runs.keys()]).catch((err) => app.log.warn({ err }, "could not renew leases"));
  }, renewEveryMs);
  const looping = loop();
  return {
    poll,
    async stop() {
      stopping.abort();
      poll();
      await looping;
      await Promise.all(runs.values());
      clearInterval(renewing);
    },
  };
}
