// npm run dev: PostgreSQL, the S3 store, API and worker with reload, and a demo workspace to try them with.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Demo, openDemo, root, serverCommand, startEngines, stopEngines } from "./demo.ts";

const port = process.env.PORT ?? "8080";
const env = { LOG_LEVEL: "warn", ...process.env, PORT: port, ...startEngines() };
execFileSync(process.execPath, [serverCommand, "migrate"], { env, stdio: ["ignore", "ignore", "inherit"] });
const demo = await openDemo(env);

const watched = ["--watch-path=server/src", "--watch-path=contract/src", "--watch-preserve-output"];
const children: ChildProcess[] = ["api", "worker"].map((name) =>
  spawn(process.execPath, ["--watch", ...watched, serverCommand, name], { cwd: root, env, stdio: "inherit" }),
);

async function stop(): Promise<void> {
  console.log("\nstopping");
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    }),
  );
  stopEngines();
  process.exit(0);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());

const baseUrl = `http://127.0.0.1:${port}`;
for (let tries = 0; tries < 100; tries++) {
  if (
    await fetch(`${baseUrl}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
  )
    break;
  await sleep(100);
}
console.log(instructions(baseUrl, demo));

function instructions(url: string, { apiKey, campaignId, agentEmail, recording, manifest }: Demo): string {
  return `
Hearback runs at ${url}. Its interface is described at ${url}/docs

Import a call:

  curl ${url}/calls/audio -H 'x-api-key: ${apiKey}' \\
    -F campaign_id=${campaignId} -F conversation_timestamp=$(date +%s) -F agent_email=${agentEmail} \\
    -F 'metadata=[{"key":"client_phone","value":"+33123456789"}]' -F file=@${recording}

What became of it, and how it sounds (the id is in the answer above):

  curl ${url}/calls/ID -H 'x-api-key: ${apiKey}'
  curl ${url}/calls/ID/audio -H 'x-api-key: ${apiKey}' -o call.m4a

Find it again by its customer's number, or by anything else (docs/searching.md):

  curl '${url}/calls?metadata\\[client_phone\\]=%2B33123456789' -H 'x-api-key: ${apiKey}'

Everything that happened:

  curl ${url}/events -H 'x-api-key: ${apiKey}'

Create another agent:

  curl ${url}/users/invite -H 'x-api-key: ${apiKey}' -H 'Content-Type: application/json' \\
    -d '{"email":"bob@example.com","name":"Bob Roy","role":"agent","send_invite_email":false}'

Or by the command (docs/command.md), from the clone:

  export HEARBACK_URL=${url} HEARBACK_API_KEY=${apiKey}
  npx hearback doctor --campaign ${campaignId}
  npx hearback import ${manifest} --recordings ${dirname(recording)} --campaign ${campaignId}

Fill it with a hundred calls: npm run seed
Ctrl-C stops everything; the data stays in .data/.
`;
}
