import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

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
  /** Who signs in to the console. */
  readonly admin: { readonly email: string; readonly password: string };
  /** A recording to try with. */
  readonly recording: string;
  /** A list of calls to try with. */
  readonly manifest: string;
}

// Several clones on one machine can run at once.
const offset = Number(process.env.PORT_OFFSET ?? 0);
const engines = {
  PG_ENGINE_PORT: String(54321 + offset),
  S3_ENGINE_PORT: String(9100 + offset),
  ...process.env,
};

/** Starts PostgreSQL and the S3 store and gives the settings of a service on them. */
export function startEngines(): Record<string, string> {
  const printed = ["dev/postgres", "dev/s3"].map((script) =>
    execFileSync(join(root, script), ["start"], {
      env: engines,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
  const settings = printed
    .join("")
    .trim()
    .split("\n")
    .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]);
  return { STORAGE: "s3", ...Object.fromEntries(settings) };
}

export function stopEngines(): void {
  for (const script of ["dev/s3", "dev/postgres"]) execFileSync(join(root, script), ["stop"], { env: engines });
}

type Settings = Record<string, string | undefined>;

/** A workspace to play with: made once, remembered in a file that git ignores. */
export async function openDemo(env: Settings): Promise<Demo> {
  const known = existsSync(demoFile) ? (JSON.parse(readFileSync(demoFile, "utf8")) as Demo) : undefined;
  if (known) {
    const { stdout } = await run(process.execPath, [serverCommand, "workspace", "list", "--json"], { env });
    if (stdout.includes(known.workspaceId))
      return remember({ ...known, admin: known.admin ?? (await addAdmin(env, known)) });
  }
  mkdirSync(folder, { recursive: true });
  const recording = join(folder, "call.wav");
  writeFileSync(recording, twoVoices(5, 1));
  const { id: workspaceId } = await server(env, "workspace", "create", "--name", "Demo");
  const inWorkspace = ["--workspace", workspaceId];
  const campaign = ["--id", "support-fr", "--name", "Support France", "--agent-channel", "left"];
  await server(env, "campaign", "create", ...inWorkspace, ...campaign);
  const agent = ["--email", "ann@example.com", "--name", "Ann Lee", "--role", "agent"];
  await server(env, "user", "create", ...inWorkspace, ...agent);
  const scopes = ["--scope", "import", "read", "manage"];
  const { key: apiKey } = await server(env, "key", "create", ...inWorkspace, "--name", "demo", ...scopes);
  const demo = { workspaceId, campaignId: "support-fr", agentEmail: "ann@example.com", apiKey, recording };
  return remember({ ...demo, admin: await addAdmin(env, demo) });
}

async function server(env: Settings, ...args: string[]): Promise<{ id: string; key: string }> {
  const { stdout } = await run(process.execPath, [serverCommand, ...args, "--json"], { env });
  return JSON.parse(stdout);
}

async function addAdmin(env: Settings, { workspaceId }: Pick<Demo, "workspaceId">): Promise<Demo["admin"]> {
  const admin = { email: "admin@example.com", password: randomBytes(12).toString("base64url") };
  const who = ["--workspace", workspaceId, "--email", admin.email];
  await server(env, "user", "create", ...who, "--name", "Ada Martin", "--role", "admin");
  const setting = run(process.execPath, [serverCommand, "user", "set-password", ...who], { env });
  setting.child.stdin?.end(`${admin.password}\n`);
  await setting;
  return admin;
}

function remember(demo: Omit<Demo, "manifest">): Demo {
  writeFileSync(demoFile, JSON.stringify(demo), { mode: 0o600 });
  return { ...demo, manifest: writeManifest(demo.agentEmail) };
}

/** Three calls of the one recording that there is. */
function writeManifest(agentEmail: string): string {
  const manifest = join(folder, "calls.csv");
  const rows = [9, 10, 11].map(
    (hour) => `call.wav,${agentEmail},2026-06-01T${String(hour).padStart(2, "0")}:00:00+02:00,+3312345678${hour}`,
  );
  writeFileSync(manifest, `file,agent_email,time,client_phone\n${rows.join("\n")}\n`);
  return manifest;
}

/** A stereo WAV (16 bit, 8 kHz) in which two hummed voices take turns, a different one for every seed. */
export function twoVoices(seconds: number, seed: number): Buffer {
  const rate = 8000;
  const frames = seconds * rate;
  const wav = Buffer.alloc(44 + frames * 4);
  wav.write("RIFF", 0, "latin1");
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write("WAVEfmt ", 8, "latin1");
  for (const [offset, value] of [
    [16, 16],
    [24, rate],
    [28, rate * 4],
  ] as const)
    wav.writeUInt32LE(value, offset);
  for (const [offset, value] of [
    [20, 1],
    [22, 2],
    [32, 4],
    [34, 16],
  ] as const)
    wav.writeUInt16LE(value, offset);
  wav.write("data", 36, "latin1");
  wav.writeUInt32LE(frames * 4, 40);
  for (let frame = 0; frame < frames; frame++) {
    const time = frame / rate;
    const turn = Math.floor(time / (1.5 + (seed % 7) / 5)) % 2;
    const syllable = Math.max(0, Math.sin(time * (17 + (seed % 5))));
    const pitch = turn === 0 ? 120 + (seed % 40) : 190 + (seed % 60);
    const sample = Math.round(
      9000 * syllable * (Math.sin(2 * Math.PI * pitch * time) + 0.4 * Math.sin(4 * Math.PI * pitch * time)),
    );
    wav.writeInt16LE(sample, 44 + frame * 4 + turn * 2);
  }
  return wav;
}
