import { expect, test } from "vitest";
import { isFiltered, noFilters, readReviewSearch, toReviewFilter } from "./filter.ts";

const id = "0190f3c2-6c0b-7d6e-9b0e-0f6a3b1f2c4d";

test("filters of the URL become a request in the reader's time zone", () => {
  const search = readReviewSearch({
    ...{ state: "released", outcome: "failed", scorecard: id, agent: id, campaign: "support-fr", disputed: "yes" },
    ...{ from: "2026-11-01", to: "2026-11-02" },
    ...{ selection: "drawn", question: "greeting", calledFrom: "2026-10-05", calledTo: "2026-10-11" },
  });
  expect(toReviewFilter(search, "Europe/Paris")).toEqual({
    ...{ state: "released", outcome: "failed", scorecardId: id, agentId: id, campaignId: "support-fr" },
    ...{ disputed: true, reviewerId: undefined, teamId: undefined },
    from: new Date("2026-10-31T23:00:00Z"),
    // Days of calls are UTC.
    ...{ selection: "drawn", failedQuestion: "greeting", calledFrom: "2026-10-05", calledTo: "2026-10-11" },
    // The last day is included.
    to: new Date("2026-11-02T23:00:00Z"),
  });
});

test("invalid values are dropped", () => {
  const wrong = { state: "lost", outcome: "1", scorecard: "x", agent: ["a", "b"], disputed: "no", from: "1.11.2026" };
  const search = readReviewSearch({ ...wrong, campaign: "a b", view: "none", selection: "all", calledTo: "x" });
  expect(isFiltered(search)).toBe(false);
  expect(search.view).toBe("all");
});

test("the view is no filter, and stays when filters are removed", () => {
  expect(isFiltered(readReviewSearch({ view: "release" }))).toBe(false);
  expect(isFiltered(readReviewSearch({ team: id }))).toBe(true);
  expect(noFilters).toHaveProperty("team", undefined);
  expect(noFilters).not.toHaveProperty("view");
});
