const idleAfterMs = 30_000;

/** Measures how long a person works: until 30 s after the last input, and only while the page is visible. */
export function openActiveTime(startMs: number, now: number) {
  let total = startMs;
  let countedTo = now;
  let activeUntil = now + idleAfterMs;
  let isVisible = true;

  function count(at: number) {
    if (isVisible) total += Math.max(0, Math.min(at, activeUntil) - countedTo);
    countedTo = Math.max(countedTo, at);
  }

  return {
    input(at: number) {
      count(at);
      activeUntil = at + idleAfterMs;
    },
    setVisible(visible: boolean, at: number) {
      count(at);
      isVisible = visible;
      if (visible) activeUntil = at + idleAfterMs;
    },
    /** Time that was measured elsewhere, such as in an earlier visit. */
    atLeast(ms: number) {
      total = Math.max(total, ms);
    },
    total(at: number): number {
      count(at);
      return Math.round(total);
    },
  };
}
