import { expect, test } from "vitest";
import { withMoment, withMoments, withoutEmptyStamp, withStamp } from "./moments.ts";

test("moments are in order of time, each once, with their ends in order", () => {
  const one = withMoment({ value: "yes" }, 9000.4, 5000.2);
  expect(one).toEqual({ value: "yes", moments: [{ start_ms: 5000, end_ms: 9000 }] });
  const two = withMoment(withMoment(one, 1000, 2000), 5000, 9000);
  expect(two.moments?.map(({ start_ms }) => start_ms)).toEqual([1000, 5000]);
});

test("an answer has at most 20 moments", () => {
  const full = withMoments(
    {},
    Array.from({ length: 20 }, (_, n) => ({ start_ms: n, end_ms: n })),
  );
  expect(withMoment(full, 100, 200)).toBe(full);
});

test("without moments, the answer has no list", () => {
  expect(withMoments({ value: "yes", moments: [{ start_ms: 1, end_ms: 2 }] }, [])).toEqual({ value: "yes" });
});

test("a comment starts with the time, and later ones are on new lines", () => {
  expect(withStamp(undefined, "0:12")).toBe("0:12 ");
  expect(withStamp("0:12 Rude\n", "1:02:03")).toBe("0:12 Rude\n1:02:03 ");
});

test("a time that nothing was written after is removed", () => {
  expect(withoutEmptyStamp("0:12 ")).toBe("");
  expect(withoutEmptyStamp("0:12 Rude\n0:15 ")).toBe("0:12 Rude");
  expect(withoutEmptyStamp("0:12 Rude")).toBe("0:12 Rude");
  expect(withoutEmptyStamp("12")).toBe("12");
});
