import { type RefObject, useEffect, useRef } from "react";
import { clock } from "../../ui/time/use-format.ts";
import styles from "../player.module.css";
import type { View } from "./draw-waveform.ts";

interface HoverLineProps {
  readonly stage: RefObject<HTMLElement | null>;
  readonly view: View;
}

/** Shows the time under the pointer. */
export function HoverLine({ stage, view }: HoverLineProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const gone = new AbortController();
    const show = ({ clientX, pointerType }: PointerEvent) => {
      const { left, width } = element.getBoundingClientRect();
      const share = (clientX - left) / width;
      const label = line.current?.firstElementChild;
      if (!line.current || !label || pointerType === "touch") return;
      line.current.style.visibility = "visible";
      line.current.style.transform = `translateX(${share * width}px)`;
      line.current.toggleAttribute("data-left", share > 0.9);
      label.textContent = clock(view.fromMs + share * (view.toMs - view.fromMs));
    };
    const hide = () => {
      if (line.current) line.current.style.visibility = "hidden";
    };
    element.addEventListener("pointermove", show, { signal: gone.signal });
    element.addEventListener("pointerleave", hide, { signal: gone.signal });
    return () => gone.abort();
  }, [stage, view]);
  return (
    <div ref={line} className={styles.hover}>
      <span className="tabular" />
    </div>
  );
}
