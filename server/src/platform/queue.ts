import type { QueueOptions } from "pg-boss";
import type { z } from "zod";
import type { App } from "./app.ts";
import type { Db } from "./database/database.ts";

export interface Job<Payload> {
  readonly name: string;
  readonly options: QueueOptions & { deadLetter?: string };
  /** When the job runs by itself, as a cron expression (UTC). */
  readonly schedule: string | undefined;
  /** How many of them one worker does at a time. */
  readonly concurrency: (app: App) => number;
  /** The signal says that nobody waits for it any more: the worker stops, or another one has taken it over. */
  readonly perform: (app: App, payload: unknown, signal?: AbortSignal) => Promise<void>;
  /** Only for the compiler: which payload `enqueue` takes. */
  readonly payload?: Payload;
}

interface JobDefinition<Payload> {
  readonly name: string;
  readonly options?: QueueOptions;
  readonly schedule?: string;
  readonly concurrency?: (app: App) => number;
  /** The job that takes over when this one was tried often enough in vain. It gets the same payload. */
  readonly givenUpBy?: Job<Payload>;
  readonly payload: z.ZodType<Payload>;
  readonly run: (app: App, payload: Payload, signal?: AbortSignal) => Promise<void>;
}

const patience: QueueOptions = {
  retryLimit: 20,
  retryBackoff: true,
  retryDelay: 1,
  retryDelayMax: 3600,
  heartbeatSeconds: 10,
  expireInSeconds: 3600,
  retentionSeconds: 365 * 24 * 3600,
  deleteAfterSeconds: 24 * 3600,
};

/** Declares a background job. The payload holds ids only: the worker reads the rows again. */
export function defineJob<Payload>(definition: JobDefinition<Payload>): Job<Payload> {
  const { name, options, schedule, concurrency = () => 1, givenUpBy, payload, run } = definition;
  return {
    name,
    options: { ...patience, ...options, ...(givenUpBy && { deadLetter: givenUpBy.name }) },
    schedule,
    concurrency,
    perform: async (app, raw, signal) => run(app, payload.parse(raw), signal),
  };
}

/** A job as a row of `outgoing_job`, for a statement that writes it together with other rows. */
export const outgoingJob = <Payload>(job: Job<Payload>, payload: Payload & object) => ({
  name: job.name,
  payload: JSON.stringify(payload),
});

/**
 * Adds a job in the transaction of the rows it is about, so neither exists without the other.
 * It is written to `outgoing_job`, which costs an import a twentieth of what the queue's own insert does.
 */
export async function enqueue<Payload>(
  tx: Db,
  job: Job<Payload>,
  payload: Payload & object,
  { startAfter }: { startAfter?: Date } = {},
): Promise<void> {
  await tx
    .insertInto("outgoingJob")
    .values({ ...outgoingJob(job, payload), startAfter: startAfter ?? null })
    .execute();
}
