import { setTimeout as sleep } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import { addCallMonths } from "./calls/add-call-months.ts";
import { prepareCall } from "./calls/prepare-call.ts";
import { sweepRecordings } from "./calls/sweep-recordings.ts";
import type { App } from "./platform/app.ts";
import type { Job } from "./platform/queue.ts";
import { openQueue, relayJobs } from "./platform/queue-engine.ts";
import { sendInvitation } from "./users/send-invitation.ts";

/** Every background job of the service, listed once. */
export const jobs: readonly Job<unknown>[] = [prepareCall, sendInvitation, sweepRecordings, addCallMonths];

const relayPauseMs = 250;

export interface Worker {
  /** Takes no new work, finishes what it has. */
  stop(): Promise<void>;
}

export async function runWorker(app: App): Promise<Worker> {
  const boss = openQueue(app.config.database.url);
  boss.on("error", (err) => app.log.error({ err }, "queue failed"));
  await boss.start();
  for (const job of jobs) await take(app, boss, job);
  const relay = runRelay(app, boss);
  app.log.info({ jobs: jobs.length }, "worker ready");
  return {
    async stop() {
      await relay.stop();
      await boss.stop({ graceful: true, timeout: 60_000 });
    },
  };
}

async function take(app: App, boss: PgBoss, job: Job<unknown>): Promise<void> {
  const { name, perform, schedule } = job;
  if (!perform) return;
  if (schedule) await boss.schedule(name, schedule, null, { tz: "UTC" });
  await boss.work(name, { batchSize: 1, pollingIntervalSeconds: 1 }, async ([taken]) => {
    if (!taken) return;
    try {
      await perform(app, taken.data);
      app.metrics.jobs.inc({ job: name, outcome: "done" });
    } catch (error) {
      app.metrics.jobs.inc({ job: name, outcome: "failed" });
      app.log.warn({ err: error, job: name, jobId: taken.id }, "job failed and will be tried again");
      throw error;
    }
  });
}

/** Brings jobs from `outgoing_job` to the queue until it is stopped. */
function runRelay(app: App, boss: PgBoss) {
  const stopping = new AbortController();
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const moved = await relayJobs(app, boss).catch((err) => {
        app.log.warn({ err }, "jobs could not be relayed yet");
        return 0;
      });
      if (moved === 0) await sleep(relayPauseMs, undefined, { signal: stopping.signal }).catch(() => {});
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
