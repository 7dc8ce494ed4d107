import type { AgreementBody, AgreementReportBody } from "@hearback/sdk";

export type QuestionAgreement = AgreementReportBody["questions"][number];

export interface AgreementRow {
  readonly key: string;
  readonly questionId: string;
  readonly title: string;
  /** applicability: on whether the question is applicable. text: not compared. */
  readonly about: "answer" | "applicability" | "text";
  readonly agreement: AgreementBody | null;
}

/** A row for the answers to each question, and one for its applicability if there is a choice. */
export const agreementRows = (questions: readonly QuestionAgreement[]): AgreementRow[] =>
  questions.flatMap(({ question_id: questionId, title, applicability, answer }) => {
    const row = (about: AgreementRow["about"], agreement: AgreementBody | null): AgreementRow => ({
      key: `${questionId} ${about}`,
      questionId,
      title,
      about,
      agreement,
    });
    return [row(answer ? "answer" : "text", answer), ...(applicability ? [row("applicability", applicability)] : [])];
  });
