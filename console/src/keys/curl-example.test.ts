import { expect, test } from "vitest";
import { curlExample } from "./curl-example.ts";

const given = {
  origin: "https://hearback.example.com",
  key: "hb_c0_abc",
  scopes: ["import", "read"],
  campaignId: "support-fr",
  agentEmail: "ann@example.com",
} as const;

test("shows an import for keys with the import scope", () => {
  expect(curlExample(given)).toBe(
    "curl https://hearback.example.com/calls/audio -H 'x-api-key: hb_c0_abc' -F campaign_id=support-fr -F agent_email=ann@example.com -F conversation_timestamp=$(date +%s) -F file=@recording.wav",
  );
});

test("creates an agent first if there is none", () => {
  const [make, send] = curlExample({ ...given, agentEmail: undefined }).split("\n");
  expect(make).toContain("/users/invite -H 'x-api-key: hb_c0_abc' -H 'Content-Type: application/json' -d '{\"email\":");
  expect(send).toContain("-F agent_email=ann@example.com ");
});

test("quotes email addresses for the shell", () => {
  expect(curlExample({ ...given, agentEmail: "o'brien$(id)@example.com" })).toContain(
    "-F 'agent_email=o'\\''brien$(id)@example.com' ",
  );
});

test.each([
  [["read"], "/calls "],
  [["manage"], "/workspace "],
  [["read", "manage"], "/calls "],
] as const)("shows a read of the right path for scopes %j: %s", (scopes, path) => {
  expect(curlExample({ ...given, scopes })).toContain(`curl https://hearback.example.com${path}`);
});
