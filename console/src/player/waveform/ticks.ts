import type { View } from "./draw-waveform.ts";

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600].map((seconds) => seconds * 1000);
const maxTicks = 8;

/** Axis ticks at round times, with their relative position. Ticks near the edges are left out. */
export function ticksOf({ fromMs, toMs }: View): { readonly ms: number; readonly share: number }[] {
  const length = toMs - fromMs;
  const step = steps.find((one) => length / one <= maxTicks) ?? length;
  const first = Math.ceil(fromMs / step);
  const count = Math.max(0, Math.floor(toMs / step) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * step)
    .map((ms) => ({ ms, share: (ms - fromMs) / length }))
    .filter(({ share }) => share > 0.02 && share < 0.98);
}
