import { type PointerEvent, useEffect, useRef } from "react";
import type { View } from "./draw-waveform.ts";
import type { Player } from "./player.ts";

/** How a view that shows a part of the call is dragged along. */
export interface Drag {
  /** It stays where it is, wherever the place goes, until it is let go. */
  readonly hold: (held: boolean) => void;
  readonly scroll: (byMs: number) => void;
}

/** How much of what is seen goes by in a second while the pointer is held beyond the edge. */
const perSecond = 0.75;

/** Pressing goes there, dragging takes the place along; beyond the edge of a part, the part follows steadily. */
export function useScrub(player: Player, view: View, drag?: Drag) {
  const dragging = useRef(false);
  const latest = useRef({ view, drag });
  useEffect(() => {
    latest.current = { view, drag };
  });
  const scrolling = useRef({ way: 0, frame: 0 });
  useEffect(() => () => cancelAnimationFrame(scrolling.current.frame), []);

  const scroll = (way: -1 | 0 | 1) => {
    if (way === scrolling.current.way) return;
    cancelAnimationFrame(scrolling.current.frame);
    scrolling.current.way = way;
    let before = performance.now();
    const step = (now: number) => {
      const { fromMs, toMs } = latest.current.view;
      const byMs = (way * (toMs - fromMs) * perSecond * Math.max(0, now - before)) / 1000;
      before = now;
      latest.current.drag?.scroll(byMs);
      player.goTo((way > 0 ? toMs : fromMs) + byMs);
      scrolling.current.frame = requestAnimationFrame(step);
    };
    if (way !== 0) scrolling.current.frame = requestAnimationFrame(step);
  };
  const follow = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = (clientX - left) / width;
    const within = Math.max(0, Math.min(1, share));
    scroll(drag && share !== within ? (share > 1 ? 1 : -1) : 0);
    if (scrolling.current.way === 0) player.goTo(view.fromMs + within * (view.toMs - view.fromMs));
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
