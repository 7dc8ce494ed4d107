import type { HoldBody } from "@hearback/sdk";
import { expect, test } from "vitest";
import { matchHolds } from "./find-blocking-holds.ts";

const aHold = (about: Partial<HoldBody>): HoldBody => ({
  id: "h",
  call_id: null,
  agent_id: null,
  campaign_id: null,
  reason: "Case 1",
  active: true,
  created_by: { type: "operator", id: null },
  created_at: "2026-11-15T08:00:00Z",
  released_by: null,
  released_at: null,
  ...about,
});
const calls = [
  { id: "a", agent: { id: "ann" }, campaign_id: "support" },
  { id: "b", agent: { id: "bob" }, campaign_id: "support" },
  { id: "c", agent: { id: "bob" }, campaign_id: "sales" },
];

test("matches holds with calls by call, agent or campaign", () => {
  const [call, agent, campaign] = [
    aHold({ call_id: "a" }),
    aHold({ agent_id: "bob" }),
    aHold({ campaign_id: "sales" }),
  ];
  expect(matchHolds([call, agent, campaign, aHold({ call_id: "z" })], calls)).toEqual([
    { hold: call, calls: 1 },
    { hold: agent, calls: 2 },
    { hold: campaign, calls: 1 },
  ]);
});
