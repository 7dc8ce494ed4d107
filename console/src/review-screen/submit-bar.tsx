import type { ScorecardDocument } from "@hearback/scoring/document";
import { Button, Group, Kbd, Text, Tooltip, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { memo, Suspense, useEffect, useMemo, useRef, useState } from "react";
import type { SearchParams } from "../search-params.ts";
import { Problem } from "../ui/feedback/problem.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { clock } from "../ui/time/use-format.ts";
import { progressOf } from "./progress.ts";
import styles from "./review.module.css";
import type { Draft, DraftState } from "./saving/open-draft.ts";
import { SaveStatus } from "./saving/save-status.tsx";
import type { ActiveTime } from "./saving/use-active-time.ts";
import { useTexts } from "./texts.ts";
import { useBarHeight } from "./use-bar-height.ts";
import type { FormFocus } from "./use-form-focus.ts";
import type { Submitting } from "./use-submit.ts";

/** Loaded when it is shown, which is after the last answer. */
const CurrentScore = lazyComponent(async () => (await import("./current-score.tsx")).CurrentScore);

/** Loaded when there is a draft. */
const DiscardDraft = lazyComponent(async () => (await import("./saving/discard-draft.tsx")).DiscardDraft);

const MissingAnswers = lazyComponent(async () => (await import("./missing-answers.tsx")).MissingAnswers);

export interface SubmitBarProps {
  readonly draft: Draft;
  readonly state: DraftState;
  readonly document: ScorecardDocument;
  readonly activeTime: ActiveTime;
  readonly submitting: Submitting;
  readonly list: SearchParams;
  readonly callId: string;
  readonly focus: FormFocus;
}

/** Progress, saved state, score and the buttons to submit. Always in view. Memoized: it may lag behind the answers. */
export const SubmitBar = memo(function SubmitBar({
  draft,
  state,
  document,
  activeTime,
  submitting,
  list,
  callId,
  focus,
}: SubmitBarProps) {
  const { t } = useTexts();
  const { answers } = state;
  const bar = useBarHeight();
  const { done, total } = useMemo(() => progressOf(document, answers), [document, answers]);
  return (
    <section ref={bar} className={styles.bar} aria-label={t("finish")}>
      <div className={styles.progress}>
        <span style={{ width: `${(done / Math.max(1, total)) * 100}%` }} />
      </div>
      {submitting.isChecked && (
        <Suspense>
          <MissingAnswers document={document} answers={answers} onGoTo={focus.moveTo} />
        </Suspense>
      )}
      {submitting.isNotSaved && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {t("notSaved")}
        </Text>
      )}
      {submitting.error && <Problem error={submitting.error} />}
      <div className={styles.barRow}>
        <div className={styles.facts}>
          <span className="tabular">
            <span aria-hidden="true">{t("answered", { done, total })}</span>
            <VisuallyHidden>{t("answeredLabel", { done, total })}</VisuallyHidden>
          </span>
          <SaveStatus status={state.status} isKept={state.isKept} isStarted={state.number !== undefined} />
          <ActiveClock time={activeTime} />
          {state.number !== undefined && (
            <Suspense
              fallback={
                <Text span fz="xs">
                  {t("discard")}
                </Text>
              }
            >
              <DiscardDraft {...{ draft, list, callId }} />
            </Suspense>
          )}
        </div>
        <RunningScore document={document} answers={answers} isComplete={done === total} />
      </div>
      <SubmitButtons submitting={submitting} />
    </section>
  );
});

const SubmitButtons = memo(function SubmitButtons({ submitting }: Pick<SubmitBarProps, "submitting">) {
  const { t } = useTexts();
  return (
    <div className={styles.barRow}>
      <Button variant="default" onClick={submitting.submit} disabled={submitting.isPending}>
        {t("submit")}
      </Button>
      <Button
        onClick={submitting.submitAndNext}
        loading={submitting.isPending}
        rightSection={
          <Group gap={3} wrap="nowrap" visibleFrom="sm" aria-hidden="true">
            <Kbd size="xs">⇧</Kbd>
            <Kbd size="xs">⏎</Kbd>
          </Group>
        }
      >
        {t("nextCall")}
      </Button>
    </div>
  );
});

interface RunningScoreProps extends Pick<SubmitBarProps, "document"> {
  readonly answers: DraftState["answers"];
  readonly isComplete: boolean;
}

/** Hidden until the form is complete: a visible score pulls the answers towards it. */
function RunningScore({ document, answers, isComplete }: RunningScoreProps) {
  const { t } = useTexts();
  const [isShown, setShown] = useState(false);
  if (!isShown && !isComplete) return <ShowScore setShown={setShown} />;
  return (
    <Text span size="sm">
      <VisuallyHidden>{t("score")}: </VisuallyHidden>
      <Suspense>
        <CurrentScore document={document} answers={answers} />
      </Suspense>
    </Text>
  );
}

const ShowScore = memo(function ShowScore({ setShown }: { readonly setShown: (isShown: boolean) => void }) {
  const { t } = useTexts();
  return (
    <Tooltip label={t("scoreHidden")} multiline maw={240}>
      <UnstyledButton className="as-link" fz="xs" onClick={() => setShown(true)}>
        {t("showScore")}
      </UnstyledButton>
    </Tooltip>
  );
});

/** Updated without rendering. */
const ActiveClock = memo(function ActiveClock({ time }: { readonly time: ActiveTime }) {
  const { t } = useTexts();
  const text = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const show = () => {
      if (text.current) text.current.textContent = t("activeTime", { time: clock(time.total(Date.now())) });
    };
    show();
    const timer = window.setInterval(show, 1000);
    return () => window.clearInterval(timer);
  }, [time, t]);
  return (
    <Tooltip label={t("activeTimeDetail")} multiline maw={260}>
      <span ref={text} className="tabular" />
    </Tooltip>
  );
});
