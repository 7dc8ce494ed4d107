import { expect, test } from "vitest";
import { tryLines } from "./try-lines.ts";

const given = {
  origin: "https://hearback.example.com",
  key: "hb_c0_abc",
  scopes: ["import", "read"],
  campaignId: "support-fr",
  agentEmail: "ann@example.com",
} as const;

test("a key that may import is tried with an import", () => {
  expect(tryLines(given)).toBe(
    "curl https://hearback.example.com/calls/audio -H 'x-api-key: hb_c0_abc' -F campaign_id=support-fr -F agent_email=ann@example.com -F conversation_timestamp=$(date +%s) -F file=@recording.wav",
  );
});

test("where there is no agent yet one is made first", () => {
  const [make, send] = tryLines({ ...given, agentEmail: undefined }).split("\n");
  expect(make).toContain("/users/invite -H 'x-api-key: hb_c0_abc' -H 'Content-Type: application/json' -d '{\"email\":");
  expect(send).toContain("-F agent_email=ann@example.com ");
});

test("whatever an address holds, the shell does not run it", () => {
  expect(tryLines({ ...given, agentEmail: "o'brien$(id)@example.com" })).toContain(
    "-F 'agent_email=o'\\''brien$(id)@example.com' ",
  );
});

test.each([
  [["read"], "/calls "],
  [["manage"], "/workspace "],
  [["read", "manage"], "/calls "],
] as const)("a key for %j is tried with a look at %s", (scopes, path) => {
  expect(tryLines({ ...given, scopes })).toContain(`curl https://hearback.example.com${path}`);
});
