import { expect, test } from "vitest";
import { isDefect } from "./finding-codes.ts";
import { compilePattern } from "./pattern.ts";

function read(pattern: string, file: string): readonly string[] | string {
  const compiled = compilePattern(pattern);
  if (isDefect(compiled)) return compiled.code;
  const cells = compiled.read(file);
  return isDefect(cells) ? cells.code : cells.slice(1);
}

test.each([
  ["{agent}_{client}.wav", "ann_12.wav", ["ann", "12"]],
  ["{agent}_{client}.wav", "ann_12.WAV", ["ann", "12"]],
  ["{agent}_{client}.wav", "ann_1_2.wav", "pattern_ambiguous"],
  ["{agent}_{client}.wav", "ann.wav", "pattern_mismatch"],
  ["{campaign}/{_}/{agent}-{time:yyyyMMdd-HHmm}.wav", "fr/x/ann-20240501-1000.wav", ["fr", "ann", "20240501-1000"]],
  ["{_}-{agent}-{_}.wav", "x-ann-y.wav", ["ann"]],
  // The agent is "a" when read from either end, but could be "b".
  ["{_}-{agent}-{_}.wav", "x-a-b-a-y.wav", "pattern_ambiguous"],
  ["{_}-{agent}-{*}.wav", "a-a-a-a.wav", "pattern_ambiguous"],
  ["{_}_{time:yyyyMMddHHmm}_{_}.wav", "a_b_202405011000_c_d.wav", ["202405011000"]],
  ["{_}_{time:yyyyMMddHHmm}_{_}.wav", "202405011000_202405011000_202405011000_x.wav", "pattern_ambiguous"],
])("%s on %s", (pattern, file, cells) => {
  expect(read(pattern, file)).toEqual(cells);
});
