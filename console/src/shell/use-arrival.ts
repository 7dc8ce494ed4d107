import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

/**
 * Whoever goes to another page is there: its heading takes the focus, so that a screen reader says where one is. A field or
 * row of the page that asked for the focus keeps it; on the first page the browser begins at the top, as everywhere.
 */
export function useArrival(): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const before = useRef(path);
  useEffect(() => {
    const moved = before.current !== undefined && before.current !== path;
    before.current = path;
    const content = document.getElementById("content");
    if (!moved || content?.contains(document.activeElement)) return;
    content?.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }, [path]);
}
