import { openListeners } from "./listeners.ts";
import { backFrom, skipFrom } from "./skip-plan.ts";
import type { Span } from "./speech.ts";

interface PositionOptions {
  readonly durationMs: number;
  /** Whether long silences are jumped over just now. */
  readonly isSkipping: () => boolean;
}

/** Where in the call the sound is, told to whoever draws it. */
export function openPosition(audio: HTMLMediaElement, { durationMs, isSkipping }: PositionOptions) {
  const clocks = openListeners<[ms: number, moved: boolean]>();
  let skips: readonly Span[] = [];
  let frame = 0;

  const nowMs = () => Math.min(durationMs, audio.currentTime * 1000);
  const tell = (moved: boolean) => clocks.tell(nowMs(), moved);

  function goTo(ms: number) {
    // Who goes to a place is about to listen there: what comes next is fetched before it is asked for.
    audio.preload = "auto";
    audio.currentTime = Math.max(0, Math.min(durationMs, ms)) / 1000;
    tell(true);
  }

  function goBy(ms: number) {
    goTo(ms < 0 && isSkipping() ? backFrom(skips, nowMs(), -ms) : nowMs() + ms);
  }

  function passSilence() {
    if (!isSkipping() || audio.seeking || audio.paused) return;
    const to = skipFrom(skips, nowMs());
    if (to !== undefined) audio.currentTime = to / 1000;
  }

  function tick() {
    passSilence();
    tell(false);
    frame = audio.paused ? 0 : requestAnimationFrame(tick);
  }

  return {
    ...{ nowMs, goTo, goBy, passSilence },
    onTime: clocks.add,
    /** It began to play, or stopped. */
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
