import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Player } from "../player/engine/player.ts";
import { latestWord, type WordClock, wordsAt } from "./word-clock.ts";

interface ReadingOptions {
  readonly box: RefObject<HTMLElement | null>;
  readonly player: Player;
  readonly clock: WordClock;
  /** Scrolls to a word that is not rendered. */
  readonly bring: (word: number) => void;
}

/** The current word stays in this part of the box. */
const calm = { from: 0.08, to: 0.72 };
/** Where it is scrolled to. */
const goal = 0.25;

/**
 * Marks the words that are being said, and scrolls to them until the reader scrolls. Changes one attribute of elements;
 * nothing is rendered while the sound plays.
 */
export function useReading({ box, player, clock, bring }: ReadingOptions) {
  const [isFollowing, setFollowing] = useState(true);
  const follows = useRef(true);
  const current = useRef<readonly number[]>([]);
  const setFollow = useCallback((on: boolean) => {
    follows.current = on;
    setFollowing(on);
  }, []);

  const elementOf = useCallback((word: number) => box.current?.querySelector<HTMLElement>(`[data-w="${word}"]`), [box]);
  const mark = useCallback(() => {
    const wanted = current.current.map(elementOf);
    for (const element of box.current?.querySelectorAll("[data-now]") ?? [])
      if (!wanted.includes(element as HTMLElement)) element.removeAttribute("data-now");
    for (const element of wanted) element?.setAttribute("data-now", "");
  }, [box, elementOf]);

  const keepInView = useCallback(
    (word: number | undefined, isJump: boolean) => {
      const here = box.current;
      if (word === undefined || !here || here.clientHeight === 0) return;
      const element = elementOf(word);
      if (!element) return bring(word);
      const top = element.getBoundingClientRect().top - here.getBoundingClientRect().top;
      if (top >= calm.from * here.clientHeight && top <= calm.to * here.clientHeight) return;
      const isCalm = isJump || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      here.scrollTo({ top: here.scrollTop + top - goal * here.clientHeight, behavior: isCalm ? "instant" : "smooth" });
    },
    [box, elementOf, bring],
  );

  useEffect(() => {
    const listen = (ms: number, moved: boolean) => {
      const now = wordsAt(clock, ms);
      const before = current.current;
      const isSame = now.length === before.length && now.every((word, at) => word === before[at]);
      if (!isSame) {
        current.current = now;
        mark();
      }
      if (follows.current && (moved || (!isSame && now.length > 0))) keepInView(latestWord(clock, ms), moved);
    };
    // Opened at the start, the transcript begins at its top.
    if (player.nowMs() > 0) listen(player.nowMs(), true);
    return player.onTime(listen);
  }, [player, clock, mark, keepInView]);
  // Rows that were just rendered have no mark yet.
  useLayoutEffect(mark);

  const stop = useCallback(() => {
    if (follows.current) setFollow(false);
  }, [setFollow]);
  const follow = useCallback(() => {
    setFollow(true);
    keepInView(latestWord(clock, player.nowMs()), true);
  }, [setFollow, keepInView, clock, player]);
  return { isFollowing, follow, stop };
}
