import type { PgBoss } from "pg-boss";
import type { App } from "./app.ts";
import type { Job } from "./queue.ts";

/** How often the first lane of a job looks for work, the others, and those of a job that runs by the clock. */
const looksEverySeconds = { first: 1, other: 5, scheduled: 20 };

/**
 * Opens as many lanes for a job as it wants, each doing one after the other, and gives what wakes one of them. The first
 * looks often; whoever finds a job wakes the next, so that lanes without work cost little.
 */
export async function openLanes(app: App, boss: PgBoss, job: Job<unknown>): Promise<() => void> {
  if (job.schedule) await boss.schedule(job.name, job.schedule, null, { tz: "UTC" });
  const lanes: string[] = [];
  const busy = new Set<string>();
  let turn = 0;
  function wakeOne(): void {
    const idle = lanes.filter((lane) => !busy.has(lane));
    turn += 1;
    const lane = idle[turn % idle.length];
    if (lane) boss.notifyWorker(lane);
  }
  for (let number = 0; number < job.concurrency(app); number++) {
    const pollingIntervalSeconds = looksEverySeconds[job.schedule ? "scheduled" : number === 0 ? "first" : "other"];
    const lane = await boss.work(job.name, { batchSize: 1, pollingIntervalSeconds }, async ([taken]) => {
      const own = lanes[number] ?? "";
      if (!taken) return;
      busy.add(own);
      wakeOne();
      try {
        await perform(app, job, taken);
      } finally {
        busy.delete(own);
        // Where one job was there may be another: looks at once.
        boss.notifyWorker(own);
      }
    });
    lanes.push(lane);
  }
  return wakeOne;
}

interface Taken {
  readonly id: string;
  readonly data: unknown;
  readonly signal: AbortSignal;
}

async function perform(app: App, job: Job<unknown>, taken: Taken): Promise<void> {
  const began = performance.now();
  const observe = (outcome: "done" | "failed") =>
    app.metrics.jobs.observe({ job: job.name, outcome }, (performance.now() - began) / 1000);
  try {
    await job.perform(app, taken.data, taken.signal);
    observe("done");
  } catch (error) {
    observe("failed");
    app.log.warn({ err: error, job: job.name, jobId: taken.id }, "job failed and will be tried again");
    // The queue keeps what it is given, with all that PostgreSQL and others attach to theirs: it is given the kind alone.
    throw new Error(`${error instanceof Error ? error.name : "Error"}: see the worker's log`);
  }
}
