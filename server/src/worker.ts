import { setTimeout as sleep } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import { removeEnded } from "./access/remove-ended.ts";
import { addCallMonths } from "./calls/add-call-months.ts";
import { abandonCall, prepareCall } from "./calls/prepare-call.ts";
import { removeOldListenings } from "./calls/remove-old-listenings.ts";
import { reviveCalls } from "./calls/revive-calls.ts";
import { sweepRecordings } from "./calls/sweep-recordings.ts";
import { removeOldEvents } from "./events/remove-old-events.ts";
import { recountAll } from "./limits/recount-usage.ts";
import type { App } from "./platform/app.ts";
import { ConfigError } from "./platform/config.ts";
import { databaseUnavailable } from "./platform/database/unavailable.ts";
import type { Scratch } from "./platform/media/scratch.ts";
import { openMonitor } from "./platform/monitor.ts";
import { enqueue, type Job } from "./platform/queue.ts";
import { openQueue, relayJobs } from "./platform/queue-engine.ts";
import { openLanes } from "./platform/queue-lanes.ts";
import { expire } from "./privacy/expire-calls.ts";
import { replay } from "./privacy/replay-erasures.ts";
import { eraseRequested } from "./privacy/run-erasure.ts";
import { sendInvitation } from "./users/send-invitation.ts";
import { sendReset } from "./users/send-reset.ts";
import { deliverEvent } from "./webhooks/deliver-event.ts";
import { followEvents } from "./webhooks/follow-events.ts";
import { removeOldDeliveries } from "./webhooks/remove-old-deliveries.ts";

/** Every background job of the service, listed once. */
export const jobs: readonly Job<unknown>[] = [
  prepareCall,
  abandonCall,
  reviveCalls,
  sendInvitation,
  sendReset,
  removeEnded,
  sweepRecordings,
  removeOldListenings,
  addCallMonths,
  deliverEvent,
  removeOldEvents,
  removeOldDeliveries,
  eraseRequested,
  replay,
  expire,
  recountAll,
];

const relayPauseMs = 250;
const followPauseMs = 500;
const databasePauseMs = 2_000;
/** How long a worker that is told to stop goes on with what it has. Then another one takes it over. */
const stopMs = 60_000;

export interface Worker {
  /** Takes no new work, finishes what it has. */
  stop(): Promise<void>;
}

export async function runWorker(app: App): Promise<Worker> {
  // Closed in the opposite order, also when one of them cannot be opened: a worker runs whole or not at all.
  const parts = new AsyncDisposableStack();
  try {
    const scratch = await openConfinedScratch(app);
    parts.defer(() => scratch.close());
    const boss = openQueue(app.config.database.url);
    boss.on("error", (err) => app.log.error({ err }, "queue failed"));
    const monitor = await openMonitor(app, boss);
    parts.defer(() => monitor.close());
    await startQueue(app, boss);
    parts.defer(() => boss.stop({ graceful: true, timeout: stopMs }));
    // The database may have been restored since the last one ran.
    await enqueue(app.db, replay, {});
    const wake = new Map<string, () => void>();
    for (const job of jobs) wake.set(job.name, await openLanes(app, boss, job));
    const relay = runRelay(app, boss, wake);
    parts.defer(() => relay.stop());
    const following = runFollowing(app);
    parts.defer(() => following.stop());
    app.log.info({ jobs: jobs.length, port: monitor.port }, "worker ready");
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
  return { stop: () => parts.disposeAsync() };
}

/** A worker may start before its database: it waits for it. */
async function startQueue(app: App, boss: PgBoss): Promise<void> {
  for (;;) {
    try {
      await boss.start();
      return;
    } catch (err) {
      if (!databaseUnavailable(err)) throw err;
      app.log.warn({ err }, "the database cannot answer yet: waiting for it");
      await sleep(databasePauseMs);
    }
  }
}

/** Where recordings are unpacked, and how strictly the tools that read them are kept in. */
async function openConfinedScratch(app: App): Promise<Scratch> {
  const scratch = await app.scratch();
  const { name } = scratch.confinement;
  if (name === "sandbox") return scratch;
  if (app.config.media.sandboxRequired) {
    await scratch.close();
    throw new ConfigError(
      `MEDIA_SANDBOX=required, and the strictest confinement that works here is "${name}": is bubblewrap installed, and are user namespaces allowed?`,
    );
  }
  app.log.warn({ confinement: name }, "recordings are decoded without a sandbox: see docs/operations/install.md");
  return scratch;
}

/** Brings jobs from `outgoing_job` to the queue until it is stopped. */
function runRelay(app: App, boss: PgBoss, wake: ReadonlyMap<string, () => void>) {
  return repeat(relayPauseMs, async () => {
    const moved = await relayJobs(app, boss).catch((err) => {
      app.log.warn({ err }, "jobs could not be relayed yet");
      return [];
    });
    for (const name of moved) wake.get(name)?.();
    return moved.length > 0;
  });
}

/** Turns new events into deliveries until it is stopped. */
function runFollowing(app: App) {
  return repeat(followPauseMs, async () => {
    const queued = await followEvents(app).catch((err) => {
      app.log.warn({ err }, "events could not be followed yet");
      return 0;
    });
    return queued > 0;
  });
}

/** Does the work again and again, with a pause when there was none to do. */
function repeat(pauseMs: number, work: () => Promise<boolean>) {
  const stopping = new AbortController();
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (!(await work())) await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const done = run();
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}
