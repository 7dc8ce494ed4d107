import type { Answers } from "@hearback/scoring/answers";
import { ScorecardDocument } from "@hearback/scoring/document";
import { calculateResult } from "@hearback/scoring/formula";
import type { Stack } from "../../support/stack/stack.ts";
import type { Acknowledged } from "./review-load.ts";
import { scorecardDocument } from "./review-tests.ts";

interface Stored {
  readonly id: string;
  readonly state: string;
  readonly revision: number;
  readonly score: number | null;
  readonly draft: Answers | null;
  readonly revisions: { number: number; score: number; answers: Answers; result: { score: number } }[];
  readonly comments: number;
  readonly disputes: string[];
  readonly events: string[];
}

/** Compares everything that was acknowledged with the database, and the stored results with a recomputation. */
export async function findReviewDifferences(
  stack: Stack,
  acknowledged: ReadonlyMap<string, Acknowledged>,
): Promise<string[]> {
  const { rows } = await stack.adminDb.query<Stored>(`
    select id, state, revision, score,
      (select answers from review_draft as d where d.review_id = review.id) as draft,
      (select coalesce(json_agg(json_build_object('number', number, 'score', r.score, 'answers', answers, 'result', result)
        order by number), '[]') from review_revision as r where r.review_id = review.id) as revisions,
      (select count(*)::int from review_comment as c where c.review_id = review.id and revision = 1) as comments,
      (select coalesce(json_agg(state), '[]') from dispute where dispute.review_id = review.id) as disputes,
      (select coalesce(json_agg(type order by epoch, xid, seq), '[]') from event where data ->> 'review_id' = review.id::text) as events
    from review`);
  const document = ScorecardDocument.parse(scorecardDocument);
  const stored = new Set(rows.map(({ id }) => id));
  const lost = [...acknowledged.keys()].filter((id) => !stored.has(id)).map((id) => `${id}: the review is missing`);
  const different = rows.flatMap((row) => {
    const known = acknowledged.get(row.id);
    const [first] = row.revisions;
    const problems = {
      "an acknowledged submission is missing": known?.isSubmitted === true && !first,
      "an acknowledged release is missing": known?.isReleased === true && row.state !== "released",
      "a dispute is missing or doubled": known?.isDisputed === true && row.disputes.length !== 1,
      "a decision is missing": known?.isResolved === true && row.disputes[0] !== "resolved",
      "a revision is missing or doubled":
        row.revision !== row.revisions.length || row.revisions.some(({ number }, at) => number !== at + 1),
      "the score is not that of the latest revision": (row.revisions.at(-1)?.score ?? null) !== row.score,
      "a result is not what the formula gives": row.revisions.some(
        ({ answers, result }) => calculateResult(document, answers).score !== result.score,
      ),
      "an event is doubled": new Set(row.events).size !== row.events.length,
      "an event is missing":
        (first !== undefined && !row.events.includes("review.submitted")) ||
        (row.state === "released" && !row.events.includes("review.released")) ||
        (row.disputes[0] === "resolved" && !row.events.includes("review.resolved")),
      "an acknowledged answer is missing": Object.entries(known?.answers ?? {}).some(([question, answer]) => {
        const stored = (first ? first.answers : row.draft)?.[question];
        return stored?.value !== (answer as { value: string }).value;
      }),
      "an acknowledged comment is missing": first !== undefined && row.comments !== 2,
    };
    return Object.entries(problems).flatMap(([problem, isTrue]) => (isTrue ? [`${row.id}: ${problem}`] : []));
  });
  return [...lost, ...different];
}
