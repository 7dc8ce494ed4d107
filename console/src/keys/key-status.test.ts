import { expect, test } from "vitest";
import { isWorking, keyStatus } from "./key-status.ts";

const now = Date.parse("2026-11-15T16:00:00Z");
const [past, future] = ["2026-11-15T15:59:59Z", "2026-11-15T16:00:01Z"];
const fresh = { expires_at: null, revoked_at: null, replaced_by: null };

test.each([
  [fresh, "active", true],
  [{ ...fresh, expires_at: future }, "active", true],
  [{ ...fresh, expires_at: past }, "ended", false],
  [{ ...fresh, revoked_at: past }, "revoked", false],
  [{ ...fresh, expires_at: past, revoked_at: past }, "revoked", false],
  [{ ...fresh, expires_at: future, replaced_by: "another" }, "replaced", true],
  [{ ...fresh, expires_at: past, replaced_by: "another" }, "replaced", false],
])("%j is %s", (key, status, working) => {
  expect([keyStatus(key, now), isWorking(key, now)]).toEqual([status, working]);
});
