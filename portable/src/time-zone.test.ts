import { expect, test } from "vitest";
import { isTimeZone, openTimeZone } from "./time-zone.ts";

const wallClock = (name: string) => {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: name,
    dateStyle: "short",
    timeStyle: "medium",
  });
  return (at: number) => Date.parse(`${format.format(at).replace(" ", "T")}Z`);
};

const zones = ["Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Africa/Casablanca", "UTC"];

test.each(zones)("agrees with Intl for every quarter of an hour in %s", (name) => {
  const zone = openTimeZone(name);
  const shown = wallClock(name);
  for (const year of [2018, 2024])
    for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += 900_000) {
      const instants = zone.toInstants(shown(at));
      if (!instants.includes(at)) throw new Error(`${new Date(at).toISOString()} not found in ${name}: ${instants}`);
      if (zone.toLocal(at) !== shown(at))
        throw new Error(`${new Date(at).toISOString()} is shown as ${zone.toLocal(at)}`);
      if (instants.length > 1 && !instants.every((moment) => shown(moment) === shown(at)))
        throw new Error("not the same");
    }
});

test.each([
  ["Europe/Paris", "2024-03-31T02:00:00", 0],
  ["Europe/Paris", "2024-03-31T02:59:59", 0],
  ["Europe/Paris", "2024-03-31T01:59:59", 1],
  ["Europe/Paris", "2024-03-31T03:00:00", 1],
  ["Europe/Paris", "2024-10-27T01:59:59", 1],
  ["Europe/Paris", "2024-10-27T02:00:00", 2],
  ["Europe/Paris", "2024-10-27T02:59:59", 2],
  ["Europe/Paris", "2024-10-27T03:00:00", 1],
  ["America/New_York", "2024-03-10T02:30:00", 0],
  ["America/New_York", "2024-11-03T01:30:00", 2],
  ["Australia/Lord_Howe", "2024-10-06T02:15:00", 0],
  ["Australia/Lord_Howe", "2024-10-06T02:30:00", 1],
  ["Australia/Lord_Howe", "2024-04-07T01:45:00", 2],
  ["Africa/Casablanca", "2024-03-10T02:30:00", 2],
  ["Africa/Casablanca", "2024-04-14T02:30:00", 0],
  ["Asia/Kolkata", "2024-03-31T02:30:00", 1],
])("%s at %s: %i instants", (name, local, count) => {
  expect(openTimeZone(name).toInstants(Date.parse(`${local}Z`))).toHaveLength(count);
});

test("handles the turn of the year in extreme time zones", () => {
  expect(openTimeZone("Pacific/Kiritimati").toInstants(Date.UTC(2024, 0, 1))).toEqual([Date.UTC(2023, 11, 31, 10)]);
  expect(openTimeZone("Pacific/Pago_Pago").toInstants(Date.UTC(2023, 11, 31, 23))).toEqual([Date.UTC(2024, 0, 1, 10)]);
});

test("a skipped time moves forward by the size of the gap", () => {
  const zone = openTimeZone("Europe/Paris");
  expect(zone.toInstant(Date.UTC(2024, 2, 31, 2, 30))).toBe(Date.UTC(2024, 2, 31, 1, 30));
  expect(zone.toInstant(Date.UTC(2024, 9, 27, 2, 30))).toBe(Date.UTC(2024, 9, 27, 0, 30));
});

test("validates names", () => {
  expect(["Europe/Paris", "utc", "Europe/Nowhere", ""].map(isTimeZone)).toEqual([true, true, false, false]);
  expect(() => openTimeZone("Europe/Nowhere")).toThrow(RangeError);
});
