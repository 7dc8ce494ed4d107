import { setTimeout as sleep } from "node:timers/promises";
import type { PgBoss } from "pg-boss";
import { purgeExpiredSessions } from "./access/purge-expired-sessions.ts";
import { mergeAllImportDeltas } from "./calls/call/merge-import-deltas.ts";
import { createCallPartitions } from "./calls/import/create-upcoming-partitions.ts";
import { sweepRecordings } from "./calls/objects/sweep-recordings.ts";
import { deleteOldPlaybackRecords } from "./calls/playback/delete-old-playback-records.ts";
import { abandonCall, prepareCall } from "./calls/prepare/prepare-call.ts";
import { requeueStrandedCalls } from "./calls/prepare/requeue-stranded-calls.ts";
import { removeOldWords } from "./calls/search/remove-old-words.ts";
import { createEventPartitions } from "./events/create-event-partitions.ts";
import { removeOldEvents } from "./events/remove-old-events.ts";
import { recountAll } from "./limits/recount-usage.ts";
import { runAllDraws } from "./plans/run-draws.ts";
import type { App } from "./platform/app.ts";
import { databaseUnavailable } from "./platform/database/errors.ts";
import type { Scratch } from "./platform/media/ffmpeg/scratch.ts";
import { openMonitor } from "./platform/monitor.ts";
import { enqueue, type Job } from "./platform/queue/queue.ts";
import { openQueue } from "./platform/queue/queue-engine.ts";
import { relayJobs } from "./platform/queue/relay-jobs.ts";
import { openRelayPosition } from "./platform/queue/relay-position.ts";
import { requeueSetAside } from "./platform/queue/set-aside.ts";
import { deleteFinishedJobs, failLostJobs } from "./platform/queue/supervision.ts";
import { openLanes } from "./platform/queue/worker-lanes.ts";
import { expireAllReviews } from "./privacy/delete-reviews.ts";
import { expire } from "./privacy/expire-calls.ts";
import { replay } from "./privacy/replay-erasures.ts";
import { eraseRequested } from "./privacy/run-erasure.ts";
import { announceOverdue } from "./reviews/disputes/announce-overdue.ts";
import { queueAllReviewEmails } from "./reviews/emails/queue-review-emails.ts";
import { sendReviewEmail } from "./reviews/emails/send-review-email.ts";
import { deleteOldWhatIfs } from "./reviews/what-if/end-what-if.ts";
import { abandonWhatIf, runRequestedWhatIf } from "./reviews/what-if/run-what-if.ts";
import { backfillAllScores } from "./scores/backfill-scores.ts";
import { closeEngine } from "./transcripts/engine/open-engine.ts";
import { requeueStrandedTranscriptions } from "./transcripts/recognise/requeue-stranded-transcriptions.ts";
import { abandonTranscription, transcribeCall } from "./transcripts/recognise/transcribe-call.ts";
import { sendInvitation } from "./users/mail/send-invitation.ts";
import { sendReset } from "./users/mail/send-reset.ts";
import { sendTwoStepNotice } from "./users/mail/send-two-step-notice.ts";
import { fanOutEvents } from "./webhooks/deliver/fan-out-events.ts";
import { removeOldDeliveries } from "./webhooks/deliver/remove-old-deliveries.ts";
import { runDeliveries } from "./webhooks/deliver/run-deliveries.ts";
import { deleteDeliveries } from "./webhooks/queue/delete-deliveries.ts";

/** All background jobs. */
export const jobs: readonly Job<unknown>[] = [
  prepareCall,
  abandonCall,
  transcribeCall,
  abandonTranscription,
  requeueStrandedTranscriptions,
  requeueStrandedCalls,
  sendInvitation,
  sendReset,
  sendTwoStepNotice,
  purgeExpiredSessions,
  sweepRecordings,
  deleteOldPlaybackRecords,
  removeOldWords,
  createCallPartitions,
  createEventPartitions,
  removeOldEvents,
  removeOldDeliveries,
  deleteDeliveries,
  eraseRequested,
  replay,
  expire,
  expireAllReviews,
  runAllDraws,
  announceOverdue,
  queueAllReviewEmails,
  sendReviewEmail,
  runRequestedWhatIf,
  abandonWhatIf,
  deleteOldWhatIfs,
  recountAll,
  mergeAllImportDeltas,
  backfillAllScores,
];

