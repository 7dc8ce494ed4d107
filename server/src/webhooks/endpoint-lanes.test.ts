import { expect, test } from "vitest";
import { type EndpointLanes, openEndpointLanes } from "./endpoint-lanes.ts";

/** An attempt that takes from one time to another. */
function attempt(lanes: EndpointLanes, id: string, from: number, to: number): void {
  const lane = lanes.enter(id, from);
  if ("leave" in lane) lane.leave(to);
}

const entered = (lanes: EndpointLanes, id: string, now: number) => "leave" in lanes.enter(id, now);

test("a receiver shows with its first attempt how many lanes it may hold: four if it is quick", () => {
  const lanes = openEndpointLanes();
  expect([entered(lanes, "new", 0), entered(lanes, "new", 0)]).toEqual([true, false]);
  attempt(lanes, "quick", 0, 50);
  expect(Array.from({ length: 5 }, () => entered(lanes, "quick", 100))).toEqual([true, true, true, true, false]);
});

test("a slow receiver holds one lane until it is quick again", () => {
  const lanes = openEndpointLanes();
  attempt(lanes, "a", 0, 15_000);
  const held = lanes.enter("a", 20_000);
  expect(entered(lanes, "a", 20_000)).toBe(false);
  if ("leave" in held) held.leave(20_010);
  for (let at = 21_000; at < 40_000; at += 1_000) attempt(lanes, "a", at, at + 10);
  expect(Array.from({ length: 4 }, () => entered(lanes, "a", 50_000))).toEqual([true, true, true, true]);
});

test("however many are dead, there is room for one that is quick", () => {
  const lanes = openEndpointLanes();
  attempt(lanes, "quick", 0, 50);
  for (let count = 0; count < 100; count++) lanes.enter(`dead ${count}`, 100);
  expect(Array.from({ length: 4 }, () => entered(lanes, "quick", 100))).toEqual([true, true, true, true]);
});

test("those that are known to be slow leave room for those of whom nothing is known", () => {
  const lanes = openEndpointLanes();
  for (let count = 0; count < 100; count++) attempt(lanes, `slow ${count}`, 0, 15_000);
  for (let count = 0; count < 100; count++) lanes.enter(`slow ${count}`, 20_000);
  expect(entered(lanes, "new", 20_000)).toBe(true);
});

test("those that are put off come back one after the other, and not later than in ten minutes", () => {
  const lanes = openEndpointLanes();
  attempt(lanes, "a", 0, 100);
  for (let count = 0; count < 4; count++) lanes.enter("a", 100);
  const delays = Array.from({ length: 100_000 }, () => {
    const put = lanes.enter("a", 100);
    return "putOffMs" in put ? put.putOffMs : 0;
  });
  expect(delays).toEqual(delays.toSorted((a, b) => a - b));
  expect(delays[0]).toBeGreaterThan(200);
  expect((delays[1] ?? 0) - (delays[0] ?? 0)).toBeCloseTo(25);
  expect(delays.at(-1)).toBe(600_000);
});
