// npm run dev: starts PostgreSQL, the S3 store, API, worker and console with live reload, and a demo workspace.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import {
  consolePort,
  type Demo,
  demoSettings,
  openDemo,
  publicUrl,
  root,
  serverCommand,
  startEngine,
  stopEngines,
} from "./demo.ts";
import { step } from "./step.ts";

const port = process.env.PORT ?? "8080";
const baseUrl = `http://127.0.0.1:${port}`;

const env = {
  LOG_LEVEL: "warn",
  PUBLIC_URL: publicUrl,
  ...process.env,
  PORT: port,
  ...demoSettings(),
  ...(await step("PostgreSQL", () => startEngine("dev/postgres"))),
  ...(await step("S3 store", () => startEngine("dev/s3"))),
};
await step("Migrations", () => promisify(execFile)(process.execPath, [serverCommand, "migrate"], { env }));
const demo = await step("Demo workspace", () => openDemo(env));

const watched = [
  "--watch-path=server/src",
  "--watch-path=contract/src",
  "--watch-path=portable/src",
  "--watch-path=scoring/src",
  "--watch-path=draws/src",
  "--watch-preserve-output",
];
const children: ChildProcess[] = ["api", "worker"].map((name) =>
  spawn(process.execPath, ["--watch", ...watched, serverCommand, name], { cwd: root, env, stdio: "inherit" }),
);
const vite = [join(root, "node_modules/vite/bin/vite.js"), "--port", consolePort, "--logLevel", "warn"];
children.push(
  spawn(process.execPath, vite, {
    cwd: join(root, "console"),
    env: { ...process.env, HEARBACK_URL: baseUrl },
    stdio: ["ignore", "inherit", "inherit"],
  }),
);

let stopping = false;

/** Stops everything. Repeated calls have no effect. */
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
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
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop());

await step("API, worker and console", async () => {
  const answers = (url: string) =>
    fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
  for (let tries = 0; tries < 300; tries++) {
    if ((await answers(`${baseUrl}/readyz`)) && (await answers(`${publicUrl}/console/`))) return;
    await sleep(100);
  }
});
console.log(instructions(baseUrl, demo));

function instructions(url: string, { admin, apiKey, campaignId, agentEmail, recording, manifest }: Demo): string {
  return `
Hearback's console is at ${publicUrl}/console/

  email     ${admin.email}
  password  ${admin.password}

To try it, drop ${recording} onto the page. To add 100 sample calls: npm run seed

The API is at ${url}, with its reference at ${url}/docs

Import a call:

  curl ${url}/calls/audio -H 'x-api-key: ${apiKey}' \\
    -F campaign_id=${campaignId} -F conversation_timestamp=$(date +%s) -F agent_email=${agentEmail} \\
    -F 'metadata=[{"key":"client_phone","value":"+33123456789"}]' -F file=@${recording}

Get its status and audio (the id is in the response above):

  curl ${url}/calls/ID -H 'x-api-key: ${apiKey}'
  curl ${url}/calls/ID/audio -H 'x-api-key: ${apiKey}' -o call.m4a

Search for it by the customer's phone number (docs/searching.md):

  curl '${url}/calls?phone=0123456789' -H 'x-api-key: ${apiKey}'

List events:

  curl ${url}/events -H 'x-api-key: ${apiKey}'

Create another agent:

  curl ${url}/users/invite -H 'x-api-key: ${apiKey}' -H 'Content-Type: application/json' \\
    -d '{"email":"ivy@example.com","name":"Ivy Stone","role":"agent","send_invite_email":false}'

Or use the CLI (docs/command.md), from the clone:

  export HEARBACK_URL=${url} HEARBACK_API_KEY=${apiKey}
  npx hearback doctor --campaign ${campaignId}
  npx hearback import ${manifest} --recordings ${dirname(manifest)} --campaign ${campaignId}

Press Ctrl-C to stop. The data stays in .data/.
`;
}
