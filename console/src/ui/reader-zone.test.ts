import { expect, test } from "vitest";
import { isZone } from "./reader-zone.ts";

test.each([
  ["Europe/Paris", true],
  ["Mars/Olympus", false],
  ["", false],
])("%j is a zone: %j", (zone, is) => expect(isZone(zone)).toBe(is));
