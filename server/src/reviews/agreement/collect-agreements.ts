import type { AgreementBody, AgreementReportBody } from "@hearback/contract";
import { answerTo } from "@hearback/scoring/answer-to";
import type { Answers } from "@hearback/scoring/answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import type { Question } from "@hearback/scoring/question";
import { optionsOf } from "@hearback/scoring/question-points";
import {
  type Agreement,
  collectAgreement,
  type Estimate,
  isSameAnswer,
  type QuestionAgreement,
} from "@hearback/scoring/statistics/agreement";
import { visibleQuestions } from "@hearback/scoring/visibility";
import { openTimeSlices } from "../../platform/async/time-slices.ts";

/** The answers of one review, and the version that it used. */
export interface ReviewedAnswers {
  readonly document: ScorecardDocument;
  readonly answers: Answers;
}

export interface CollectedAgreement extends QuestionAgreement {
  readonly question: Question;
}

const questionsOf = ({ sections }: ScorecardDocument) => sections.flatMap(({ questions }) => questions);

/** Same type and same answers to choose from: the answers can be compared across versions. */
function isComparable(question: Question, other: Question): boolean {
  const choices = (of: Question) =>
    JSON.stringify([of.type, optionsOf(of).map(({ id }) => id), of.type === "number" ? of.bands : null]);
  return question === other || choices(question) === choices(other);
}

/** Counts the answers of two reviews of a call that can be compared, and those that are equal. Hidden questions do not count. */
export function comparePair(
  first: ReviewedAnswers,
  second: ReviewedAnswers,
): { readonly compared: number; readonly equal: number } {
  const visible = [first, second].map(({ document, answers }) => visibleQuestions(document, answers));
  const others = new Map(questionsOf(second.document).map((question) => [question.id, question]));
  const same = questionsOf(first.document).map((question) => {
    const other = others.get(question.id);
    if (!other || !visible.every((ids) => ids.has(question.id)) || !isComparable(question, other)) return undefined;
    return isSameAnswer(question, answerTo(first.answers, question.id), answerTo(second.answers, question.id));
  });
  const count = (wanted: boolean) => same.filter((one) => one === wanted).length;
  return { compared: count(true) + count(false), equal: count(true) };
}

/** Collects agreement on every question of a version, call by call. */
export function collectAgreements(document: ScorecardDocument) {
  const collectors = questionsOf(document).map((question) => ({ question, collector: collectAgreement(question) }));
  /** By version, the ids of its questions that can be compared with those of `document`. */
  const comparable = new Map<ScorecardDocument, ReadonlySet<string>>();
  function comparableIds(other: ScorecardDocument): ReadonlySet<string> {
    const known = comparable.get(other);
    if (known) return known;
    const byId = new Map(questionsOf(other).map((question) => [question.id, question]));
    const ids = collectors
      .filter(({ question }) => isComparable(question, byId.get(question.id) ?? { ...question, type: "text" }))
      .map(({ question }) => question.id);
    const found = new Set(ids);
    comparable.set(other, found);
    return found;
  }
  return {
    /** The reviews of one call. Answers to hidden questions do not count. */
    add(reviews: readonly ReviewedAnswers[]): void {
      const given = reviews.map(({ document: used, answers }) => ({
        answers,
        visible: visibleQuestions(used, answers),
        comparable: comparableIds(used),
      }));
      for (const { question, collector } of collectors)
        collector.add(
          given.map(({ answers, visible, comparable: ids }) =>
            visible.has(question.id) && ids.has(question.id) ? answerTo(answers, question.id) : undefined,
          ),
        );
    },
    /** A question with thousands of different answers takes up to 100 ms. */
    async results(): Promise<CollectedAgreement[]> {
      const slices = openTimeSlices();
      const results: CollectedAgreement[] = [];
      for (const { question, collector } of collectors) {
        results.push({ question, ...collector.result() });
        if (slices.isUsedUp()) await slices.yield();
      }
      return results;
    },
  };
}

const toEstimate = ({ value, interval }: Estimate): AgreementBody["raw"] => ({
  value,
  low: interval?.low ?? null,
  high: interval?.high ?? null,
});

const toAgreementBody = (agreement: Agreement | null): AgreementBody | null =>
  agreement && {
    calls: agreement.calls,
    too_few: agreement.tooFew,
    raw: toEstimate(agreement.raw),
    alpha: toEstimate({ value: agreement.alpha, interval: null }),
    ac: toEstimate(agreement.ac),
  };

export const toQuestionAgreement = ({
  question,
  applicability,
  answer,
}: CollectedAgreement): AgreementReportBody["questions"][number] => ({
  question_id: question.id,
  title: question.title,
  type: question.type,
  applicability: toAgreementBody(applicability),
  answer: toAgreementBody(answer),
});
