import type { Answer } from "@hearback/scoring/answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { fieldInvalid } from "../../platform/errors.ts";
import { callErased } from "../errors.ts";
import type { LockedReview } from "./find-review.ts";
import { findTextQuestions } from "./write-revision.ts";

/** A text is given, unless the call was erased: texts about it are not stored, so the writer must not think that they are. */
export function requireText(review: LockedReview, member: string, text: string): void {
  if (review.isCallErased) rejectIfErased(review, text.trim());
  else if (text.trim() === "") throw fieldInvalid(member, "blank", `${member} must not be blank.`);
}

/** Refuses what is written about a call that was erased. */
export function rejectIfErased({ isCallErased }: LockedReview, written: unknown): void {
  if (isCallErased && written) throw callErased();
}

/** Refuses comments, moments and answers in words about a call that was erased. */
export function rejectTextsIfErased(
  review: LockedReview,
  document: ScorecardDocument,
  answers: Readonly<Record<string, Answer>>,
): void {
  const isText = findTextQuestions(document);
  for (const [question, { value, comment, moments }] of Object.entries(answers))
    rejectIfErased(review, comment || moments?.length || (isText.has(question) && value));
}
