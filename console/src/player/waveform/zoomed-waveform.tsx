import { useCallback, useMemo, useRef } from "react";
import { useFormat } from "../../ui/time/use-format.ts";
import type { Talk } from "../engine/lanes.ts";
import type { Player } from "../engine/player.ts";
import { usePlayerState, useTime } from "../engine/use-player.ts";
import styles from "../player.module.css";
import { useTexts } from "../texts.ts";
import { drawLanes, type Surface, type View } from "./draw-waveform.ts";
import { HoverLine } from "./hover-line.tsx";
import { ticksOf } from "./ticks.ts";
import { useCanvas } from "./use-canvas.ts";
import { useDurationText } from "./use-duration-text.ts";
import { type Drag, useScrub } from "./use-scrub.ts";
import type { Waveform } from "./waveform.ts";

interface ZoomedWaveformProps {
  readonly player: Player;
  readonly talk: Talk;
  readonly waveform: Waveform | undefined;
  readonly view: View;
  readonly drag: Drag;
}

/** Zoomed waveform around the position. Decorative: screen readers use the slider. */
export function ZoomedWaveform({ player, talk, waveform, view, drag }: ZoomedWaveformProps) {
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const needle = useRef<HTMLDivElement>(null);
  const { muted } = usePlayerState(player);
  const scrub = useScrub(player, view, drag);
  const draw = useCallback(
    (paper: Surface) => {
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
      <div className={`${styles.stage} ${styles.zoomed}`} ref={stage} {...scrub} data-testid="zoomed-waveform">
        <canvas ref={canvas} className={styles.canvas} />
        <Silences talk={talk} view={view} />
        <HoverLine stage={stage} view={view} />
        <div ref={needle} className={styles.needle} />
      </div>
      <Scale view={view} />
    </div>
  );
}

/** Labels of long silences. */
function Silences({ talk, view }: Pick<ZoomedWaveformProps, "talk" | "view">) {
  const { t } = useTexts();
  const lengthOf = useDurationText();
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
