import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aForm } from "../../testing/forms.ts";
import { aRecording } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { verifyRecordings } from "./verify-recordings.ts";

const { app, api, key, admin, campaignId, agentEmail } = await openTestApp();
const apiKey = await key("import");

async function imported(seed: number): Promise<{ id: string; path: string }> {
  const form = aForm(
    ["campaign_id", campaignId],
    ["conversation_timestamp", "1714557600"],
    ["agent_email", agentEmail],
    ["file", aRecording({ seed })],
  );
  const answer = await api.inject({
    method: "POST",
    url: "/calls/audio",
    ...form,
    headers: { ...form.headers, "x-api-key": apiKey },
  });
  const { id } = answer.json();
  const { rows } = await admin.query("select recording_key from call where id = $1", [id]);
  if (app.config.storage.kind !== "filesystem") throw new Error("this test needs filesystem storage");
  return { id, path: join(app.config.storage.root, rows[0].recording_key) };
}

test("finds a flipped byte and a missing file", async () => {
  const [good, flipped, lost] = [await imported(1), await imported(2), await imported(3)];
  expect(await verifyRecordings(app, {})).toEqual({ checked: 3, damaged: [] });

  const file = await open(flipped.path, "r+");
  await file.write(Buffer.from([0xff]), 0, 1, 500);
  await file.close();
  await rm(lost.path);
  const { checked, damaged } = await verifyRecordings(app, {});
  expect(checked).toBe(3);
  expect(Object.fromEntries(damaged.map(({ callId, problem }) => [callId, problem]))).toEqual({
    [flipped.id]: "differs",
    [lost.id]: "missing",
  });
  expect(damaged.map(({ callId }) => callId)).not.toContain(good.id);
});
