import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";

/*
 * A webhook's row in `webhook_follower` is its delivery job: `due_at` is the time of its next delivery, and the lease names the
 * worker that sends it. One row per webhook, however many deliveries are pending.
 */

/** Lease duration: another worker takes over the webhooks of a crashed one after this. Renewed every 3 s. */
const leaseSeconds = 10;
export const renewEveryMs = 3_000;
const maxPauseMs = 3_600_000;

const afterMs = (ms: number) => sql`now() + make_interval(secs => ${ms / 1000})`;

export interface Claim {
  readonly endpointId: string;
  readonly workspaceId: string;
  /** Id of the worker that holds the lease. */
  readonly lease: string;
}

interface ClaimOptions {
  readonly lease: string;
  readonly limit: number;
  /** Webhooks that this worker is still processing. */
  readonly running: readonly string[];
}

/** Leases due webhooks that no worker holds, longest waiting first. */
export async function claimDue(db: Db, { lease, limit, running }: ClaimOptions): Promise<Claim[]> {
  const { rows } = await sql<Omit<Claim, "lease">>`
    update webhook_follower set lease = ${lease}, leased_until = now() + make_interval(secs => ${leaseSeconds})
    where endpoint_id = any(array(
      select endpoint_id from webhook_follower
      where due_at <= now() and leased_until <= now() and endpoint_id <> all(${running}::uuid[])
      order by due_at limit ${limit} for update skip locked
    )) returning endpoint_id, workspace_id`.execute(db);
  return rows.map((row) => ({ ...row, lease }));
}

/** Renews leases. Skips locked rows until the next time: waiting for them would let the other leases expire. */
export async function renewLeases(db: Db, lease: string, running: readonly string[]): Promise<void> {
  await sql`
    update webhook_follower set leased_until = now() + make_interval(secs => ${leaseSeconds})
    where endpoint_id = any(array(
      select endpoint_id from webhook_follower
      where endpoint_id = any(${running}::uuid[]) and lease = ${lease} for update skip locked
    ))`.execute(db);
}

export interface Pause {
  readonly ms: number;
  /** Test events end the pause early. */
  readonly exceptTests: boolean;
}

/** Releases the lease and sets `due_at` to the next delivery or the end of the pause, at most an hour ahead. */
export async function releaseLease(app: App, claim: Claim, pause: Pause | undefined): Promise<void> {
  const { workspaceId, endpointId, lease } = claim;
  await inWorkspace(app, workspaceId, async (tx) => {
    // Locks the row before reading deliveries. A concurrent insert waits and then sets `due_at` itself.
    const held = tx.selectFrom("webhookFollower").select("endpointId").where("endpointId", "=", endpointId);
    if (!(await held.where("lease", "=", lease).forUpdate().executeTakeFirst())) return;
    const waiting = sql`from webhook_delivery
      where workspace_id = ${workspaceId} and endpoint_id = ${endpointId} and state = 'pending'`;
    // `offset 0` forces the index of test events. With an order, the planner may scan all pending deliveries.
    const nextDelivery = pause
      ? sql`select min(due_at) from (
          select due_at ${waiting} and event_type = 'webhook.test' and ${pause.exceptTests} offset 0) as tests`
      : sql`select due_at ${waiting} order by due_at limit 1`;
    const atMostMs = pause?.ms ?? maxPauseMs;
    await sql`
      update webhook_follower set lease = null, leased_until = '-infinity',
        due_at = least(${afterMs(atMostMs)}, (${nextDelivery}))
      where endpoint_id = ${endpointId}`.execute(tx);
  });
}

/**
 * Sets `due_at` to now or the end of a pause, unless it is earlier already. Always locks the row, so that a worker that is
 * about to release its lease waits and then sees the new deliveries.
 */
export async function wakeWebhook(tx: Db, endpointId: string, pauseMs = 0): Promise<void> {
  await sql`
    update webhook_follower set due_at = least(due_at, ${afterMs(pauseMs)})
    where endpoint_id = ${endpointId}`.execute(tx);
}
