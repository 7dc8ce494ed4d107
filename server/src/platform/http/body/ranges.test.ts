import { expect, test } from "vitest";
import { parseRange } from "./ranges.ts";

test.each([
  [undefined, undefined],
  ["bytes=0-", { start: 0, end: 99 }],
  ["bytes=10-19", { start: 10, end: 19 }],
  ["bytes=90-200", { start: 90, end: 99 }],
  ["bytes=-10", { start: 90, end: 99 }],
  ["bytes=-1000", { start: 0, end: 99 }],
  ["bytes=100-", null],
  ["bytes=-0", null],
  ["bytes=20-10", undefined],
  ["bytes=0-1,5-6", undefined],
  ["bytes=-", undefined],
  ["lines=1-2", undefined],
])("for 100 bytes, %s selects %j", (header, range) => {
  expect(parseRange(header, 100)).toEqual(range);
});
