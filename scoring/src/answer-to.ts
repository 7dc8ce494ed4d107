import type { Answer, Answers } from "./answers.ts";

/** The answer to a question. Own members only: an answer is never found on the prototype of the record. */
export const answerTo = (answers: Answers, question: string): Answer | undefined =>
  Object.hasOwn(answers, question) ? answers[question] : undefined;
