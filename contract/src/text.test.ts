import { expect, test } from "vitest";
import { CreateCalibrationBody } from "./calibrations.ts";
import { CreatePlanBody } from "./plans.ts";
import { CreateScorecardBody } from "./scorecards.ts";
import { CreateTeamBody } from "./teams.ts";
import { Name } from "./text.ts";

const unprintable = [
  "Ann\r\nBcc: eve@example.com",
  "Ann\tLee",
  "Ann\u0007",
  "Ann\u0085",
  "\u202Eeeb.elpmaxe",
  "\u2066Ann",
  "Ann\u2028Lee",
];
const printable = ["Ann Lee", "<b>Ann</b> & Söhne", "אן לי", "آن‌لی", "李安", "👩‍👩‍👧 Support", "O\u200FBrien"];

test("a name is one line without control characters or direction overrides", () => {
  for (const name of unprintable) expect(Name.safeParse(name).success, JSON.stringify(name)).toBe(false);
  for (const name of printable) expect(Name.safeParse(name).success, name).toBe(true);
});

test("names of teams, plans, scorecards and calibration sessions are as well", () => {
  for (const body of [CreateTeamBody, CreatePlanBody, CreateScorecardBody, CreateCalibrationBody])
    for (const name of unprintable) {
      const { error } = body.safeParse({ name });
      expect(error?.issues.find(({ path }) => path[0] === "name")?.message).toMatch(/one line/);
    }
});
