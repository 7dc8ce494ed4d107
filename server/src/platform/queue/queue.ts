import type { QueueOptions } from "pg-boss";
import type { z } from "zod";
import type { App } from "../app.ts";
import type { Db } from "../database/database.ts";
import { traceHeaders } from "../tracing/spans.ts";

export interface Job<Payload> {
  readonly name: string;
  readonly options: QueueOptions & { deadLetter?: string };
  /** Whether the queue has its own table, because it has many jobs. */
  readonly busy: boolean;
  /** Cron expression (UTC) of a scheduled job. */
  readonly schedule: string | undefined;
  /** Concurrent jobs per worker. */
  readonly concurrency: (app: App) => number;
  /** The signal is aborted when the worker stops or the job has expired and may run elsewhere. */
  readonly perform: (app: App, payload: unknown, signal?: AbortSignal) => Promise<void>;
  /** Type-only: the payload that `enqueue` accepts. */
  readonly payload?: Payload;
}

/** Names a job that a higher layer defines. */
export type JobReference<Payload> = Pick<Job<Payload>, "name" | "payload">;

interface JobDefinition<Payload> {
  readonly name: string;
  readonly options?: QueueOptions;
  readonly busy?: boolean;
  readonly schedule?: string;
  readonly concurrency?: (app: App) => number;
  /** Dead-letter job that runs after the last retry has failed. It gets the same payload. */
  readonly givenUpBy?: Job<Payload>;
  readonly payload: z.ZodType<Payload>;
  readonly run: (app: App, payload: Payload, signal?: AbortSignal) => Promise<void>;
}

const defaultOptions: QueueOptions = {
  retryLimit: 20,
  retryBackoff: true,
  retryDelay: 1,
  retryDelayMax: 3600,
  heartbeatSeconds: 10,
  expireInSeconds: 3600,
  retentionSeconds: 365 * 24 * 3600,
};

/** Declares a background job. The payload contains only ids; the worker reads the rows. */
export function defineJob<Payload>(definition: JobDefinition<Payload>): Job<Payload> {
  const { name, options, busy = false, schedule, concurrency = () => 1, givenUpBy, payload, run } = definition;
  return {
    name,
    busy,
    options: { ...defaultOptions, ...options, ...(givenUpBy && { deadLetter: givenUpBy.name }) },
    schedule,
    concurrency,
    perform: async (app, raw, signal) => run(app, payload.parse(raw), signal),
  };
}

/** A job as a row of `outgoing_job`, for a statement that inserts it together with other rows. */
export const outgoingJob = <Payload>(job: JobReference<Payload>, payload: Payload & object) => ({
  name: job.name,
  // The worker continues the trace of the request. Older workers ignore it.
  payload: JSON.stringify({ ...payload, ...traceHeaders() }),
});

/**
 * Enqueues a job in the caller's transaction (transactional outbox), so that the job exists only if the transaction
 * commits. Inserting into `outgoing_job` costs a twentieth of inserting into the queue itself.
 */
export async function enqueue<Payload>(
  tx: Db,
  job: JobReference<Payload>,
  payload: Payload & object,
  { startAfter }: { startAfter?: Date } = {},
): Promise<void> {
  await tx
    .insertInto("outgoingJob")
    .values({ ...outgoingJob(job, payload), startAfter: startAfter ?? null })
    .execute();
}

/** Like `enqueue`, several at once. */
export async function enqueueAll<Payload>(
  tx: Db,
  job: JobReference<Payload>,
  payloads: readonly (Payload & object)[],
): Promise<void> {
  if (payloads.length === 0) return;
  const jobs = payloads.map((payload) => outgoingJob(job, payload));
  await tx.insertInto("outgoingJob").values(jobs).execute();
}
