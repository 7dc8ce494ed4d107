import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "../../search-params.ts";
import { type CallFilters, isFiltered, noFilters, readFilters, toCallFilter, writeFilters } from "./call-filters.ts";

const everything: CallFilters = {
  period: { preset: "last-7-days", zone: "Europe/Paris" },
  campaigns: ["support-fr", "sales"],
  agents: ["0190f3c2-7a55-7f0e-9d8e-0c8f5c3f8a11"],
  statuses: ["ready", "failed"],
  minDuration: 30,
  maxDuration: 90.5,
  metadata: [
    { key: "client_phone", value: "+33 1 23" },
    { key: "a&b [c]", value: "100 %" },
    { key: "site", value: "Lyon" },
    { key: "site", value: "Paris" },
  ],
  phone: "123456789",
  review: "failed",
  reviewers: ["0190f3c2-7a55-7f0e-9d8e-0c8f5c3f8a11"],
  minScore: 50,
  maxScore: 87.35,
};

test("filters round-trip through the URL", () => {
  const address = stringifySearch(writeFilters(everything));
  expect(readFilters(parseSearch(address))).toEqual(everything);
  expect(stringifySearch(writeFilters(readFilters(parseSearch(address))))).toBe(address);
});

test("no filters give an empty query string", () => {
  expect(stringifySearch(writeFilters(noFilters))).toBe("");
  expect(readFilters({})).toEqual(noFilters);
  expect([isFiltered(noFilters), isFiltered(everything)]).toEqual([false, true]);
});

test("drops invalid parameters", () => {
  const strange = parseSearch(
    "?status=gone&min_duration=-4&max_duration=long&review=good&min_score=101&campaign=&metadata[]=x&other=1",
  );
  expect(readFilters(strange)).toEqual(noFilters);
});

test("builds the API filter", () => {
  expect(toCallFilter(noFilters)).toEqual({});
  expect(toCallFilter(everything, new Date("2026-11-15T12:00:00Z"))).toEqual({
    from: new Date("2026-11-08T23:00:00Z"),
    to: new Date("2026-11-15T23:00:00Z"),
    campaign: ["support-fr", "sales"],
    agent: everything.agents,
    status: ["ready", "failed"],
    minDuration: 30,
    maxDuration: 90.5,
    metadata: { client_phone: ["+33 1 23"], "a&b [c]": ["100 %"], site: ["Lyon", "Paris"] },
    phone: "123456789",
    reviewOutcome: "failed",
    reviewer: everything.reviewers,
    minScore: 50,
    maxScore: 87.35,
  });
  expect(toCallFilter({ ...noFilters, review: "none", minScore: 50 })).toEqual({ reviewed: false });
  expect(toCallFilter({ ...noFilters, review: "any" })).toEqual({ reviewed: true });
});

test("reads a phone number in any notation", () => {
  for (const phone of ["0123456789", "01 23 45 67 89", "(01) 23.45-67.89", "123456789"]) {
    expect(readFilters({ phone }).phone).toBe("123456789");
  }
  for (const phone of ["123", "call me", "1234567890123456"]) expect(readFilters({ phone }).phone).toBeUndefined();
});
