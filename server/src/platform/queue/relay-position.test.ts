import { expect, test } from "vitest";
import { openRelayPosition } from "./relay-position.ts";

const started = () => {
  const position = openRelayPosition();
  expect(position.start(0)).toBe(0);
  return position;
};

test("advances to a relayed id when all transactions of that time have ended", () => {
  const position = started();
  position.relayed({ xmin: 90, xmax: 100, first: 1, last: 500 });
  position.scanned(99);
  expect(position.start(1)).toBe(0);
  position.scanned(100);
  expect(position.start(2)).toBe(500);
});

test("advances under constant load", () => {
  const position = started();
  position.relayed({ xmin: 90, xmax: 100, first: 1, last: 500 });
  position.relayed({ xmin: 95, xmax: 110, first: 501, last: 1000 });
  position.relayed({ xmin: 105, xmax: 120, first: 1001, last: 1500 });
  expect(position.start(1)).toBe(500);
});

test("does not advance past a late job with a lower id", () => {
  const position = started();
  position.relayed({ xmin: 90, xmax: 100, first: 2, last: 500 });
  position.relayed({ xmin: 101, xmax: 110, first: 1, last: 1 });
  expect(position.start(1)).toBe(0);
});

test("scans everything periodically and starts over when it finds something", () => {
  const position = started();
  position.relayed({ xmin: 90, xmax: 100, first: 1, last: 500 });
  position.scanned(100);
  expect([position.start(9_999), position.start(10_000), position.start(10_001)]).toEqual([500, 0, 500]);
  position.relayed({ xmin: 100, xmax: 120, first: 7, last: 506 });
  expect(position.start(10_002)).toBe(0);
});
