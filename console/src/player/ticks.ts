import type { View } from "./draw-waveform.ts";

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600].map((seconds) => seconds * 1000);
const mostTicks = 8;

/** Round times of a view, and where they stand in it; none so near to an edge that it would be cut off. */
export function ticksOf({ fromMs, toMs }: View): { readonly ms: number; readonly share: number }[] {
  const length = toMs - fromMs;
  const step = steps.find((one) => length / one <= mostTicks) ?? length;
  const first = Math.ceil(fromMs / step);
  const count = Math.max(0, Math.floor(toMs / step) - first + 1);
  return Array.from({ length: count }, (_, place) => (first + place) * step)
    .map((ms) => ({ ms, share: (ms - fromMs) / length }))
    .filter(({ share }) => share > 0.02 && share < 0.98);
}
