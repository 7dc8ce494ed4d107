import type { Answers } from "@hearback/scoring/answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { openWhatIf, type WhatIf, type WhatIfSums } from "@hearback/scoring/what-if";
import { type Selectable, sql } from "kysely";
import { z } from "zod";
import type { App } from "../../platform/app.ts";
import { openTimeSlices } from "../../platform/async/time-slices.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { WhatIf as WhatIfTable } from "../../platform/database/tables.ts";
import { defineJob } from "../../platform/queue/queue.ts";
import { firstUuidV7Of } from "../../platform/uuid-v7.ts";
import { findReviewedVersion } from "../review/scorecard-documents.ts";
import { endWhatIf } from "./end-what-if.ts";
import { toStoredResult } from "./stored-result.ts";

type Run = Selectable<WhatIfTable>;
interface RunRef {
  readonly workspaceId: string;
  readonly id: string;
}

export interface RunWhatIfOptions {
  readonly signal?: AbortSignal | undefined;
  /** Reviews per transaction. */
  readonly batchSize?: number;
  /** Reviews that a run replays at most: the newest. */
  readonly maxReviews?: number;
}

/** Both documents, compiled, with the sums up to and including the review at `position`. */
interface Replay {
  readonly before: ScorecardDocument;
  readonly after: ScorecardDocument;
  readonly whatIf: WhatIf;
  position: string | null;
}

/**
 * Replays the released reviews of the period, newest first. Each batch is one transaction that locks the run and stores the sums, so it
 * can be interrupted at any time and run concurrently. Ends without a result if the run was cancelled.
 */
export async function runWhatIf(app: App, ref: RunRef, options: RunWhatIfOptions = {}): Promise<void> {
  const { signal, batchSize = 1_000, maxReviews = 200_000 } = options;
  let replay: Replay | undefined;
  for (let isEnded = false; !isEnded; ) {
    signal?.throwIfAborted();
    isEnded = await inWorkspace(app, ref.workspaceId, async (tx) => {
      const run = await lockRun(tx, ref);
      if (!run) return true;
      if (run.state === "queued") {
        await begin(tx, run, maxReviews);
        return false;
      }
      // Another worker has continued the run since.
      if (replay?.position !== run.position) replay = undefined;
      replay ??= await openReplay(tx, run);
      return replayBatch(tx, run, replay, Math.min(batchSize, maxReviews - run.replayed));
    });
  }
}

/** The run, locked; undefined if it has ended. */
const lockRun = (tx: Db, { workspaceId, id }: RunRef): Promise<Run | undefined> =>
  tx
    .selectFrom("whatIf")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .where("state", "in", ["queued", "running"])
    .forNoKeyUpdate()
    .executeTakeFirst();

/**
 * The reviews of a run. Those released after the request are left out, so that an interrupted run has the same result. An index on
 * (workspace_id, scorecard_id, id) serves it.
 */
const reviewsOf = ({ workspaceId, id, scorecardId, periodFrom, periodTo, position }: Run) => sql`
  review.workspace_id = ${workspaceId} and review.scorecard_id = ${scorecardId}
  and review.id >= ${firstUuidV7Of(periodFrom)} and review.id < ${position ?? firstUuidV7Of(periodTo)}
  and review.state = 'released'
  and review.released_at <= (select created_at from what_if where workspace_id = ${workspaceId} and id = ${id})`;

/** Counts the reviews, so that progress can be shown. */
async function begin(tx: Db, run: Run, maxReviews: number): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from review where ${reviewsOf(run)} limit ${maxReviews + 1}) as found`.execute(
    tx,
  );
  const count = rows[0]?.count ?? 0;
  await tx
    .updateTable("whatIf")
    .set({
      state: "running",
      startedAt: sql<Date>`now()`,
      reviews: Math.min(count, maxReviews),
      complete: count <= maxReviews,
    })
    .where("workspaceId", "=", run.workspaceId)
    .where("id", "=", run.id)
    .execute();
}

async function openReplay(tx: Db, run: Run): Promise<Replay> {
  const { document: before } = await findReviewedVersion(tx, run);
  const after = run.document as ScorecardDocument;
  const whatIf = openWhatIf(before, after, (run.sums as WhatIfSums | null) ?? undefined);
  return { before, after, whatIf, position: run.position };
}

interface ReplayedReview {
  readonly id: string;
  readonly version: number;
  readonly answers: Answers;
}

/** Replays the next reviews. Returns whether the run has ended. */
async function replayBatch(tx: Db, run: Run, replay: Replay, limit: number): Promise<boolean> {
  const { rows } = await sql<ReplayedReview>`
    select review.id, review.version, latest.answers from review join review_revision as latest
      on latest.workspace_id = review.workspace_id and latest.review_id = review.id and latest.number = review.revision
    where ${reviewsOf(run)} order by review.id desc limit ${limit}`.execute(tx);
  const slices = openTimeSlices();
  for (const review of rows) {
    replay.whatIf.add(review);
    // A review on the largest scorecard with everything changed takes 10 ms.
    if (slices.isUsedUp()) await slices.yield();
  }
  const { sums } = replay.whatIf;
  const olderVersions = run.olderVersions + rows.filter(({ version }) => version < run.version).length;
  replay.position = rows.at(-1)?.id ?? run.position;
  const counts = { replayed: run.replayed + rows.length, olderVersions };
  if (rows.length < limit || rows.length === 0) {
    const result = toStoredResult(replay.before, replay.after, { sums, olderVersions });
    await endWhatIf(tx, run, { ...counts, state: "done", result: JSON.stringify(result) });
    return true;
  }
  await tx
    .updateTable("whatIf")
    .set({ ...counts, position: replay.position, sums: JSON.stringify(sums) })
    .where("workspaceId", "=", run.workspaceId)
    .where("id", "=", run.id)
    .execute();
  return false;
}

const payload = z.object({ workspaceId: z.uuid(), whatIfId: z.uuid() });

/** Marks a run as failed after its last retry. */
export const abandonWhatIf = defineJob({
  name: "what-if.abandon",
  payload,
  run: (app, { workspaceId, whatIfId }) =>
    inWorkspace(app, workspaceId, (tx) => endWhatIf(tx, { workspaceId, id: whatIfId }, { state: "failed" })),
});

export const runRequestedWhatIf = defineJob({
  name: "what-if.run",
  givenUpBy: abandonWhatIf,
  options: { retryLimit: 8 },
  payload,
  run: (app, { workspaceId, whatIfId }, signal) => runWhatIf(app, { workspaceId, id: whatIfId }, { signal }),
});
