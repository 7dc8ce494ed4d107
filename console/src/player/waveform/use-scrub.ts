import { type PointerEvent, useEffect, useRef } from "react";
import type { Player } from "../engine/player.ts";
import type { View } from "./draw-waveform.ts";

/** Lets a drag scroll the visible range. */
export interface Drag {
  /** Keeps the range in place while dragging. */
  readonly hold: (held: boolean) => void;
  readonly scroll: (byMs: number) => void;
}

/** Share of the visible range to scroll per second beyond the edge. */
const perSecond = 0.75;

/** Seeks on press and drag. Beyond the edge, the range scrolls at constant speed. */
export function useScrub(player: Player, view: View, drag?: Drag) {
  const dragging = useRef(false);
  const latest = useRef({ view, drag });
  useEffect(() => {
    latest.current = { view, drag };
  });
  const scrolling = useRef({ direction: 0, frame: 0 });
  useEffect(() => () => cancelAnimationFrame(scrolling.current.frame), []);

  const scroll = (direction: -1 | 0 | 1) => {
    if (direction === scrolling.current.direction) return;
    cancelAnimationFrame(scrolling.current.frame);
    scrolling.current.direction = direction;
    let before = performance.now();
    const step = (now: number) => {
      const { fromMs, toMs } = latest.current.view;
      const byMs = (direction * (toMs - fromMs) * perSecond * Math.max(0, now - before)) / 1000;
      before = now;
      latest.current.drag?.scroll(byMs);
      player.goTo((direction > 0 ? toMs : fromMs) + byMs);
      scrolling.current.frame = requestAnimationFrame(step);
    };
    if (direction !== 0) scrolling.current.frame = requestAnimationFrame(step);
  };
  const follow = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = (clientX - left) / width;
    const within = Math.max(0, Math.min(1, share));
    scroll(drag && share !== within ? (share > 1 ? 1 : -1) : 0);
    if (scrolling.current.direction === 0) player.goTo(view.fromMs + within * (view.toMs - view.fromMs));
  };
  const letGo = () => {
    dragging.current = false;
    scroll(0);
    drag?.hold(false);
  };
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      dragging.current = true;
      drag?.hold(true);
      event.currentTarget.setPointerCapture(event.pointerId);
      follow(event);
    },
    onPointerMove(event: PointerEvent) {
      if (dragging.current) follow(event);
    },
    onPointerUp: letGo,
    onPointerCancel: letGo,
    onLostPointerCapture: letGo,
  };
}