const relayIntervalMs = 250;
/** Another worker takes over a crashed worker's job within 30 s: 10 s until the heartbeat expires, 5 s until this check. */
const superviseIntervalMs = 5_000;
const fanOutIntervalMs = 500;
const databaseRetryMs = 2_000;
/** Time for running jobs to finish on shutdown. After it, other workers take them over. */
const shutdownTimeoutMs = 60_000;

export interface Worker {
  /** Takes no new jobs and waits for running ones. */
  stop(): Promise<void>;
}

export async function runWorker(app: App): Promise<Worker> {
  // Closes everything in reverse order, also if startup fails halfway.
  const parts = new AsyncDisposableStack();
  try {
    const scratch = await openScratchWithWarning(app);
    parts.defer(() => scratch.close());
    parts.defer(() => closeEngine(app));
    const boss = openQueue(app.config.database.url);
    boss.on("error", (err) => app.log.error({ err }, "queue failed"));
    const monitor = await openMonitor(app, boss);
    parts.defer(() => monitor.close());
    await startQueue(app, boss);
    parts.defer(() => boss.stop({ graceful: true, timeout: shutdownTimeoutMs }));
    // The database may have been restored since the last start.
    await enqueue(app.db, replay, {});
    await requeueSetAside(app, { refused: true });
    // Older releases did not count every workspace.
    for (const job of [recountAll, mergeAllImportDeltas, backfillAllScores]) await enqueue(app.db, job, {});
    const wake = new Map<string, () => void>();
    for (const job of jobs) wake.set(job.name, await openLanes(app, boss, job));
    const relay = runRelay(app, boss, wake);
    parts.defer(() => relay.stop());
    const supervision = runSupervision(app, boss);
    parts.defer(() => supervision.stop());
    const deliveries = runDeliveries(app);
    parts.defer(() => deliveries.stop());
    const fanOut = runFanOut(app, deliveries.poll);
    parts.defer(() => fanOut.stop());
    app.log.info({ jobs: jobs.length, port: monitor.port }, "worker ready");
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
  return { stop: () => parts.disposeAsync() };
}

/** Waits for the database if it is not available yet. */
async function startQueue(app: App, boss: PgBoss): Promise<void> {
  for (;;) {
    try {
      await boss.start();
      return;
    } catch (err) {
      if (!databaseUnavailable(err)) throw err;
      app.log.warn({ err }, "database unavailable; retrying");
      await sleep(databaseRetryMs);
    }
  }
}

/** Opens the scratch folder and warns if the media tools do not run in a sandbox. */
async function openScratchWithWarning(app: App): Promise<Scratch> {
  const scratch = await app.scratch();
  const { name } = scratch.sandbox;
  if (name !== "sandbox")
    app.log.warn({ sandbox: name }, "recordings are decoded without a sandbox; see docs/operations/install.md");
  return scratch;
}

/** Relays jobs from the outbox table `outgoing_job` to the queue until stopped. */
function runRelay(app: App, boss: PgBoss, wake: ReadonlyMap<string, () => void>) {
  const position = openRelayPosition();
  return repeat(relayIntervalMs, async () => {
    const moved = await relayJobs(app, boss, position).catch((err) => {
      app.log.warn({ err }, "could not relay jobs; retrying");
      return [];
    });
    for (const name of moved) wake.get(name)?.();
    return moved.length > 0;
  });
}

/** Fails lost jobs so that they are retried, retries jobs that were set aside, and deletes finished ones. */
function runSupervision(app: App, boss: PgBoss) {
  return repeat(superviseIntervalMs, async () => {
    try {
      await failLostJobs(app, boss);
      await requeueSetAside(app);
      await deleteFinishedJobs(app.db);
    } catch (err) {
      app.log.warn({ err }, "could not supervise the queue; retrying");
    }
    return false;
  });
}

/** Creates deliveries for new events until stopped. */
function runFanOut(app: App, wakeDeliveries: () => void) {
  return repeat(fanOutIntervalMs, async () => {
    const queued = await fanOutEvents(app).catch((err) => {
      app.log.warn({ err }, "could not create deliveries for new events; retrying");
      return 0;
    });
    if (queued > 0) wakeDeliveries();
    return queued > 0;
  });
}

/** Repeats the work until stopped, with a pause whenever it returns false. */
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
