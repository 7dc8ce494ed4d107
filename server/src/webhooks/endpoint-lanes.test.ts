import { expect, test } from "vitest";
import { openEndpointLanes } from "./endpoint-lanes.ts";

test("a quick receiver gets four lanes, and another one its own", () => {
  const lanes = openEndpointLanes();
  for (let count = 0; count < 4; count++) expect(lanes.enter("a", 0)).toHaveProperty("leave");
  expect(lanes.enter("a", 0)).toHaveProperty("putOffMs");
  expect(lanes.enter("b", 0)).toHaveProperty("leave");
});

test("a slow receiver gets one lane until it is quick again", () => {
  const lanes = openEndpointLanes();
  const take = (from: number, to: number) => {
    const lane = lanes.enter("a", from);
    if ("leave" in lane) lane.leave(to);
  };
  take(0, 15_000);
  const held = lanes.enter("a", 20_000);
  expect(held).toHaveProperty("leave");
  expect(lanes.enter("a", 20_000)).toHaveProperty("putOffMs");
  if ("leave" in held) held.leave(20_010);
  for (let at = 21_000; at < 40_000; at += 1_000) take(at, at + 10);
  for (let count = 0; count < 4; count++) expect(lanes.enter("a", 50_000)).toHaveProperty("leave");
});

test("those that are put off come back one after the other, and not later than in ten minutes", () => {
  const lanes = openEndpointLanes();
  for (let count = 0; count < 4; count++) lanes.enter("a", 0);
  const delays = Array.from({ length: 100_000 }, () => {
    const put = lanes.enter("a", 0);
    return "putOffMs" in put ? put.putOffMs : 0;
  });
  expect(delays).toEqual(delays.toSorted((a, b) => a - b));
  expect(delays[0]).toBeGreaterThan(500);
  expect((delays[1] ?? 0) - (delays[0] ?? 0)).toBeCloseTo(25);
  expect(delays.at(-1)).toBe(600_000);
});
