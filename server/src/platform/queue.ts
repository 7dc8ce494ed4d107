import type { QueueOptions } from "pg-boss";
import type { z } from "zod";
import type { App } from "./app.ts";
import type { Db } from "./database/database.ts";

export interface Job<Payload> {
  readonly name: string;
  readonly options: QueueOptions;
  /** When the job runs by itself, as a cron expression (UTC). */
  readonly schedule: string | undefined;
  /** Absent: the job waits in its queue. */
  readonly perform: ((app: App, payload: unknown) => Promise<void>) | undefined;
  /** Only for the compiler: which payload `enqueue` takes. */
  readonly payload?: Payload;
}

interface JobDefinition<Payload> {
  readonly name: string;
  readonly options?: QueueOptions;
  readonly schedule?: string;
  readonly payload: z.ZodType<Payload>;
  readonly run: (app: App, payload: Payload) => Promise<void>;
}

const patience: QueueOptions = {
  retryLimit: 20,
  retryBackoff: true,
  retryDelay: 1,
  retryDelayMax: 3600,
  heartbeatSeconds: 10,
  expireInSeconds: 3600,
  deleteAfterSeconds: 24 * 3600,
};

/** Declares a queue whose jobs no worker of this release takes: they wait in it. */
export const declareJob = <Payload>(declaration: Omit<JobDefinition<Payload>, "run" | "schedule">): Job<Payload> => ({
  name: declaration.name,
  options: { ...patience, retentionSeconds: 10 * 365 * 24 * 3600, ...declaration.options },
  schedule: undefined,
  perform: undefined,
});

/** Declares a background job. The payload holds ids only: the worker reads the rows again. */
export function defineJob<Payload>({ name, options, schedule, payload, run }: JobDefinition<Payload>): Job<Payload> {
  return {
    name,
    options: { ...patience, ...options },
    schedule,
    perform: async (app, raw) => run(app, payload.parse(raw)),
  };
}

/** A job as a row of `outgoing_job`, for a statement that writes it together with other rows. */
export const outgoingJob = <Payload extends object>(job: Job<Payload>, payload: Payload) => ({
  name: job.name,
  payload: JSON.stringify(payload),
});

/**
 * Adds a job in the transaction of the rows it is about, so neither exists without the other.
 * It is written to `outgoing_job`, which costs an import a twentieth of what the queue's own insert does.
 */
export async function enqueue<Payload extends object>(tx: Db, job: Job<Payload>, payload: Payload): Promise<void> {
  await tx.insertInto("outgoingJob").values(outgoingJob(job, payload)).execute();
}
