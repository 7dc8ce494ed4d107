import { expect, test } from "vitest";
import { placeOf } from "./navigation-items.ts";

const id = "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d";

test.each([
  [`/calls/${id}/review`, { from: "queue" }, "/queue"],
  [`/calls/${id}/review`, { calibration: id }, "/calibrations"],
  [`/calls/${id}/review`, {}, `/calls/${id}/review`],
  [`/calls/${id}`, { from: "queue" }, `/calls/${id}`],
  ["/queue", {}, "/queue"],
])("%s with %j is in the place %s", (path, search, place) => {
  expect(placeOf(path, search)).toBe(place);
});
