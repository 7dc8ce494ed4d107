import { SpanKind } from "@opentelemetry/api";
import type { PgBoss } from "pg-boss";
import type { App } from "../app.ts";
import { continueTrace, inSpan } from "../tracing/spans.ts";
import type { Job } from "./queue.ts";

/** Polling intervals of a job's first lane, its other lanes, and the lanes of scheduled jobs. */
const pollSeconds = { first: 1, other: 5, scheduled: 20 };

/**
 * Opens the concurrent lanes of a job, each of which runs one job at a time. Returns a function that wakes an idle
 * lane. Only the first lane polls frequently; a lane that finds a job wakes the next one, so idle lanes cost little.
 */
export async function openLanes(app: App, boss: PgBoss, job: Job<unknown>): Promise<() => void> {
  if (job.schedule) await boss.schedule(job.name, job.schedule, null, { tz: "UTC" });
  const lanes: string[] = [];
  const busy = new Set<string>();
  let next = 0;
  function wakeOne(): void {
    const idle = lanes.filter((lane) => !busy.has(lane));
    next += 1;
    const lane = idle[next % idle.length];
    if (lane) boss.notifyWorker(lane);
  }
  for (let number = 0; number < job.concurrency(app); number++) {
    const pollingIntervalSeconds = pollSeconds[job.schedule ? "scheduled" : number === 0 ? "first" : "other"];
    const lane = await boss.work(job.name, { batchSize: 1, pollingIntervalSeconds }, async ([fetched]) => {
      const ownLane = lanes[number] ?? "";
      if (!fetched) return;
      busy.add(ownLane);
      wakeOne();
      try {
        await perform(app, job, fetched);
      } finally {
        busy.delete(ownLane);
        // There may be more jobs: poll again immediately.
        boss.notifyWorker(ownLane);
      }
    });
    lanes.push(lane);
  }
  return wakeOne;
}

interface FetchedJob {
  readonly id: string;
  readonly data: unknown;
  readonly signal: AbortSignal;
}

async function perform(app: App, job: Job<unknown>, fetched: FetchedJob): Promise<void> {
  const began = performance.now();
  const about = { job: job.name, jobId: fetched.id };
  const observe = (outcome: "done" | "failed") =>
    app.metrics.jobs.observe({ queue: job.name, outcome }, (performance.now() - began) / 1000);
  const options = { kind: SpanKind.CONSUMER, parent: continueTrace(fetched.data) };
  await inSpan(job.name, options, async () => {
    try {
      await job.perform(app, fetched.data, fetched.signal);
      observe("done");
      app.log.debug({ ...about, ms: Math.round(performance.now() - began) }, "job done");
    } catch (error) {
      observe("failed");
      app.log.warn({ err: error, ...about }, "job failed and will be retried");
      // The queue stores the error with all its properties, which can contain personal data: pass only its name.
      throw new Error(`${error instanceof Error ? error.name : "Error"}: see the worker's log`);
    }
  });
}
