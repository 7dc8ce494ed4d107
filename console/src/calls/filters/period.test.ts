import { expect, test } from "vitest";
import { type Preset, readPeriod, toSpan, writePeriod } from "./period.ts";

const now = new Date("2026-11-15T23:30:00Z");
const spanIn = (zone: string) => (preset: Preset) => {
  const { from, to } = toSpan({ preset, zone }, now);
  return [from?.toISOString().slice(0, 16), to?.toISOString().slice(0, 16)];
};

test("days follow the time zone", () => {
  const inParis = spanIn("Europe/Paris");
  expect(inParis("today")).toEqual(["2026-11-15T23:00", "2026-11-16T23:00"]);
  expect(inParis("yesterday")).toEqual(["2026-11-14T23:00", "2026-11-15T23:00"]);
  expect(inParis("last-7-days")).toEqual(["2026-11-09T23:00", "2026-11-16T23:00"]);
  // Daylight saving ended in between.
  expect(inParis("last-30-days")).toEqual(["2026-10-17T22:00", "2026-11-16T23:00"]);
  expect(inParis("this-month")).toEqual(["2026-10-31T23:00", "2026-11-30T23:00"]);
  expect(spanIn("America/New_York")("today")).toEqual(["2026-11-15T05:00", "2026-11-16T05:00"]);
});

test("a period round-trips through the URL", () => {
  const moving = { preset: "today", zone: "Asia/Tokyo" } as const;
  expect(readPeriod(writePeriod(moving))).toEqual(moving);
  const fixed = { from: new Date("2026-11-01T00:00:00Z"), to: new Date("2026-11-02T10:30:15Z") };
  expect(writePeriod(fixed)).toEqual({ from: "2026-11-01T00:00Z", to: "2026-11-02T10:30:15Z" });
  expect(readPeriod(writePeriod(fixed))).toEqual(fixed);
});

test("ignores invalid parameters", () => {
  expect(readPeriod({ period: "today" })).toBeUndefined();
  expect(readPeriod({ period: "today", zone: "Mars/Olympus" })).toBeUndefined();
  expect(readPeriod({ period: "someday", zone: "UTC" })).toBeUndefined();
  expect(readPeriod({ from: "yesterday", to: "2026-11-01" })).toBeUndefined();
});
