import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../../platform/app.ts";
import { isOpen, probeDelay } from "../queue/circuit-breaker.ts";
import type { Claim, Pause } from "../queue/delivery-lease.ts";
import { type DueDelivery, findDueDeliveries } from "../queue/find-due-deliveries.ts";
import { attemptDelivery } from "./attempt-delivery.ts";
import type { DeliverySlots } from "./delivery-slots.ts";

/** Time slice of one webhook. */
const sliceMs = 2_000;
/** Shorter pauses are awaited in place instead of releasing the lease. */
const maxSleepMs = 500;
/** Test events do not end this pause, because they need a slot too. */
const noSlot: Pause = { ms: 1_000, exceptTests: false };
const sliceEnded: Pause = { ms: 0, exceptTests: false };

/**
 * Sends the due deliveries of one webhook, in parallel as far as slots are free. While the webhook is failing, sends one at a
 * time with pauses (circuit breaker). Returns the pause before the next run, or undefined to wait for the next due delivery.
 */
export async function deliverToWebhook(
  app: App,
  claim: Claim,
  slots: DeliverySlots,
  signal: AbortSignal,
): Promise<Pause | undefined> {
  const { workspaceId, endpointId } = claim;
  const { retryFactor: factor } = app.config.webhooks;
  const endAt = performance.now() + sliceMs;
  const inFlight = new Map<string, Promise<void>>();
  let waiting: DueDelivery[] | undefined;
  let health: { failingSince: Date | null; failures: number } | undefined;
  let probing = false;
  let failure: unknown;

  async function attempt(delivery: DueDelivery): Promise<void> {
    const result = await attemptDelivery(app, { workspaceId, deliveryId: delivery.id, attempt: delivery.attempts });
    if (!result) return;
    if (result.delivered) probing = false;
    const failures = result.delivered ? 0 : (health?.failures ?? 0) + 1;
    health = { failingSince: result.failingSince, failures };
  }

  function start(delivery: DueDelivery, release: (now: number) => void): Promise<void> {
    const done = attempt(delivery)
      .catch((error) => {
        failure ??= error;
      })
      .finally(() => {
        release(performance.now());
        inFlight.delete(delivery.id);
      });
    inFlight.set(delivery.id, done);
    return done;
  }

  try {
    for (;;) {
      if (failure) throw failure;
      if (signal.aborted || performance.now() >= endAt) return sliceEnded;
      if (!waiting?.length) {
        const found = await findDueDeliveries(app, claim, [...inFlight.keys()]);
        if (!found) return undefined;
        waiting = found.deliveries;
        // The webhook was failing before: one delivery must succeed before several are sent.
        if (!health) probing = found.failingSince !== null;
        health ??= { failingSince: found.failingSince, failures: 0 };
      }
      const open = probing || (health && isOpen({ ...health, now: new Date(), factor }));
      const mayStart = waiting.length > 0 && !(open && inFlight.size > 0);
      const slot = mayStart ? slots.acquire(endpointId, performance.now()) : undefined;
      const delivery = slot && waiting.shift();
      if (slot && delivery) {
        const done = start(delivery, slot.release);
        if (!open) continue;
        await done;
        if (!health?.failures) continue;
        const pauseMs = probeDelay({ failingSince: health.failingSince, now: new Date(), factor });
        if (pauseMs > maxSleepMs) return { ms: pauseMs, exceptTests: true };
        await sleep(pauseMs);
        waiting = undefined;
      } else if (inFlight.size > 0) await Promise.race(inFlight.values());
      else return waiting.length > 0 ? noSlot : undefined;
    }
  } finally {
    await Promise.all(inFlight.values());
  }
}
