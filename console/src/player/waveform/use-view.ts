import { useCallback, useMemo, useRef, useState } from "react";
import type { Player } from "../engine/player.ts";
import { useTime } from "../engine/use-player.ts";
import type { View } from "./draw-waveform.ts";
import type { Drag } from "./use-scrub.ts";

const lengths = [10, 20, 30, 60, 120, 300, 600].map((seconds) => seconds * 1000);
const usual = lengths.indexOf(30_000);

interface Seen {
  readonly view: View;
  readonly zoom: (step: 1 | -1) => void;
  readonly drag: Drag;
}

/** Visible range of the zoomed waveform. Pages forward during playback and follows seeks. */
export function useView(player: Player): Seen {
  const { durationMs } = player;
  const [zoomed, setZoomed] = useState(usual);
  const length = Math.max(1, Math.min(lengths[zoomed] ?? durationMs, durationMs));
  const [view, setView] = useState<View>(() => around(player.nowMs(), length, durationMs));
  const held = useRef(false);
  useTime(
    player,
    useCallback(
      (ms: number) =>
        setView((before) => {
          const same = Math.abs(before.toMs - before.fromMs - length) < 1;
          const end = before.toMs >= durationMs ? durationMs : before.fromMs + length * 0.92;
          if (same && (held.current || (ms >= before.fromMs && ms <= end))) return before;
          // Small advances turn the page; jumps centre the range.
          const onward = same && ms > end && ms - end < length / 4;
          return onward ? from(ms - length * 0.08, length, durationMs) : around(ms, length, durationMs);
        }),
      [length, durationMs],
    ),
  );
  const zoom = useCallback(
    (step: 1 | -1) =>
      setZoomed((before) => {
        const useful = lengths.findIndex((one) => one >= durationMs);
        const last = useful < 0 ? lengths.length - 1 : useful;
        return Math.max(0, Math.min(last, Math.min(before, last) - step));
      }),
    [durationMs],
  );
  const drag = useMemo(
    () => ({
      hold(on: boolean) {
        held.current = on;
      },
      scroll: (byMs: number) => setView(({ fromMs }) => from(fromMs + byMs, length, durationMs)),
    }),
    [length, durationMs],
  );
  return { view, zoom, drag };
}

function from(ms: number, length: number, durationMs: number): View {
  const fromMs = Math.max(0, Math.min(ms, durationMs - length));
  return { fromMs, toMs: fromMs + length };
}

const around = (ms: number, length: number, durationMs: number) => from(ms - length / 2, length, durationMs);
