import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { ListPosition } from "../queries.ts";

interface VirtualRowsOptions {
  readonly box: RefObject<HTMLElement | null>;
  /** Loaded and loading rows. */
  readonly count: number;
  /** Rows that can take the focus. */
  readonly reachable: number;
  readonly rowHeight: number;
  /** Height of the sticky header. */
  readonly head: number;
  readonly position: ListPosition | undefined;
}

/** Virtualises the rows and manages the current one (roving focus). */
export function useVirtualRows({ box, count, reachable, rowHeight, head, position }: VirtualRowsOptions) {
  const [current, setCurrent] = useState(position?.row ?? 0);
  const toFocus = useRef(position?.row);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: head,
    scrollPaddingStart: head,
    initialOffset: position?.offset ?? 0,
    // Always render the current row, which holds the focus.
    rangeExtractor: (range) => {
      const rows = defaultRangeExtractor(range);
      return rows.includes(current) || current >= count ? rows : [...rows, current].sort((a, b) => a - b);
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: remeasure when the height changes
  useLayoutEffect(() => virtual.measure(), [virtual, rowHeight]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only on mount
  useLayoutEffect(() => {
    if (position) virtual.scrollToIndex(position.row);
  }, []);
  /** Focuses the row once it is rendered. */
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
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + screen,
      PageUp: current - screen,
      Home: 0,
      End: reachable - 1,
    };
    const row = targets[event.key];
    if (row === undefined || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    goTo(row);
  };

  const items = virtual.getVirtualItems();
  return {
    current,
    setCurrent,
    goTo,
    onKeyDown,
    height: count * rowHeight,
    drawn: items.map(({ index }) => ({ row: index, top: index * rowHeight })),
    first: virtual.range?.startIndex ?? 0,
    last: virtual.range?.endIndex ?? 0,
  };
}
