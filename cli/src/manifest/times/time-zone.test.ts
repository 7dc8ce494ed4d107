import { expect, test } from "vitest";
import { openIanaZone } from "./time-zone.ts";

test.each(["Europe/Paris", "UTC", "GMT", "+02:00"])("accepts %s", (name) => {
  expect(openIanaZone(name)).toMatchObject({ name });
});

test.each([
  ["EST", "America/New_York"],
  ["Paris", "Europe/Paris"],
  ["Europe/Nowhere", "Europe/Paris"],
  ["", "Europe/Paris"],
])("rejects %j and suggests %s", (name, suggested) => {
  expect(openIanaZone(name)).toMatchObject({ code: "time_zone_unknown", fix: expect.stringContaining(suggested) });
});
