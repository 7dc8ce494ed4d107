import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

/**
 * Moves the focus to the page heading after navigation, so that screen readers announce the page. Skipped if the page
 * already set the focus, and on the first load.
 */
export function useFocusOnNavigation(): void {
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
