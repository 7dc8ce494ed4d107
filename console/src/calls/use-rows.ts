import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { Place } from "./queries.ts";

interface RowsOptions {
  readonly box: RefObject<HTMLElement | null>;
  /** Rows that are there or on their way. */
  readonly count: number;
  /** Rows one can go to. */
  readonly reachable: number;
  readonly rowHeight: number;
  /** The height of what stays above them. */
  readonly head: number;
  readonly place: Place | undefined;
}

/** Which rows are drawn and where, and which of them is the current one: keys move it, and it keeps the focus. */
export function useRows({ box, count, reachable, rowHeight, head, place }: RowsOptions) {
  const [current, setCurrent] = useState(place?.row ?? 0);
  const toFocus = useRef(place?.row);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: head,
    scrollPaddingStart: head,
    initialOffset: place?.offset ?? 0,
    // The current row stays, however far away: the focus would be lost with it.
    rangeExtractor: (range) => {
      const rows = defaultRangeExtractor(range);
      return rows.includes(current) || current >= count ? rows : [...rows, current].sort((a, b) => a - b);
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a different height moves every row
  useLayoutEffect(() => virtual.measure(), [virtual, rowHeight]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where one comes back to
  useLayoutEffect(() => {
    if (place) virtual.scrollToIndex(place.row);
  }, []);
  /** As soon as the row is there. */
  const focus = useCallback(() => {
    if (toFocus.current === undefined) return;
    const link = box.current?.querySelector<HTMLElement>(`[data-row="${toFocus.current}"] a`);
    if (!link) return;
    toFocus.current = undefined;
    link.focus({ preventScroll: true });
  }, [box]);
  useLayoutEffect(focus);

  const goTo = useCallback(
    (row: number) => {
      const to = Math.max(0, Math.min(reachable - 1, row));
      toFocus.current = to;
      setCurrent(to);
      virtual.scrollToIndex(to);
      focus();
    },
    [virtual, reachable, focus],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const screen = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 2);
    const to = { ...{ ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: reachable - 1 } }[event.key];
    const far = { PageDown: current + screen, PageUp: current - screen }[event.key];
    const row = to ?? far;
    if (row === undefined || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    goTo(row);
  };

  const items = virtual.getVirtualItems();
  return {
    ...{ current, setCurrent, goTo, onKeyDown },
    height: count * rowHeight,
    drawn: items.map(({ index }) => ({ row: index, top: index * rowHeight })),
    first: virtual.range?.startIndex ?? 0,
    last: virtual.range?.endIndex ?? 0,
  };
}
