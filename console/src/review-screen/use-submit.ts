import { checkAnswers } from "@hearback/scoring/check-answers";
import type { ScorecardDocument } from "@hearback/scoring/document";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { calibrationOf } from "../calibrations/calibration-link.ts";
import { callPageQueries } from "../call-page/queries.ts";
import { client } from "../client.ts";
import { isFromQueue } from "../queue/queue-link.ts";
import { whileSubmitting } from "../queue/submitted-calls.ts";
import type { SearchParams } from "../search-params.ts";
import { toast, toastProblemWithAction } from "../ui/feedback/toast.tsx";
import { useTexts as useUiTexts } from "../ui/texts.ts";
import { afterReview } from "./next-call/after-review.ts";
import type { NextCall } from "./next-call/use-next-call.ts";
import { changedReview } from "./saving/draft-transport.ts";
import type { Draft } from "./saving/open-draft.ts";
import type { ActiveTime } from "./saving/use-active-time.ts";
import { useTexts } from "./texts.ts";
import type { FormFocus } from "./use-form-focus.ts";

interface SubmitOptions {
  readonly draft: Draft;
  readonly document: ScorecardDocument;
  readonly focus: FormFocus;
  readonly activeTime: ActiveTime;
  /** null: none is left. Undefined: not known yet. */
  readonly next: NextCall | null | undefined;
  readonly list: SearchParams;
  readonly callId: string;
  readonly scorecardId: string;
}

class NotSavedError extends Error {}

export type Submitting = ReturnType<typeof useSubmit>;

/**
 * Submits the review: checks it here, saves what is left, then submits. The next call opens while the review is being
 * submitted. If that fails, a toast leads back to the draft.
 */
export function useSubmit({ draft, document, focus, activeTime, next, list, callId, scorecardId }: SubmitOptions) {
  const { t } = useTexts();
  const ui = useUiTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  /** After the first attempt, what is missing is listed. */
  const [isChecked, setChecked] = useState(false);
  const openCall = ({ id, scorecardId }: NextCall) => {
    const search = { ...list, ...(scorecardId && { scorecard: scorecardId }) };
    void navigate({ to: "/calls/$id/review", params: { id }, search });
  };

  const submit = useMutation({
    async mutationFn(opened: NextCall | undefined) {
      const isSaved = await draft.flush();
      const { number } = draft.state();
      const id = draft.reviewId();
      if (!isSaved || id === undefined || number === undefined) throw new NotSavedError();
      return whileSubmitting(callId, async () => {
        if (opened) openCall(opened);
        await draft.saveActiveTime(activeTime.total(Date.now()));
        try {
          return await client.reviews.submit(id, { ifMatch: number });
        } catch (error) {
          // Changed in another window: the form shows it, and the reviewer submits again.
          const current = changedReview(error);
          if (current) draft.merge(current);
          throw error;
        }
      });
    },
    // These also run after the screen was left.
    onSuccess(review) {
      draft.end();
      queries.setQueryData(callPageQueries.reviews(callId).queryKey, (before = []) =>
        before.map((each) => (each.id === review.id ? review : each)),
      );
      void queries.invalidateQueries({ queryKey: ["reviews"], refetchType: "none" });
      void queries.invalidateQueries({ queryKey: ["assignments", "queue"] });
      void queries.invalidateQueries({ queryKey: ["calibrations"] });
      toast(t("submitted"));
    },
    onError(error, opened) {
      if (opened && !(error instanceof NotSavedError))
        toastProblemWithAction(t("notSubmitted"), {
          label: t("openDraft"),
          run: () => openCall({ id: callId, scorecardId }),
          close: ui.t("close"),
        });
    },
    gcTime: 0,
  });

  const start = (goOn: boolean) => {
    const [problem] = checkAnswers(document, draft.state().answers, { complete: true });
    setChecked(problem !== undefined);
    if (problem) return focus.moveTo(problem.question);
    if (submit.isPending) return;
    const opened = goOn && next ? next : undefined;
    submit.mutate(opened, {
      onSuccess(review) {
        if (opened) return;
        const isSession = calibrationOf(list) !== undefined;
        const back = afterReview(list);
        if (!goOn) return void navigate(isSession && back ? back : { to: "/reviews/$id", params: { id: review.id } });
        toast(t(isSession ? "noNextInSession" : isFromQueue(list) ? "noNextInQueue" : "noNext"));
        void navigate(back ?? { to: "/calls", search: list });
      },
    });
  };
  const latest = useRef(start);
  useEffect(() => {
    latest.current = start;
  });
  const { isPending, error } = submit;
  // Stable, so that the bar is not rendered for each answer.
  return useMemo(
    () => ({
      isChecked,
      isPending,
      isNotSaved: error instanceof NotSavedError,
      error: error instanceof NotSavedError ? null : error,
      submit: () => latest.current(false),
      submitAndNext: () => latest.current(true),
    }),
    [isChecked, isPending, error],
  );
}
