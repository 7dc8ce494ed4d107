// npm run dev: starts PostgreSQL, the S3 store, API, worker and console with live reload, and a demo workspace.
import { execFile, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import {
  apiPort,
  consolePort,
  type Demo,
  demoSettings,
  openDemo,
  publicUrl,
  root,
  serverCommand,
  startEngine,
  stopEngines,
  workerPort,
} from "./demo.ts";
import { step } from "./step.ts";
import { supervise } from "./supervise.ts";
import { watchSources } from "./watch-sources.ts";

const baseUrl = `http://127.0.0.1:${apiPort}`;

const env = {
  LOG_LEVEL: "warn",
  PUBLIC_URL: publicUrl,
  // Receivers of webhooks that you try out run on this machine.
  WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8,::1/128",
  ...process.env,
  PORT: apiPort,
  WORKER_PORT: workerPort,
  ...demoSettings(),
  ...(await step("PostgreSQL", () => startEngine("dev/postgres"))),
  ...(await step("S3 store", () => startEngine("dev/s3"))),
};
const migrate = () => promisify(execFile)(process.execPath, [serverCommand, "migrate"], { env });
await step("Migrations", migrate);
const demo = await step("Demo workspace", () => openDemo(env));

const server = ["api", "worker"].map((name) =>
  supervise(name, () => spawn(process.execPath, [serverCommand, name], { cwd: root, env, stdio: "inherit" })),
);
const vite = [join(root, "node_modules/vite/bin/vite.js"), "--port", consolePort, "--logLevel", "warn"];
const site = supervise("console", () =>
  spawn(process.execPath, vite, {
    cwd: join(root, "console"),
    env: { ...process.env, HEARBACK_URL: baseUrl },
    stdio: ["ignore", "inherit", "inherit"],
  }),
);

const sources = ["server", "contract", "portable", "scoring", "draws"].map((name) => join(root, name, "src"));
const watcher = watchSources(sources, async (files) => {
  if (files.some((name) => name.endsWith(".sql"))) await step("Migrations", migrate).catch(explainMigration);
  await Promise.all(server.map((process) => process.restart()));
});

/** A migration that is still being written has often been applied before it is finished. */
function explainMigration(error: Error & { readonly stderr?: string }): void {
  console.error(`failed\n${error.stderr || error.message}`);
  console.error("To start again with an empty database: stop this, and run `dev/postgres stop --wipe`.");
}

let stopping = false;

/** Stops everything. Repeated calls have no effect. */
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  console.log("\nstopping");
  await watcher.stop();
  await Promise.all([...server, site].map((process) => process.stop()));
  stopEngines();
  process.exit(0);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop());

const addresses = {
  API: `${baseUrl}/readyz`,
  worker: `http://127.0.0.1:${workerPort}/readyz`,
  console: `${publicUrl}/console/`,
};
const answers = (url: string) =>
  fetch(url).then(
    (answer) => answer.ok,
    () => false,
  );
await step("API, worker and console", async () => {
  for (const [name, url] of Object.entries(addresses)) {
    const deadline = Date.now() + 60_000;
    while (!(await answers(url)) && !stopping) {
      if (Date.now() > deadline) throw new Error(`${name} does not answer at ${url}; see above`);
      await sleep(100);
    }
  }
}).catch((error: Error) => console.error(`\n${error.message}`));
// With the same ports.
const seed = process.env.PORT_OFFSET ? `PORT_OFFSET=${process.env.PORT_OFFSET} npm run seed` : "npm run seed";
console.log(instructions(baseUrl, demo));

function instructions(url: string, { admin, apiKey, campaignId, agentEmail, recording, manifest }: Demo): string {
  return `
Hearback's console is at ${publicUrl}/console/

  email     ${admin.email}
  password  ${admin.password}

To try it, drop ${recording} onto the page. To add 100 sample calls, in another terminal: ${seed}

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
