import { type KeyboardEvent, useCallback, useMemo, useRef } from "react";
import { goBySpeech } from "../engine/go-by-speech.ts";
import type { Talk } from "../engine/lanes.ts";
import type { Player } from "../engine/player.ts";
import { usePlayerState, useTime } from "../engine/use-player.ts";
import styles from "../player.module.css";
import { useTexts } from "../texts.ts";
import { drawOverview, type Surface, type View } from "./draw-waveform.ts";
import { HoverLine } from "./hover-line.tsx";
import { useCanvas } from "./use-canvas.ts";
import { usePositionText } from "./use-position-text.ts";
import { useScrub } from "./use-scrub.ts";
import type { Waveform } from "./waveform.ts";

interface OverviewProps {
  readonly player: Player;
  readonly talk: Talk;
  readonly waveform: Waveform | undefined;
  /** Range of the zoomed waveform. */
  readonly view: View;
  /** Stretches to highlight. */
  readonly marks?: readonly Mark[] | undefined;
}

export interface Mark {
  readonly startMs: number;
  readonly endMs: number;
}

/** Whole call with the playback position. Exposed as a slider. */
export function Overview({ player, talk, waveform, view, marks = [] }: OverviewProps) {
  const { t } = useTexts();
  const { durationMs } = player;
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const needle = useRef<HTMLDivElement>(null);
  const { muted } = usePlayerState(player);
  const whole = useMemo(() => ({ fromMs: 0, toMs: Math.max(1, durationMs) }), [durationMs]);
  const scrub = useScrub(player, whole);
  const position = usePositionText(player, talk);
  const draw = useCallback(
    (paper: Surface) => {
      if (waveform) drawOverview(paper, { waveform, talk, muted, view: whole });
    },
    [waveform, talk, muted, whole],
  );
  useCanvas(canvas, draw);
  useTime(
    player,
    useCallback(
      (ms: number) => {
        if (needle.current) needle.current.style.transform = `translateX(${(ms / whole.toMs) * 100}%)`;
      },
      [whole],
    ),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const move = (event.shiftKey ? movesBySpeech : moves)[event.key];
    if (!move || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    move(player, talk);
  };
  const isPart = view.toMs - view.fromMs < durationMs;
  return (
    <div
      ref={stage}
      role="slider"
      tabIndex={0}
      aria-label={t("position")}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs / 1000)}
      aria-valuenow={Math.round(position.ms / 1000)}
      aria-valuetext={position.text}
      className={`${styles.stage} ${styles.overview}`}
      onKeyDown={onKeyDown}
      {...scrub}
    >
      <canvas ref={canvas} className={styles.canvas} />
      {isPart && (
        <div
          className={styles.window}
          style={{
            left: `${(view.fromMs / whole.toMs) * 100}%`,
            width: `${((view.toMs - view.fromMs) / whole.toMs) * 100}%`,
          }}
        />
      )}
      {marks.map(({ startMs, endMs }) => (
        <div
          key={`${startMs} ${endMs}`}
          className={styles.mark}
          style={{ left: `${(startMs / whole.toMs) * 100}%`, width: `${((endMs - startMs) / whole.toMs) * 100}%` }}
        />
      ))}
      <HoverLine stage={stage} view={whole} />
      <div ref={needle} className={styles.needle} />
    </div>
  );
}

type Moves = Readonly<Record<string, (player: Player, talk: Talk) => void>>;

/** Keys of the slider. */
const moves: Moves = {
  ArrowLeft: ({ goBy }) => goBy(-5000),
  ArrowDown: ({ goBy }) => goBy(-5000),
  ArrowRight: ({ goBy }) => goBy(5000),
  ArrowUp: ({ goBy }) => goBy(5000),
  PageDown: ({ goBy }) => goBy(-30_000),
  PageUp: ({ goBy }) => goBy(30_000),
  Home: ({ goTo }) => goTo(0),
  End: ({ goTo, durationMs }) => goTo(durationMs),
};

/** Same as the player's shortcuts for Shift and arrows. */
const movesBySpeech: Moves = {
  ArrowLeft: (player, { anySpeech }) => goBySpeech(player, anySpeech, -1),
  ArrowRight: (player, { anySpeech }) => goBySpeech(player, anySpeech, 1),
};
