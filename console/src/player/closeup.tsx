import { useCallback, useMemo, useRef } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { useFormat } from "../ui/use-format.ts";
import { drawLanes, type Paper, type View } from "./draw-waveform.ts";
import { HoverLine } from "./hover-line.tsx";
import type { Talk } from "./lanes.ts";
import styles from "./player.module.css";
import type { Player } from "./player.ts";
import { ticksOf } from "./ticks.ts";
import { useCanvas } from "./use-canvas.ts";
import { useLength } from "./use-length.ts";
import { usePlayerState, useTime } from "./use-player.ts";
import { type Drag, useScrub } from "./use-scrub.ts";
import type { Waveform } from "./waveform.ts";

interface CloseupProps {
  readonly player: Player;
  readonly talk: Talk;
  readonly waveform: Waveform | undefined;
  readonly view: View;
  readonly drag: Drag;
}

/** Some seconds around the place, each voice on its own lane. For the eyes: what it tells is told in words elsewhere. */
export function Closeup({ player, talk, waveform, view, drag }: CloseupProps) {
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const needle = useRef<HTMLDivElement>(null);
  const { muted } = usePlayerState(player);
  const scrub = useScrub(player, view, drag);
  const draw = useCallback(
    (paper: Paper) => {
      if (waveform) drawLanes(paper, { waveform, talk, muted, view });
    },
    [waveform, talk, muted, view],
  );
  useCanvas(canvas, draw);
  useTime(
    player,
    useCallback(
      (ms: number) => {
        const share = (ms - view.fromMs) / (view.toMs - view.fromMs);
        if (needle.current) needle.current.style.transform = `translateX(${share * 100}%)`;
      },
      [view],
    ),
  );
  return (
    <div aria-hidden="true">
      <div className={`${styles.stage} ${styles.closeup}`} ref={stage} {...scrub} data-testid="closeup">
        <canvas ref={canvas} className={styles.canvas} />
        <Silences talk={talk} view={view} />
        <HoverLine stage={stage} view={view} />
        <div ref={needle} className={styles.needle} />
      </div>
      <Scale view={view} />
    </div>
  );
}

/** How long the silences last that are wide enough to say it. */
function Silences({ talk, view }: Pick<CloseupProps, "talk" | "view">) {
  const { t } = useTexts("player");
  const lengthOf = useLength();
  const length = view.toMs - view.fromMs;
  const shown = talk.silences
    .map(([from, to]) => ({ ms: to - from, from: Math.max(from, view.fromMs), to: Math.min(to, view.toMs) }))
    .filter(({ from, to }) => to > from);
  const share = (ms: number) => `${(ms / length) * 100}%`;
  return shown.map(({ ms, from, to }) => (
    <div key={from} className={styles.silence} style={{ left: share(from - view.fromMs), width: share(to - from) }}>
      <span>{t("silenceOf", { time: lengthOf(ms) })}</span>
    </div>
  ));
}

function Scale({ view }: { readonly view: View }) {
  const format = useFormat();
  const ticks = useMemo(() => ticksOf(view), [view]);
  return (
    <div className={`${styles.scale} tabular`}>
      {ticks.map(({ ms, share }) => (
        <span key={ms} className={styles.tick} style={{ left: `${share * 100}%` }}>
          {format.duration(ms)}
        </span>
      ))}
    </div>
  );
}
