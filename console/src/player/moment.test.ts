import { expect, test } from "vitest";
import { readMoment, writeMoment } from "./moment.ts";

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
  expect(readMoment(text)).toBe(ms);
});

test("a moment is written in whole seconds that have begun", () => {
  expect(writeMoment(83_999)).toBe("83");
});
