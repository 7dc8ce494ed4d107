import { expect, test } from "vitest";
import { upsample, upsamplingMargin } from "./upsample.ts";

const { before, after } = upsamplingMargin;

function upsampled(x: Int16Array): Int16Array {
  const out = new Int16Array(2 * (x.length - before - after));
  upsample(x, out);
  return out;
}

test.each([200, 1_000, 2_000, 3_000])(
  "a tone of %i Hz is the same tone at twice the rate, at the same time",
  (hertz) => {
    const tone = (rate: number) => (at: number) => Math.round(10_000 * Math.sin((2 * Math.PI * hertz * at) / rate));
    const made = upsampled(Int16Array.from({ length: 4_000 }, (_, index) => tone(8_000)(index - before)));
    expect(made).toHaveLength(2 * (4_000 - before - after));
    const errors = [...made].map((sample, index) => Math.abs(sample - tone(16_000)(index)));
    expect(Math.max(...errors)).toBeLessThan(400);
  },
);

test("full scale does not overflow", () => {
  const square = Int16Array.from({ length: 400 }, (_, index) => (index % 40 < 20 ? 32_767 : -32_768));
  const made = upsampled(square);
  for (const [index, sample] of made.entries()) if (index % 2 === 0) expect(sample).toBe(square[index / 2 + before]);
  expect(Math.max(...made)).toBe(32_767);
});
