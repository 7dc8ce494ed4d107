import { expect, test } from "vitest";
import { aForm } from "../testing/forms.ts";
import { aRecording } from "../testing/sounds.ts";
import { openTestApp } from "../testing/test-app.ts";

const { api, admin, key, campaignId, agentEmail } = await openTestApp();
const apiKey = await key("import");
const month = 31 * 24 * 3600;

test("a hundred imports at once into forty months that nobody has seen all succeed", async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => {
      const form = aForm(
        ["campaign_id", campaignId],
        ["conversation_timestamp", String(1_000_000_000 + (index % 40) * month)],
        ["agent_email", agentEmail],
        ["metadata", '[{"key":"site","value":"Lyon"}]'],
        ["file", aRecording({ seed: index, seconds: 0.1 })],
      );
      const headers = { ...form.headers, "x-api-key": apiKey };
      return api.inject({ method: "POST", url: "/calls/audio", ...form, headers });
    }),
  );
  expect(answers.map((answer) => answer.statusCode).filter((status) => status !== 200)).toEqual([]);
  const { rows } = await admin.query(
    "select count(distinct tableoid)::int as months, count(*)::int as calls from call",
  );
  expect(rows).toEqual([{ months: 40, calls: 100 }]);
});
