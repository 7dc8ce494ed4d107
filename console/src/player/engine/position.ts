import { createListeners } from "./listeners.ts";
import { seekBackFrom, skipFrom } from "./silence-skips.ts";
import type { Span } from "./speech.ts";

interface PositionOptions {
  readonly durationMs: number;
  /** Whether long silences are skipped. */
  readonly isSkipping: () => boolean;
}

/** Playback position, seeking and silence skipping. */
export function openPosition(audio: HTMLMediaElement, { durationMs, isSkipping }: PositionOptions) {
  const clocks = createListeners<[ms: number, moved: boolean]>();
  let skips: readonly Span[] = [];
  let frame = 0;

  const nowMs = () => Math.min(durationMs, audio.currentTime * 1000);
  const notify = (moved: boolean) => clocks.notify(nowMs(), moved);

  function goTo(ms: number) {
    audio.currentTime = Math.max(0, Math.min(durationMs, ms)) / 1000;
    notify(true);
  }

  function goBy(ms: number) {
    goTo(ms < 0 && isSkipping() ? seekBackFrom(skips, nowMs(), -ms) : nowMs() + ms);
  }

  function passSilence() {
    if (!isSkipping() || audio.seeking || audio.paused) return;
    const to = skipFrom(skips, nowMs());
    if (to !== undefined) audio.currentTime = to / 1000;
  }

  function tick() {
    passSilence();
    notify(false);
    frame = audio.paused ? 0 : requestAnimationFrame(tick);
  }

  return {
    nowMs,
    goTo,
    goBy,
    passSilence,
    onTime: clocks.add,
    /** Playback started or stopped. */
    turn() {
      cancelAnimationFrame(frame);
      frame = 0;
      tick();
    },
    setSkips(stretches: readonly Span[]) {
      skips = stretches;
    },
    close() {
      cancelAnimationFrame(frame);
      clocks.clear();
    },
  };
}
