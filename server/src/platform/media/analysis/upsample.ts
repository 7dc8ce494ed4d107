/** Taps on each side of a sample that is inserted. */
const half = 8;
/** Fixed point: the products of all taps fit into 32 bits. */
const scaleBits = 13;
/** Ideal interpolation between two samples, with a Hann window. */
const taps = toFixedPoint(
  Array.from({ length: half }, (_, k) => {
    const at = Math.PI * (k + 0.5);
    return (Math.sin(at) / at) * (0.5 + 0.5 * Math.cos(at / half));
  }),
);

/** Their sum over both sides is 1. */
function toFixedPoint(values: readonly number[]): readonly number[] {
  const sum = 2 * values.reduce((total, value) => total + value, 0);
  return values.map((value) => Math.round((value / sum) * 2 ** scaleBits));
}

/** Samples that are needed before and after those that are upsampled. */
export const upsamplingMargin = { before: half - 1, after: half } as const;

/**
 * Doubles the sample rate of one channel. Every second sample is an original one; the others are interpolated between them. `x` has
 * the margin on both sides; `out` gets two samples for each of the others. Uses only local variables and integers, which is several
 * times as fast.
 */
export function upsample(x: Int16Array, out: Int16Array): void {
  const [t0 = 0, t1 = 0, t2 = 0, t3 = 0, t4 = 0, t5 = 0, t6 = 0, t7 = 0] = taps;
  const rounding = 1 << (scaleBits - 1);
  const length = x.length - 2 * half + 1;
  for (let i = 0; i < length; i++) {
    const sum =
      Math.imul(t7, (x[i] as number) + (x[i + 15] as number)) +
      Math.imul(t6, (x[i + 1] as number) + (x[i + 14] as number)) +
      Math.imul(t5, (x[i + 2] as number) + (x[i + 13] as number)) +
      Math.imul(t4, (x[i + 3] as number) + (x[i + 12] as number)) +
      Math.imul(t3, (x[i + 4] as number) + (x[i + 11] as number)) +
      Math.imul(t2, (x[i + 5] as number) + (x[i + 10] as number)) +
      Math.imul(t1, (x[i + 6] as number) + (x[i + 9] as number)) +
      Math.imul(t0, (x[i + 7] as number) + (x[i + 8] as number));
    const between = (sum + rounding) >> scaleBits;
    out[2 * i] = x[i + 7] as number;
    out[2 * i + 1] = between > 32_767 ? 32_767 : between < -32_768 ? -32_768 : between;
  }
}
