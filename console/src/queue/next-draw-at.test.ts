import { expect, test } from "vitest";
import { nextDrawAt } from "./next-draw-at.ts";

const plan = (id: string, reviewer: string) => ({ id, reviewers: [{ user_id: reviewer, capacity: 10 }] });
const draw = (planId: string, state: "committed" | "drawn", day: number) => ({
  plan: { id: planId, name: "" },
  state,
  closes_at: `2026-11-${day}T00:10:00.000Z`,
});

test("the earliest draw to come of the person's own plans", () => {
  const plans = [plan("a", "rita"), plan("b", "sam"), plan("c", "rita")];
  const draws = [draw("a", "committed", 29), draw("a", "drawn", 15), draw("b", "committed", 20)];
  expect(nextDrawAt(plans, draws, "rita")).toBe("2026-11-29T00:10:00.000Z");
  expect(nextDrawAt(plans, [...draws, draw("c", "committed", 22)], "rita")).toBe("2026-11-22T00:10:00.000Z");
  expect(nextDrawAt(plans, draws, "nobody")).toBeNull();
});
