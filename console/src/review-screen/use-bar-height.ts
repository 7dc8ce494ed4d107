import { type RefObject, useEffect, useRef } from "react";

/**
 * Measures the bar below the form, so that questions scroll clear of it: `--bar-height` of the element around it. If the bar grows over
 * the focused question, the question moves up.
 */
export function useBarHeight(): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = bar.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      element.parentElement?.style.setProperty("--bar-height", `${element.offsetHeight}px`);
      const card = element.parentElement?.querySelector("[data-question]:focus-within");
      card?.scrollIntoView({ block: "nearest" });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return bar;
}
