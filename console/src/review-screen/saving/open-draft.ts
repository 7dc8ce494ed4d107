import type { Answer } from "@hearback/scoring/answers";
import type { ReviewDetailBody } from "@hearback/sdk";
import { onceClient } from "../../client.ts";
import { openDraftTransport } from "./draft-transport.ts";
import { openSaveQueue, type QueueState, reviewComment } from "./save-queue.ts";
import { openUnsentChanges } from "./unsent-changes.ts";

export interface DraftState extends QueueState {
  /** false: the browser does not store unsent changes. */
  readonly isKept: boolean;
}

interface DraftOptions {
  readonly userId: string;
  readonly callId: string;
  readonly scorecardId: string;
  /** The review is for this calibration session. */
  readonly calibrationId?: string | undefined;
  /** The draft, if the review is started. */
  readonly review: ReviewDetailBody | undefined;
  readonly onStarted: (review: ReviewDetailBody) => void;
  readonly onError: (error: unknown) => void;
}

/** A change is sent when the field has not changed for so long. An answer is painted first. */
const settleMs = { typed: 500, chosen: 50 };

export type Draft = ReturnType<typeof openDraft>;

/** The draft of a review: answers are shown at once, saved in the background and kept in the browser until then. */
export function openDraft({ userId, callId, scorecardId, calibrationId, review, onStarted, onError }: DraftOptions) {
  const listeners = new Set<() => void>();
  const unsent = openUnsentChanges({ userId, callId, scorecardId, calibrationId });
  const transport = openDraftTransport({
    callId,
    scorecardId,
    calibrationId,
    reviewId: review?.id,
    onStarted,
    onError,
  });
  let isKept = true;
  let state: DraftState | undefined;
  const queue = openSaveQueue({
    draft: review,
    unsent: unsent.take(),
    transport,
    onChange(next, changes) {
      isKept = unsent.replace(changes);
      state = { ...next, isKept };
      for (const listener of listeners) listener();
    },
  });
  const current = (): DraftState => {
    state ??= { ...queue.state(), isKept };
    return state;
  };

  return {
    state: current,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    reviewId: transport.reviewId,
    /** `typed`: more key presses may follow. */
    answer(question: string, answer: Answer, { typed = false } = {}) {
      queue.change(question, answer, { settleMs: typed ? settleMs.typed : settleMs.chosen });
    },
    comment: (text: string) => queue.change(reviewComment, text, { settleMs: settleMs.typed }),
    resolve: queue.resolve,
    merge: queue.merge,
    retry: queue.retry,
    flush: queue.flush,
    /** Returns without waiting. A failure is ignored: the time is sent again. */
    async saveActiveTime(activeMs: number): Promise<void> {
      const id = transport.reviewId();
      if (id) await onceClient.reviews.changeDraft(id, { activeMs }).catch(() => undefined);
    },
    /** The draft was submitted or discarded. */
    end() {
      queue.end();
      unsent.clear();
    },
    close: queue.close,
  };
}
