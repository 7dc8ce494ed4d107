import { answerTo } from "@hearback/scoring/answer-to";
import type { Answer } from "@hearback/scoring/answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { answerLimits } from "@hearback/scoring/limits";
import type { Question } from "@hearback/scoring/question";
import type { ReviewDetailBody } from "@hearback/sdk";
import { Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import {
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
import { calibrationOf } from "../calibrations/calibration-link.ts";
import { callPageQueries } from "../call-page/queries.ts";
import { ReviewForm, type ReviewFormProps } from "../review-form/review-form.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { openPendingMoment } from "./moments/pending-moment.ts";
import { useEvidence } from "./moments/use-evidence.ts";
import { useNextCall } from "./next-call/use-next-call.ts";
import { progressOf } from "./progress.ts";
import { QuestionTools } from "./question-tools.tsx";
import styles from "./review.module.css";
import { ReviewKeys } from "./review-keys.ts";
import type { ReviewPaneProps } from "./review-pane-props.ts";
import { type Draft, type DraftState, openDraft } from "./saving/open-draft.ts";
import { useActiveTime } from "./saving/use-active-time.ts";
import { SubmitBar, type SubmitBarProps } from "./submit-bar.tsx";
import { useTexts } from "./texts.ts";
import { useFormFocus } from "./use-form-focus.ts";
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

const Conflicts = lazyComponent(async () => (await import("./saving/conflicts.tsx")).Conflicts);

/** The form of one draft. Each part subscribes to what it shows of the draft, so that an answer renders little. */
export function DraftForm(props: DraftFormProps) {
  const { call, list, player, document, review, onMarks, onEvidence } = props;
  const draft = useDraft(props);
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
  useEvidence(onEvidence, { draft, answer, focus, questions });
  const activeTime = useActiveTime(draft, review?.active_ms ?? 0);
  const next = useNextCall(list, call);
  const submitting = useSubmit({
    draft,
    document,
    focus,
    activeTime,
    next,
    list,
    callId: call.id,
    scorecardId: props.scorecard.id,
  });
  const tools = useMemo(
    () => (question: Question) => (
      <QuestionTools {...{ question, draft, answer, pendingMoment, player, call }} title={question.title} />
    ),
    [draft, answer, pendingMoment, player, call],
  );
  return (
    <>
      <DraftProblems draft={draft} questions={questions} />
      <div ref={form} className={styles.form} {...focus.handlers}>
        <Questions draft={draft} document={document} onAnswer={answer} slot={tools} />
      </div>
      <OverallComment draft={draft} isCalibration={calibrationOf(list) !== undefined} />
      <Summary {...{ draft, document, onMarks, activeTime, submitting, list, focus }} callId={call.id} />
      <ReviewKeys
        key={player ? "with player" : "without player"}
        {...{ draft, questions, focus, answer, pendingMoment, player }}
        submitAndNext={submitting.submitAndNext}
      />
    </>
  );
}

interface DraftProblemsProps {
  readonly draft: Draft;
  readonly questions: ReadonlyMap<string, Question>;
}

function DraftProblems({ draft, questions }: DraftProblemsProps) {
  const { status, error, conflicts } = useSyncExternalStore(draft.subscribe, draft.state);
  return (
    <>
      {status === "stopped" && <Problem error={error} onRetry={() => window.location.reload()} />}
      {conflicts.length > 0 && (
        <Suspense>
          <Conflicts conflicts={conflicts} questions={questions} onResolve={draft.resolve} />
        </Suspense>
      )}
    </>
  );
}

function Questions({ draft, ...form }: Omit<ReviewFormProps, "answers"> & { readonly draft: Draft }) {
  const answers = useSyncExternalStore(draft.subscribe, () => draft.state().answers);
  return <ReviewForm answers={answers} {...form} />;
}

interface SummaryProps extends Omit<SubmitBarProps, "state"> {
  readonly onMarks: ReviewPaneProps["onMarks"];
}

/** Progress, score and buttons. Rendered after the answer is painted, because they depend on all answers. */
function Summary({ onMarks, ...bar }: SummaryProps) {
  const { draft, document } = bar;
  const state = useDeferredValue(useSyncExternalStore(draft.subscribe, draft.state));
  const { answers } = state;
  const isComplete = useMemo(() => {
    const { done, total } = progressOf(document, answers);
    return done === total;
  }, [document, answers]);
  useMarks(answers, onMarks);
  return (
    <>
      {isComplete && (
        <Suspense>
          <FinalScore document={document} answers={answers} />
        </Suspense>
      )}
      <SubmitBar {...bar} state={state} />
    </>
  );
}

/** Text and numbers are typed: more key presses follow. */
function isTyped(question: Question | undefined, before: Answer, after: Answer): boolean {
  const isText = question?.type === "text" || question?.type === "number";
  const isAnswerTyped = isText && before.value !== after.value && !after.not_applicable;
  return isAnswerTyped || (before.comment !== after.comment && before.value === after.value);
}

function useDraft({ call, list, scorecard, review, onOtherVersion }: DraftFormProps) {
  const { user } = useSession();
  const queries = useQueryClient();
  const [draft] = useState(() =>
    openDraft({
      userId: user.id,
      callId: call.id,
      scorecardId: scorecard.id,
      calibrationId: calibrationOf(list),
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
function useMarks(answers: DraftState["answers"], onMarks: ReviewPaneProps["onMarks"]) {
  const moments = Object.values(answers).flatMap((each) => each.moments ?? []);
  const text = JSON.stringify(moments);
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal moments are the same marks
  useEffect(() => {
    onMarks(moments.map(({ start_ms, end_ms }) => ({ startMs: start_ms, endMs: end_ms })));
  }, [text, onMarks]);
  useEffect(() => () => onMarks([]), [onMarks]);
}

interface OverallCommentProps {
  readonly draft: Draft;
  readonly isCalibration: boolean;
}

function OverallComment({ draft, isCalibration }: OverallCommentProps) {
  const { t } = useTexts();
  const comment = useSyncExternalStore(draft.subscribe, () => draft.state().comment);
  return (
    <Textarea
      label={t("overall")}
      description={t(isCalibration ? "overallInSession" : "overallDetail")}
      autosize
      minRows={2}
      maxRows={12}
      maxLength={answerLimits.comment}
      value={comment}
      onChange={({ currentTarget }) => draft.comment(currentTarget.value)}
    />
  );
}
