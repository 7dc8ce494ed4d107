import { type KeyboardEvent, useCallback, useMemo, useRef } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { drawOverview, type Paper, type View } from "./draw-waveform.ts";
import { goBySpeech } from "./go.ts";
import { HoverLine } from "./hover-line.tsx";
import type { Talk } from "./lanes.ts";
import styles from "./player.module.css";
import type { Player } from "./player.ts";
import { useCanvas } from "./use-canvas.ts";
import { usePlaceInWords } from "./use-place-in-words.ts";
import { usePlayerState, useTime } from "./use-player.ts";
import { useScrub } from "./use-scrub.ts";
import type { Waveform } from "./waveform.ts";

interface OverviewProps {
  readonly player: Player;
  readonly talk: Talk;
  readonly waveform: Waveform | undefined;
  /** What the close-up shows. */
  readonly view: View;
}

/** The whole call, with the place in it: a slider for whoever cannot see it. */
export function Overview({ player, talk, waveform, view }: OverviewProps) {
  const { t } = useTexts("player");
  const { durationMs } = player;
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const needle = useRef<HTMLDivElement>(null);
  const { muted } = usePlayerState(player);
  const whole = useMemo(() => ({ fromMs: 0, toMs: Math.max(1, durationMs) }), [durationMs]);
  const scrub = useScrub(player, whole);
  const place = usePlaceInWords(player, talk);
  const draw = useCallback(
    (paper: Paper) => {
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
      aria-label={t("place")}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs / 1000)}
      aria-valuenow={Math.round(place.ms / 1000)}
      aria-valuetext={place.text}
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
      <HoverLine stage={stage} view={whole} />
      <div ref={needle} className={styles.needle} />
    </div>
  );
}

type Moves = Readonly<Record<string, (player: Player, talk: Talk) => void>>;

/** What a slider does with its keys. */
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

/** Arrows with Shift are the player's own everywhere else, too. */
const movesBySpeech: Moves = {
  ArrowLeft: (player, { anybody }) => goBySpeech(player, anybody, -1),
  ArrowRight: (player, { anybody }) => goBySpeech(player, anybody, 1),
};
