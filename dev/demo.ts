import { execFile, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { speakCall } from "./speech.ts";

export const root = join(import.meta.dirname, "..");
export const serverCommand = join(root, "server/src/main.ts");
const folder = join(root, ".data/demo");
const demoFile = join(folder, "demo.json");
const run = promisify(execFile);

export interface Demo {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly agentEmail: string;
  readonly apiKey: string;
  /** Console account. */
  readonly admin: { readonly email: string; readonly password: string };
  /** A sample recording. */
  readonly recording: string;
  /** A sample manifest, for recordings in the same folder. */
  readonly manifest: string;
}

// PORT_OFFSET lets several clones run on one machine.
const offset = Number(process.env.PORT_OFFSET ?? 0);
// Vite serves the console and proxies API requests, so its address is the public one.
export const consolePort = process.env.CONSOLE_PORT ?? String(5173 + offset);
export const apiPort = process.env.PORT ?? String(8080 + offset);
export const workerPort = process.env.WORKER_PORT ?? String(8081 + offset);
export const publicUrl = `http://127.0.0.1:${consolePort}`;
const engines = {
  PG_ENGINE_PORT: String(15321 + offset),
  S3_ENGINE_PORT: String(9100 + offset),
  ...process.env,
};

/** Starts an engine and returns the service settings for it. */
export async function startEngine(script: "dev/postgres" | "dev/s3"): Promise<Record<string, string>> {
  const child = spawn(join(root, script), ["start"], { env: engines, stdio: ["ignore", "pipe", "inherit"] });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) {
    const hint = `If another clone uses its port, run \`${script} stop\` there, or set PORT_OFFSET=100 here, which moves all ports.`;
    process.stderr.write(`\n${script} did not start; see above. ${hint}\n`);
    process.exit(1);
  }
  return Object.fromEntries(
    printed
      .trim()
      .split("\n")
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
}

/** Settings of the demo that do not depend on an engine. */
export const demoSettings = () => ({ STORAGE: "s3", ENCRYPTION_KEYS: demoEncryptionKey() });

/** Created once and stored, so that encrypted values stay readable. */
function demoEncryptionKey(): string {
  const file = join(folder, "encryption-keys");
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `demo:${randomBytes(32).toString("base64")}`, { mode: 0o600 });
  }
  return readFileSync(file, "utf8");
}

export function stopEngines(): void {
  for (const script of ["dev/s3", "dev/postgres"]) execFileSync(join(root, script), ["stop"], { env: engines });
}

type Settings = Record<string, string | undefined>;

/** Opens the demo workspace. Created once and stored in a file that git ignores. */
export async function openDemo(env: Settings): Promise<Demo> {
  const known = existsSync(demoFile) ? (JSON.parse(readFileSync(demoFile, "utf8")) as Demo) : undefined;
  if (known) {
    const { stdout } = await run(process.execPath, [serverCommand, "workspace", "list", "--json"], { env });
    if (stdout.includes(known.workspaceId))
      return remember({ ...known, admin: known.admin ?? (await addAdmin(env, known)) });
  }
  const { id: workspaceId } = await server(env, "workspace", "create", "--name", "Demo");
  const inWorkspace = ["--workspace", workspaceId];
  const campaign = ["--id", "support-fr", "--name", "Support France", "--agent-channel", "left"];
  await server(env, "campaign", "create", ...inWorkspace, ...campaign);
  const agent = ["--email", "ann@example.com", "--name", "Ann Lee", "--role", "agent"];
  await server(env, "user", "create", ...inWorkspace, ...agent);
  const scopes = ["--scope", "import", "read", "review", "manage"];
  const { key: apiKey } = await server(env, "key", "create", ...inWorkspace, "--name", "demo", ...scopes);
  const demo = { workspaceId, campaignId: "support-fr", agentEmail: "ann@example.com", apiKey };
  return remember({ ...demo, admin: await addAdmin(env, demo) });
}

async function server(env: Settings, ...args: string[]): Promise<{ id: string; key: string }> {
  const { stdout } = await run(process.execPath, [serverCommand, ...args, "--json"], { env });
  return JSON.parse(stdout);
}

async function addAdmin(env: Settings, { workspaceId }: Pick<Demo, "workspaceId">): Promise<Demo["admin"]> {
  const admin = { email: "admin@example.com", password: randomBytes(12).toString("base64url") };
  const user = ["--workspace", workspaceId, "--email", admin.email];
  await server(env, "user", "create", ...user, "--name", "Ada Martin", "--role", "admin");
  const setting = run(process.execPath, [serverCommand, "user", "set-password", ...user], { env });
  setting.child.stdin?.end(`${admin.password}\n`);
  await setting;
  return admin;
}

async function remember(demo: Omit<Demo, "recording" | "manifest">): Promise<Demo> {
  writeFileSync(demoFile, JSON.stringify(demo), { mode: 0o600 });
  return { ...demo, ...(await writeSamples(demo.agentEmail)) };
}

/** Writes a recording to try things with, and a manifest of three others. */
async function writeSamples(agentEmail: string): Promise<Pick<Demo, "recording" | "manifest">> {
  const recording = join(folder, "call.wav");
  writeFileSync(recording, await speakCall("Ann", 0));
  // In a folder of their own: an import reports recordings without a row.
  const night = join(folder, "import");
  mkdirSync(night, { recursive: true });
  const rows = [];
  for (const hour of [9, 10, 11]) {
    writeFileSync(join(night, `call-${hour}.wav`), await speakCall("Ann", hour));
    const time = `2026-06-01T${String(hour).padStart(2, "0")}:00:00+02:00`;
    rows.push(`call-${hour}.wav,${agentEmail},${time},+331234567${String(hour).padStart(2, "0")}`);
  }
  const manifest = join(night, "calls.csv");
  writeFileSync(manifest, `file,agent_email,time,client_phone\n${rows.join("\n")}\n`);
  return { recording, manifest };
}
