import { expect, test } from "vitest";
import { readPeopleFilter } from "./people-filter.ts";

const id = "018f32c1-5e80-7c4e-9b1c-2f6d1c3e4a5b";

test("reads the filters from the URL", () => {
  expect(readPeopleFilter({ search: " lee ", role: "agent", status: "invited", team: id })).toEqual({
    search: "lee",
    role: "agent",
    status: "invited",
    teamId: id,
  });
});

test("drops invalid parameters", () => {
  expect(readPeopleFilter({})).toEqual({});
  expect(readPeopleFilter({ search: ["a", "b"], role: "owner", status: "x", team: "lyon" })).toEqual({});
});
