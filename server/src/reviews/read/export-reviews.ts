import type { ReviewBody } from "@hearback/contract";
import { answerTo } from "@hearback/scoring/answer-to";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { NoResultError } from "kysely";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import type { Actor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { type ExportOptions, writeRows } from "../../platform/export/write-rows.ts";
import type { ReviewRow } from "../review/find-review.ts";
import { readRevision } from "../review/read-answers.ts";
import { toReviewBody } from "../review/review-body.ts";
import type { ReviewViewer } from "../review/review-viewer.ts";
import { findReviewedVersion } from "../review/scorecard-documents.ts";
import { type ListReviewsInput, listReviews } from "./list-reviews.ts";
import { type AnswerRow, answerSheet, reviewSheet } from "./review-sheets.ts";

type ReviewFilter = Omit<ListReviewsInput, "cursor" | "limit">;

export interface ExportReviewsInput extends ExportOptions {
  readonly rows: "reviews" | "answers";
  readonly filter: ReviewFilter;
  readonly actor: Actor;
}

/** Reviews whose answers are read in one transaction: a row each for up to 150 questions. */
const reviewsPerPage = 20;

/** Exports reviews, newest first, with one row per review or per answer. One transaction per page. */
export async function exportReviews(
  app: App,
  viewer: ReviewViewer,
  { rows, filter, actor, ...options }: ExportReviewsInput,
): Promise<AsyncGenerator<string>> {
  const { workspaceId } = viewer;
  const filters = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  await inWorkspace(app, workspaceId, (tx) =>
    recordAuditEntry(tx, workspaceId, {
      actor,
      action: "reviews.exported",
      subject: { type: "workspace", id: workspaceId },
      data: { format: options.format, rows, filters },
    }),
  );
  const page = async <Row>(
    cursor: string | undefined,
    limit: number,
    toRows: (tx: Db, reviews: readonly ReviewRow[]) => Promise<Row[]>,
  ) =>
    inWorkspace(app, workspaceId, async (tx) => {
      const { reviews, next } = await listReviews(tx, viewer, { ...filter, cursor, limit });
      return { rows: await toRows(tx, reviews), next: next ?? undefined };
    });
  if (rows === "reviews")
    return writeRows<ReviewBody, string>(reviewSheet, options, (cursor, limit) =>
      page(cursor, limit, async (_, reviews) => reviews.map(toReviewBody)),
    );
  return writeRows<AnswerRow, string>(answerSheet, options, (cursor) => page(cursor, reviewsPerPage, readAnswerRows));
}

/** The review was deleted since it was listed. */
function skipDeleted(error: unknown): undefined {
  if (!(error instanceof NoResultError)) throw error;
}

async function readAnswerRows(tx: Db, reviews: readonly ReviewRow[]): Promise<AnswerRow[]> {
  const rows: AnswerRow[] = [];
  for (const review of reviews) {
    // Drafts are not submitted, so they have no result.
    if (review.state === "draft") continue;
    const revision = await readRevision(tx, review, review.revision).catch(skipDeleted);
    if (!revision) continue;
    const { answers, result } = revision;
    const { document } = await findReviewedVersion(tx, review);
    const titles = titlesOf(document);
    const body = toReviewBody(review);
    for (const question of result?.questions ?? [])
      rows.push({
        review: body,
        result: question,
        title: titles.get(question.question) ?? "",
        answer: answerTo(answers, question.question) ?? {},
      });
  }
  return rows;
}

const titlesOf = ({ sections }: ScorecardDocument): ReadonlyMap<string, string> =>
  new Map(sections.flatMap(({ questions }) => questions.map(({ id, title }) => [id, title])));
