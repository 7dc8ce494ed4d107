import { answerTo } from "@hearback/scoring/answer-to";
import type { Answer } from "@hearback/scoring/answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { answerLimits } from "@hearback/scoring/limits";
import type { Question } from "@hearback/scoring/question";
import type { ReviewDetailBody } from "@hearback/sdk";
import { Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import {
  memo,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { accessQueries, useSession } from "../access/queries.ts";
import { callPageQueries } from "../call-page/queries.ts";
import { ReviewForm } from "../review-form/review-form.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { openDraft } from "./open-draft.ts";
import { openPendingMoment } from "./pending-moment.ts";
import { progressOf } from "./progress.ts";
import { QuestionTools } from "./question-tools.tsx";
import styles from "./review.module.css";
import { ReviewKeys } from "./review-keys.ts";
import type { ReviewPaneProps } from "./review-pane-props.ts";
import { SubmitBar } from "./submit-bar.tsx";
import { useTexts } from "./texts.ts";
import { useActiveTime } from "./use-active-time.ts";
import { useFormFocus } from "./use-form-focus.ts";
import { useNextCall } from "./use-next-call.ts";
import { useSubmit } from "./use-submit.ts";

interface DraftFormProps extends Omit<ReviewPaneProps, "chosen"> {
  readonly scorecard: { readonly id: string; readonly version: number };
  readonly document: ScorecardDocument;
  /** The draft, if the review is started. */
  readonly review: ReviewDetailBody | undefined;
  readonly onOtherVersion: (reviewId: string, version: number) => void;
}

/** Loaded when every question is answered. */
const FinalScore = lazyComponent(async () => (await import("./final-score.tsx")).FinalScore);

const Conflicts = lazyComponent(async () => (await import("./conflicts.tsx")).Conflicts);

/** Rendered when an answer changes, not when it is saved. */
const Form = memo(ReviewForm);

/** The form of one draft. */
export function DraftForm(props: DraftFormProps) {
  const { call, list, player, document, review } = props;
  const draft = useDraft(props);
  const state = useSyncExternalStore(draft.subscribe, draft.state);
  // The bar is rendered after the answer is painted.
  const later = useDeferredValue(state);
  const { done, total } = useMemo(() => progressOf(document, later.answers), [document, later.answers]);
  const isComplete = done === total;
  const form = useRef<HTMLDivElement>(null);
  const questions = useMemo(
    () => new Map(document.sections.flatMap((section) => section.questions).map((each) => [each.id, each])),
    [document],
  );
  const answer = useCallback(
    (question: string, next: Answer | undefined) => {
      const before = answerTo(draft.state().answers, question) ?? {};
      draft.answer(question, next ?? {}, { typed: isTyped(questions.get(question), before, next ?? {}) });
    },
    [draft, questions],
  );
  const focus = useFormFocus({ form, draft, answer });
  const pendingMoment = usePendingMoment({ draft, answer, player });
  const activeTime = useActiveTime(draft, review?.active_ms ?? 0);
  const next = useNextCall(list, call);
  const submitting = useSubmit({ draft, document, focus, activeTime, next, list, callId: call.id });
  const tools = useMemo(
    () => (question: Question) => (
      <QuestionTools {...{ question, draft, answer, pendingMoment, player }} title={question.title} />
    ),
    [draft, answer, pendingMoment, player],
  );
  useMarks(state.answers, props.onMarks);
  return (
    <>
      {state.status === "stopped" && <Problem error={state.error} onRetry={() => window.location.reload()} />}
      {state.conflicts.length > 0 && (
        <Suspense>
          <Conflicts conflicts={state.conflicts} questions={questions} onResolve={draft.resolve} />
        </Suspense>
      )}
      <div ref={form} className={styles.form} {...focus.handlers}>
        <Form document={document} answers={state.answers} onAnswer={answer} slot={tools} />
      </div>
      <OverallComment comment={state.comment} onChange={draft.comment} />
      {isComplete && (
        <Suspense>
          <FinalScore document={document} answers={later.answers} />
        </Suspense>
      )}
      <SubmitBar {...{ draft, document, activeTime, submitting, list, focus }} state={later} callId={call.id} />
      <ReviewKeys
        key={player ? "with player" : "without player"}
        {...{ draft, questions, focus, answer, pendingMoment, player }}
        submitAndNext={submitting.submitAndNext}
      />
    </>
  );
}

/** Text and numbers are typed: more key presses follow. */
function isTyped(question: Question | undefined, before: Answer, after: Answer): boolean {
  const isText = question?.type === "text" || question?.type === "number";
  const isAnswerTyped = isText && before.value !== after.value && !after.not_applicable;
  return isAnswerTyped || (before.comment !== after.comment && before.value === after.value);
}

function useDraft({ call, scorecard, review, onOtherVersion }: DraftFormProps) {
  const { user } = useSession();
  const queries = useQueryClient();
  const [draft] = useState(() =>
    openDraft({
      userId: user.id,
      callId: call.id,
      scorecardId: scorecard.id,
      review,
      onStarted(started) {
        queries.setQueryData(callPageQueries.reviews(call.id).queryKey, (before = []) => [
          started,
          ...before.filter(({ id }) => id !== started.id),
        ]);
        if (started.scorecard.version !== scorecard.version) onOtherVersion(started.id, started.scorecard.version);
      },
      // Leads to the sign-in page if the session has ended. Unsent answers are kept.
      onError: () => void queries.invalidateQueries({ queryKey: accessQueries.session.queryKey, exact: true }),
    }),
  );
  useEffect(() => {
    window.addEventListener("online", draft.retry);
    return () => {
      window.removeEventListener("online", draft.retry);
      draft.close();
    };
  }, [draft]);
  return draft;
}

function usePendingMoment({ draft, answer, player }: Parameters<typeof openPendingMoment>[0]) {
  const [pendingMoment] = useState(() => openPendingMoment({ draft, answer, player }));
  useEffect(() => pendingMoment.setPlayer(player), [pendingMoment, player]);
  return pendingMoment;
}

/** Shows the moments of all answers on the waveform. */
function useMarks(
  answers: ReturnType<ReturnType<typeof openDraft>["state"]>["answers"],
  onMarks: DraftFormProps["onMarks"],
) {
  const moments = Object.values(answers).flatMap((each) => each.moments ?? []);
  const text = JSON.stringify(moments);
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal moments are the same marks
  useEffect(() => {
    onMarks(moments.map(({ start_ms, end_ms }) => ({ startMs: start_ms, endMs: end_ms })));
  }, [text, onMarks]);
  useEffect(() => () => onMarks([]), [onMarks]);
}

interface OverallCommentProps {
  readonly comment: string;
  readonly onChange: (comment: string) => void;
}

/** Memoized: a text area that fits its text measures the page when it renders. */
const OverallComment = memo(function OverallComment({ comment, onChange }: OverallCommentProps) {
  const { t } = useTexts();
  return (
    <Textarea
      label={t("overall")}
      description={t("overallDetail")}
      autosize
      minRows={2}
      maxRows={12}
      maxLength={answerLimits.comment}
      value={comment}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
});
