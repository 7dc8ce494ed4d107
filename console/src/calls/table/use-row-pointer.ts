import type { CallItem } from "@hearback/sdk";
import { type FocusEvent, type MouseEvent, type PointerEvent, useEffect, useRef } from "react";

interface RowPointerOptions {
  readonly find: (row: number) => CallItem | undefined;
  readonly onCurrent: (row: number) => void;
  readonly onOpen: (id: string) => void;
  readonly onNear: (call: CallItem) => void;
}

/** Hover intent delay. */
const restMs = 60;

/** Event handlers for all rows, delegated to the container. */
export function useRowPointer({ find, onCurrent, onOpen, onNear }: RowPointerOptions) {
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(resting.current), []);
  const near = (row: number | undefined) => {
    clearTimeout(resting.current);
    const call = row === undefined ? undefined : find(row);
    if (call) resting.current = setTimeout(onNear, restMs, call);
  };
  return {
    onPointerOver: (event: PointerEvent) => near(rowOf(event.target)),
    onPointerLeave: () => clearTimeout(resting.current),
    onFocus(event: FocusEvent) {
      const row = rowOf(event.target);
      if (row === undefined) return;
      onCurrent(row);
      near(row);
    },
    onClick(event: MouseEvent) {
      // Modified clicks open a new tab or window.
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      const row = rowOf(event.target);
      const call = row === undefined ? undefined : find(row);
      if (row === undefined || !call) return;
      event.preventDefault();
      onCurrent(row);
      onOpen(call.id);
    },
  };
}

function rowOf(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-row]")?.dataset.row : undefined;
  return row === undefined ? undefined : Number(row);
}
