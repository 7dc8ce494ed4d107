import { expect, test } from "vitest";
import { matchNames } from "./similar-name.ts";

const parts = ["file", "campaign_id", "conversation_timestamp", "agent_email", "metadata"];

test.each([
  ["agentEmail", "agent_email"],
  ["Agent-Email", "agent_email"],
  ["agent_mail", "agent_email"],
  ["email", "agent_email"],
  ["campaignId", "campaign_id"],
  ["campaign", "campaign_id"],
  ["campain_id", "campaign_id"],
  ["timestamp", "conversation_timestamp"],
  ["started_at", "conversation_timestamp"],
  ["audio", "file"],
  ["recording", "file"],
  ["meta_data", "metadata"],
  ["metadatas", "metadata"],
  ["colour", undefined],
  ["x", undefined],
  ["", undefined],
  ["a".repeat(100_000), undefined],
])("the name %.20s was meant as %s", (sent, meant) => {
  expect(matchNames([sent], parts)).toEqual(meant ? [{ from: sent, to: meant }] : []);
});

test("every name is suggested once", () => {
  expect(matchNames(["email", "agentEmail"], ["agent_email"])).toEqual([{ from: "email", to: "agent_email" }]);
});
