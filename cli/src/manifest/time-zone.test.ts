import { expect, test } from "vitest";
import { openTimeZone, type TimeZone } from "./time-zone.ts";

const opened = (name: string): TimeZone => {
  const zone = openTimeZone(name);
  if (!("moments" in zone)) throw new Error(zone.detail);
  return zone;
};

const wallClock = (name: string) => {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: name,
    dateStyle: "short",
    timeStyle: "medium",
  });
  return (at: number) => Date.parse(`${format.format(at).replace(" ", "T")}Z`);
};

const zones = ["Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Africa/Casablanca", "UTC"];

test.each(zones)("finds every quarter of an hour of a year again in %s, as Intl shows it", (name) => {
  const zone = opened(name);
  const shown = wallClock(name);
  for (const year of [2018, 2024])
    for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += 900_000) {
      const moments = zone.moments(shown(at));
      if (!moments.includes(at)) throw new Error(`${new Date(at).toISOString()} is lost in ${name}: ${moments}`);
      if (moments.length > 1 && !moments.every((moment) => shown(moment) === shown(at)))
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
])("in %s there were at %s so many moments: %i", (name, local, count) => {
  expect(opened(name).moments(Date.parse(`${local}Z`))).toHaveLength(count);
});

test("knows the beginning and the end of a year on both sides of the Earth", () => {
  expect(opened("Pacific/Kiritimati").moments(Date.UTC(2024, 0, 1))).toEqual([Date.UTC(2023, 11, 31, 10)]);
  expect(opened("Pacific/Pago_Pago").moments(Date.UTC(2023, 11, 31, 23))).toEqual([Date.UTC(2024, 0, 1, 10)]);
});
