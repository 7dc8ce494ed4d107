import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { callId } from "./call-id.ts";

const identity = {
  workspaceId: "7e150e9d-caa8-4008-b843-ae82b0eee919",
  campaignId: "support-fr",
  agentId: "60a1b371-a68a-455a-8fdf-b108a4e286f9",
  happenedAt: new Date("2024-05-01T10:00:00Z"),
  sha256: createHash("sha256").update("a").digest(),
};

test("call ids never change between versions", () => {
  // If this value changes, re-importing an existing call creates a duplicate.
  expect(callId(identity)).toBe("018f3398-c100-8f42-b695-361bb0f34412");
});

test.each([
  ["workspace", { workspaceId: "00000000-caa8-4008-b843-ae82b0eee919" }],
  ["campaign", { campaignId: "support-de" }],
  ["agent", { agentId: "00000000-a68a-455a-8fdf-b108a4e286f9" }],
  ["time", { happenedAt: new Date("2024-05-01T10:00:01Z") }],
  ["recording", { sha256: createHash("sha256").update("b").digest() }],
])("a different %s gives a different id", (_, other) => {
  expect(callId({ ...identity, ...other })).not.toBe(callId(identity));
});

test("ids are version 8 UUIDs that sort by conversation time", () => {
  const time = fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(time, time, (one, other) => {
      const [a, b] = [one, other].map((happenedAt) => callId({ ...identity, happenedAt }));
      expect(a).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      if (one.getTime() < other.getTime()) expect(String(a) < String(b)).toBe(true);
    }),
  );
});
