import { answerTo } from "@hearback/scoring/answer-to";
import type { Answer } from "@hearback/scoring/answers";
import type { Player } from "../../player/engine/player.ts";
import type { Draft } from "../saving/open-draft.ts";
import { withMoment } from "./moments.ts";

export interface PendingMomentState {
  readonly question: string;
  readonly startMs: number;
}

interface PendingMomentOptions {
  readonly draft: Draft;
  readonly answer: (question: string, answer: Answer) => void;
  readonly player: Player | undefined;
}

export type PendingMoment = ReturnType<typeof openPendingMoment>;

/** A moment whose start is marked. Marking again, on any question, ends it. */
export function openPendingMoment({ draft, answer, player: first }: PendingMomentOptions) {
  const listeners = new Set<() => void>();
  let player = first;
  let state: PendingMomentState | undefined;
  const set = (next: PendingMomentState | undefined) => {
    state = next;
    for (const listener of listeners) listener();
  };
  return {
    state: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    setPlayer(next: Player | undefined) {
      player = next;
    },
    mark(question: string) {
      if (!player) return;
      const nowMs = player.nowMs();
      if (!state) return set({ question, startMs: nowMs });
      const before = answerTo(draft.state().answers, state.question) ?? {};
      answer(state.question, withMoment(before, state.startMs, nowMs));
      set(undefined);
    },
    cancel: () => set(undefined),
  };
}
