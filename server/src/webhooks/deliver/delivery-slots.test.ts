import { expect, test } from "vitest";
import { type DeliverySlots, openDeliverySlots } from "./delivery-slots.ts";

/** Simulates an attempt between two times. */
function attempt(slots: DeliverySlots, id: string, from: number, to: number): void {
  slots.acquire(id, from)?.release(to);
}

const entered = (slots: DeliverySlots, id: string, now: number) => slots.acquire(id, now) !== undefined;

test("a new receiver gets one slot, and four after a fast first attempt", () => {
  const slots = openDeliverySlots();
  expect([entered(slots, "new", 0), entered(slots, "new", 0)]).toEqual([true, false]);
  attempt(slots, "quick", 0, 50);
  expect(Array.from({ length: 5 }, () => entered(slots, "quick", 100))).toEqual([true, true, true, true, false]);
});

test("a slow receiver gets one slot until it is fast again", () => {
  const slots = openDeliverySlots();
  attempt(slots, "a", 0, 15_000);
  const held = slots.acquire("a", 20_000);
  expect(entered(slots, "a", 20_000)).toBe(false);
  held?.release(20_010);
  for (let at = 21_000; at < 40_000; at += 1_000) attempt(slots, "a", at, at + 10);
  expect(Array.from({ length: 4 }, () => entered(slots, "a", 50_000))).toEqual([true, true, true, true]);
});

test("dead receivers leave slots for a fast one", () => {
  const slots = openDeliverySlots();
  attempt(slots, "quick", 0, 50);
  for (let count = 0; count < 100; count++) slots.acquire(`dead ${count}`, 100);
  expect(Array.from({ length: 4 }, () => entered(slots, "quick", 100))).toEqual([true, true, true, true]);
});

test("slow receivers leave slots for new ones", () => {
  const slots = openDeliverySlots();
  for (let count = 0; count < 100; count++) attempt(slots, `slow ${count}`, 0, 15_000);
  for (let count = 0; count < 100; count++) slots.acquire(`slow ${count}`, 20_000);
  expect(entered(slots, "new", 20_000)).toBe(true);
});

test("busy receivers leave a slot for any other, be it fast, new or slow", () => {
  const slots = openDeliverySlots();
  attempt(slots, "quick", 0, 50);
  attempt(slots, "slow", 0, 15_000);
  for (let count = 0; count < 10; count++) {
    attempt(slots, `busy ${count}`, 0, 50);
    for (let more = 0; more < 4; more++) slots.acquire(`busy ${count}`, 20_000);
  }
  expect(["quick", "new", "slow"].map((id) => entered(slots, id, 20_000))).toEqual([true, true, true]);
  // More than one slot only while slots are free.
  expect(["quick", "busy 9"].map((id) => entered(slots, id, 20_000))).toEqual([false, false]);
});
