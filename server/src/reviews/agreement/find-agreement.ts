import type { AgreementReportBody } from "@hearback/contract";
import type { Answers } from "@hearback/scoring/answers";
import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import { openTimeSlices } from "../../platform/async/time-slices.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { scorecardNotFound } from "../../scorecards/errors.ts";
import { findScorecard } from "../../scorecards/find-scorecard.ts";
import { findReviewedVersion } from "../review/scorecard-documents.ts";
import { collectAgreements, toQuestionAgreement } from "./collect-agreements.ts";
import { joinFirstReview, submittedAnswers } from "./first-review.ts";

const maxPairs = 20_000;
/** Pairs that one transaction reads: up to 150 answers of each review. */
const batchSize = 500;
/** Then the report is about what was read so far. */
const maxReadMs = 8_000;

export interface AgreementInput {
  readonly scorecardId: string;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  /** The newest of more pairs are compared. */
  readonly mostPairs?: number;
}

interface PairRow {
  readonly id: string;
  /** As text, because a Date has no microseconds. */
  readonly submittedAt: string;
  readonly version: number;
  readonly answers: Answers;
  /** Null: there is no first review. */
  readonly firstVersion: number | null;
  readonly firstAnswers: Answers | null;
}

/** The next second reviews, newest first, each with the first review of its call. */
async function readPairs(
  tx: Db,
  workspaceId: string,
  { scorecardId, from, to }: AgreementInput,
  after: PairRow | undefined,
): Promise<PairRow[]> {
  const { rows } = await sql<PairRow>`
    select second.id, second.submitted_at::text as submitted_at, second.version, ${submittedAnswers("second")} as answers,
      first.version as first_version, first.answers as first_answers
    from (
      select workspace_id, id, submitted_at, scorecard_id, version, call_id, reviewer_id from review
      where workspace_id = ${workspaceId} and scorecard_id = ${scorecardId} and selection = 'second' and state = 'submitted'
        and submitted_at >= ${from ?? "-infinity"}::timestamptz
        and submitted_at < ${to ?? "infinity"}::timestamptz
        and (submitted_at, id) < (${after?.submittedAt ?? "infinity"}::timestamptz,
          ${after?.id ?? "ffffffff-ffff-ffff-ffff-ffffffffffff"}::uuid)
      order by submitted_at desc, id desc limit ${batchSize}) as second
    ${joinFirstReview}
    order by second.submitted_at desc, second.id desc`.execute(tx);
  return rows;
}

/**
 * Agreement of first reviews with their blind second reviews, on the questions of the latest version. Reads in batches, so that memory
 * does not grow with the number of pairs, and stops at a number of pairs or after a time.
 */
export async function findAgreement(
  app: App,
  workspaceId: string,
  input: AgreementInput,
): Promise<AgreementReportBody> {
  const { scorecardId, mostPairs = maxPairs } = input;
  const inTransaction = <Result>(work: (tx: Db) => Promise<Result>) => inWorkspace(app, workspaceId, work);
  const { scorecard, document } = await inTransaction(async (tx) => {
    const { latestVersion, name } = await findScorecard(tx, workspaceId, scorecardId);
    if (latestVersion === null) throw scorecardNotFound(scorecardId);
    const latest = await findReviewedVersion(tx, { workspaceId, scorecardId, version: latestVersion });
    return { scorecard: { id: scorecardId, version: latestVersion, name }, document: latest.document };
  });
  const agreements = collectAgreements(document);
  const deadline = Date.now() + maxReadMs;
  let pairs = 0;
  let isEnd = false;
  let isCut = false;
  let last: PairRow | undefined;
  while (!isEnd && pairs < mostPairs && Date.now() < deadline) {
    const rows = await inTransaction(async (tx) => {
      const read = await readPairs(tx, workspaceId, input, last);
      const slices = openTimeSlices();
      for (const { version, answers, firstVersion, firstAnswers } of read) {
        if (firstVersion === null || firstAnswers === null) continue;
        isCut = pairs === mostPairs;
        if (isCut) break;
        const used = await findReviewedVersion(tx, { workspaceId, scorecardId, version });
        const firstUsed = await findReviewedVersion(tx, { workspaceId, scorecardId, version: firstVersion });
        agreements.add([
          { document: firstUsed.document, answers: firstAnswers },
          { document: used.document, answers },
        ]);
        pairs++;
        if (slices.isUsedUp()) await slices.yield();
      }
      return read;
    });
    isEnd = rows.length < batchSize;
    last = rows.at(-1);
  }
  const questions = (await agreements.results()).map(toQuestionAgreement);
  return { scorecard, pairs, complete: isEnd && !isCut, questions };
}
