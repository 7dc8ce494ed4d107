import { answerTo } from "@hearback/scoring/answer-to";
import type { Answer } from "@hearback/scoring/answers";
import type { Question } from "@hearback/scoring/question";
import { useEffect } from "react";
import type { ReviewPaneProps } from "../review-pane-props.ts";
import type { Draft } from "../saving/open-draft.ts";
import type { FormFocus } from "../use-form-focus.ts";
import { withMoment } from "./moments.ts";

interface EvidenceOptions {
  readonly draft: Draft;
  readonly answer: (question: string, answer: Answer) => void;
  readonly focus: FormFocus;
  readonly questions: ReadonlyMap<string, Question>;
}

/** Lets the transcript add moments to the answer of the current question. */
export function useEvidence(
  onEvidence: ReviewPaneProps["onEvidence"],
  { draft, answer, focus, questions }: EvidenceOptions,
): void {
  useEffect(() => {
    onEvidence({
      attach({ startMs, endMs }) {
        const question = questions.get(focus.current() ?? "");
        if (!question) return undefined;
        const before = answerTo(draft.state().answers, question.id) ?? {};
        const after = withMoment(before, startMs, endMs);
        if (after !== before) answer(question.id, after);
        return { question: question.title, isFull: after === before };
      },
    });
    return () => onEvidence(undefined);
  }, [onEvidence, draft, answer, focus, questions]);
}
