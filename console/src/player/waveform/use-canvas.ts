import { useComputedColorScheme } from "@mantine/core";
import { type RefObject, useEffect, useState } from "react";
import type { Surface } from "./draw-waveform.ts";

/** Redraws the canvas when its content, size, resolution or theme changes. */
export function useCanvas(canvas: RefObject<HTMLCanvasElement | null>, draw: (paper: Surface) => void): void {
  const scheme = useComputedColorScheme("light");
  const { width, height } = useSize(canvas);
  // biome-ignore lint/correctness/useExhaustiveDependencies: redraw when the theme changes
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context || !width || !height) return;
    const { canvas: element } = context;
    const sharpness = Math.min(3, window.devicePixelRatio || 1);
    element.width = Math.round(width * sharpness);
    element.height = Math.round(height * sharpness);
    context.scale(sharpness, sharpness);
    const style = getComputedStyle(element);
    draw({ context, width, height, colour: (name) => style.getPropertyValue(name) });
  }, [canvas, draw, width, height, scheme]);
}

function useSize(element: RefObject<Element | null>) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
