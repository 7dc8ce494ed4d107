import { expect, test } from "vitest";
import { isDay } from "../ui/time/is-day.ts";
import { isFiltered, readAuditSearch, toAuditFilter } from "./filter.ts";

const who = "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11";

test("converts URL parameters to an API filter", () => {
  const search = readAuditSearch({
    who,
    action: ["call.listened", "call.erased"],
    subject: "campaign:support-fr",
    from: "2026-11-14",
    to: "2026-11-15",
  });
  expect(isFiltered(search)).toBe(true);
  expect(toAuditFilter(search, "Europe/Paris")).toEqual({
    actor: who,
    action: ["call.listened", "call.erased"],
    subject: "campaign:support-fr",
    from: new Date("2026-11-13T23:00:00Z"),
    // `to` is inclusive.
    to: new Date("2026-11-15T23:00:00Z"),
  });
});

test.each([
  ["2026-11-15", true],
  ["0202-11-15", false],
  ["20261-11-15", false],
  ["2026-13-01", false],
  ["", false],
])("%s is a valid date: %s", (text, is) => {
  expect(isDay(text)).toBe(is);
  expect(readAuditSearch({ from: text }).from).toBe(is ? text : undefined);
});

test("drops invalid parameters", () => {
  const search = readAuditSearch({ who: "me", action: "call.sung", subject: "all", from: "yesterday", to: ["a", "b"] });
  expect(isFiltered(search)).toBe(false);
  expect(toAuditFilter(search, "UTC")).toEqual({});
});
