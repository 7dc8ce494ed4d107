// npm run dev: PostgreSQL, the S3 store, API, worker and console with reload, and a demo workspace to try them with.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Demo, openDemo, root, serverCommand, startEngines, stopEngines } from "./demo.ts";

const port = process.env.PORT ?? "8080";
const baseUrl = `http://127.0.0.1:${port}`;
// The console comes from Vite, which hands on to the API what is asked of it: that is the address people see.
const consolePort = process.env.CONSOLE_PORT ?? String(5173 + Number(process.env.PORT_OFFSET ?? 0));
const publicUrl = `http://127.0.0.1:${consolePort}`;
const env = { LOG_LEVEL: "warn", PUBLIC_URL: publicUrl, ...process.env, PORT: port, ...startEngines() };
execFileSync(process.execPath, [serverCommand, "migrate"], { env, stdio: ["ignore", "ignore", "inherit"] });
const demo = await openDemo(env);

const watched = ["--watch-path=server/src", "--watch-path=contract/src", "--watch-preserve-output"];
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

/** Once, however often it is asked. */
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

function instructions(url: string, { admin, apiKey, campaignId, agentEmail, recording, manifest }: Demo): string {
  return `
Hearback's console is at ${publicUrl}/console/

  e-mail    ${admin.email}
  password  ${admin.password}

Drop a recording onto the page: ${recording} is one. Fill it with a hundred calls: npm run seed

Programs speak to ${url}. The interface is described at ${url}/docs

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

Ctrl-C stops everything; the data stays in .data/.
`;
}
