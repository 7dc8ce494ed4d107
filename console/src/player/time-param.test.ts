import { expect, test } from "vitest";
import { formatTimeParam, parseTimeParam } from "./time-param.ts";

test.each([
  ["83", 83_000],
  ["83.5", 83_500],
  ["0", 0],
  ["1:23", 83_000],
  ["1:02:03", 3_723_000],
  ["1m23s", 83_000],
  ["2h", 7_200_000],
  ["1h2m3.25s", 3_723_250],
  ["", undefined],
  ["-3", undefined],
  ["soon", undefined],
  ["1e3", undefined],
  [["1", "2"], undefined],
  [undefined, undefined],
])("?t=%s is %s ms", (text, ms) => {
  expect(parseTimeParam(text)).toBe(ms);
});

test("writes times rounded down to seconds", () => {
  expect(formatTimeParam(83_999)).toBe("83");
});
