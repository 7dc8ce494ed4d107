import { useEffect, useState } from "react";
import { openActiveTime } from "./active-time.ts";
import type { Draft } from "./open-draft.ts";

const saveEveryMs = 15_000;
const inputs = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;

export type ActiveTime = ReturnType<typeof openActiveTime>;

/** Measures the active time of a draft and saves it now and then. */
export function useActiveTime(draft: Draft, startMs: number): ActiveTime {
  const [time] = useState(() => openActiveTime(startMs, Date.now()));
  useEffect(() => {
    const ended = new AbortController();
    const options = { signal: ended.signal, passive: true, capture: true };
    for (const name of inputs) window.addEventListener(name, () => time.input(Date.now()), options);
    const turn = () => time.setVisible(document.visibilityState === "visible", Date.now());
    document.addEventListener("visibilitychange", turn, options);
    turn();
    let saved = startMs;
    const save = () => {
      const total = time.total(Date.now());
      if (total === saved || !draft.reviewId()) return;
      saved = total;
      void draft.saveActiveTime(total);
    };
    const timer = window.setInterval(save, saveEveryMs);
    return () => {
      ended.abort();
      window.clearInterval(timer);
    };
  }, [draft, time, startMs]);
  return time;
}
