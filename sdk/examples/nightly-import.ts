// Imports every recording in a folder. It is safe to run it every night and from any machine:
//   node nightly-import.ts /var/spool/recordings
// The files are named agent_time.wav, such as ann@example.com_20261115T083000Z.wav.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createClient, ServiceError } from "@hearback/sdk";
import { recordingFile } from "@hearback/sdk/node";

const { HEARBACK_URL = "", HEARBACK_API_KEY = "", CAMPAIGN_ID = "" } = process.env;
const [folder = "."] = process.argv.slice(2);
const client = createClient({ baseUrl: HEARBACK_URL, apiKey: HEARBACK_API_KEY });

const recordings = (await readdir(folder)).flatMap((name) => {
  const [, agentEmail, y, mo, d, h, mi, s] = /^(.+)_(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.wav$/.exec(name) ?? [];
  return agentEmail ? [{ path: join(folder, name), agentEmail, time: `${y}-${mo}-${d}T${h}:${mi}:${s}Z` }] : [];
});

// Create the agents first. An agent that already exists is fine.
for (const email of new Set(recordings.map(({ agentEmail }) => agentEmail))) {
  const agent = { email, name: email.split("@")[0] ?? email, role: "agent", sendInviteEmail: false } as const;
  await client.users.invite(agent).catch((error) => {
    if (!(error instanceof ServiceError && error.code === "user_exists")) throw error;
  });
}

// Then import the calls, eight at a time; more concurrency is not faster.
const counts = { imported: 0, present: 0, failed: 0 };
const queue = recordings.values();
async function worker() {
  for (const { path, agentEmail, time } of queue) {
    try {
      const file = await recordingFile(path);
      const call = await client.calls.import({ file, campaignId: CAMPAIGN_ID, agentEmail, happenedAt: new Date(time) });
      counts[call.duplicate ? "present" : "imported"]++;
    } catch (error) {
      counts.failed++;
      console.error(`${path}: ${error instanceof Error ? error.message : error}`);
    }
  }
}
await Promise.all(Array.from({ length: 8 }, worker));
console.log(JSON.stringify(counts));
process.exitCode = counts.failed > 0 ? 1 : 0;
