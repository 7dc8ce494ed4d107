// npm run seed: imports 100 realistic calls into the demo workspace of a running "npm run dev", reviews 30 of them,
// draws calls for review, and creates calibration sessions.
import { apiPort, demoSettings, openDemo, startEngine } from "./demo.ts";
import { seedCalibrations } from "./seed-calibrations.ts";
import { seedPlans } from "./seed-plans.ts";
import { demoPeople, seedReviews } from "./seed-reviews.ts";
import { speakCall } from "./speech.ts";

const baseUrl = `http://127.0.0.1:${apiPort}`;
const engines = { ...(await startEngine("dev/postgres")), ...(await startEngine("dev/s3")) };
const env = { ...process.env, ...demoSettings(), ...engines };
const demo = await openDemo(env);
const headers = { "x-api-key": demo.apiKey };

if (
  !(await fetch(`${baseUrl}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  ))
) {
  console.error(`No response from ${baseUrl}. Start the service in another terminal with "npm run dev".`);
  process.exit(1);
}

const agents = [
  "Ann Lee",
  "Bob Roy",
  "Chloé Petit",
  "Dinh Tran",
  "Elif Kaya",
  "Farid Amrani",
  "Greta Holm",
  "Hugo Blanc",
].map((name) => ({
  name,
  email: `${name.split(" ")[0]?.normalize("NFD").replace(/\W/g, "").toLowerCase()}@example.com`,
}));
for (const agent of agents) {
  const body = JSON.stringify({ ...agent, role: "agent", send_invite_email: false });
  const answer = await fetch(`${baseUrl}/users/invite`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body,
  });
  if (!answer.ok && answer.status !== 409) throw new Error(await answer.text());
}

const sites = ["Lyon", "Lille", "Tunis"];
const calls = 100;
const isTerminal = process.stdout.isTTY;
const day = 24 * 3600;
let duplicates = 0;
const today = Math.floor(Date.now() / 1000 / day) * day;
for (let index = 0; index < calls; index++) {
  const form = new FormData();
  form.set("campaign_id", demo.campaignId);
  form.set(
    "conversation_timestamp",
    String(today - (index % 30) * day - day + 8 * 3600 + ((index * 397) % (9 * 3600))),
  );
  const agent = agents[index % agents.length] ?? { name: "Ann Lee", email: demo.agentEmail };
  form.set("agent_email", agent.email);
  const metadata = {
    client_phone: `+331${String(20_000_000 + index * 7919)}`,
    call_direction: index % 3 === 0 ? "outbound" : "inbound",
    site: sites[index % sites.length] ?? "Lyon",
  };
  form.set("metadata", JSON.stringify(Object.entries(metadata).map(([key, value]) => ({ key, value }))));
  const recording = await speakCall(agent.name.split(" ")[0] ?? "", index);
  form.set("file", new Blob([new Uint8Array(recording)]), `call-${index}.wav`);
  const answer = await fetch(`${baseUrl}/calls/audio`, { method: "POST", headers, body: form });
  if (!answer.ok) throw new Error(await answer.text());
  const { duplicate } = (await answer.json()) as { duplicate: boolean };
  if (duplicate) duplicates += 1;
  if (isTerminal) process.stdout.write(`\r${index + 1} of ${calls} calls`);
}
console.log(
  `${isTerminal ? "\n" : ""}Imported ${calls - duplicates} calls of ${agents.length} agents into the demo workspace${duplicates > 0 ? `; ${duplicates} were already imported` : ""}.`,
);
console.log(await seedReviews(baseUrl, demo, env));
console.log(await seedPlans(baseUrl, demo, engines.DATABASE_ADMIN_URL ?? ""));
console.log(await seedCalibrations(baseUrl, demo));
console.log(
  `To see it as others do, sign in with the password ${demo.admin.password} as ${demoPeople.agent} (agent), ${demoPeople.reviewers[0]} (reviewer) or ${demoPeople.supervisor} (supervisor).`,
);
