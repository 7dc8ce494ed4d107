// Nightly, and for changes in: cli/, sdk/, dev/build-package.ts, dev/release.ts, package-lock.json
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KB, makeRecording } from "../support/recordings/recordings.ts";
import { scale } from "../support/run-scale.ts";
import { buildAndPack, nodeOf, type Packed, pack } from "../support/stack/sdk-package.ts";
import { type ApiProcess, openStack, type Stack } from "../support/stack/stack.ts";

const run = promisify(execFile);
const cli = join(import.meta.dirname, "../../cli");

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
}

const readManifest = async (at: string) => JSON.parse(await readFile(join(at, "package.json"), "utf8")) as Manifest;

let folder: string;
let packed: Packed;
let manifest: Manifest;
let stack: Stack;
let api: ApiProcess;

// A user's machine without this repository: an empty folder, the packages, no network.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-command-user-"));
  packed = await buildAndPack("cli", folder);
  manifest = await readManifest(join(folder, "built/cli"));
  const packages = [packed, await buildAndPack("sdk", folder)];
  for (const name of Object.keys(manifest.dependencies).filter((name) => name !== "@hearback/sdk"))
    packages.push(await pack(dirname(findPackageJSON(name, join(cli, "package.json")) ?? ""), folder));
  await writeFile(join(folder, "package.json"), '{"name":"user","private":true}');
  const files = packages.map(({ filename }) => `./${filename}`);
  await run("npm", ["install", ...files, "--offline", "--no-audit", "--no-fund"], { cwd: folder });
  stack = await openStack();
  api = await stack.startApi();
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

test("the package contains the command and its recipes, without sources, samples and tests", async () => {
  const paths = packed.files.map(({ path }) => path);
  const recipes = (await readdir(join(cli, "recipes"))).filter((name) => name.endsWith(".json"));
  expect(recipes).toContain("asterisk.json");
  expect(paths.filter((path) => !path.startsWith("lib/")).sort()).toEqual(
    ["LICENSE", "README.md", "package.json", ...recipes.map((name) => `recipes/${name}`)].sort(),
  );
  expect(paths).toContain("lib/main.js");
  expect(paths.filter((path) => path.startsWith("lib/") && !/^lib\/([a-z]+\/)*[a-z0-9-]+\.js$/.test(path))).toEqual([]);
  expect(paths.filter((path) => /[./]test(ing)?[./]/.test(path))).toEqual([]);
});

test("it depends only on the SDK of the same version and four packages without dependencies", async () => {
  const { version } = await readManifest(cli);
  const exact = expect.stringMatching(/^\d/);
  const others = { "@noble/hashes": exact, commander: exact, yaml: exact, zod: exact };
  expect(manifest.dependencies).toEqual({ "@hearback/sdk": version, ...others });
  const { stdout } = await run("npm", ["ls", "--all", "--parseable"], { cwd: folder });
  const installed = [...new Set(stdout.trim().split("\n").slice(1))].map((path) => path.slice(folder.length));
  const names = ["@hearback/cli", ...Object.keys(manifest.dependencies)];
  expect(installed.sort()).toEqual(names.map((name) => `/node_modules/${name}`).sort());
});

/** Runs a program in the folder with this Node version first in PATH. */
function withNode(node: string) {
  const env = {
    PATH: [dirname(node), process.env.PATH].join(delimiter),
    HOME: folder,
    HEARBACK_URL: api.baseUrl,
    HEARBACK_API_KEY: stack.apiKey,
  };
  return (command: string, ...args: string[]) => run(command, args, { cwd: folder, env });
}

/** Writes a manifest of five new calls of an existing agent. */
async function writeCalls(at: string): Promise<void> {
  await mkdir(join(at, "recordings"), { recursive: true });
  const lines = ["file,agent_email,time,client_phone"];
  for (let n = 0; n < 5; n++) {
    await writeFile(join(at, `recordings/${n}.wav`), makeRecording(8 * KB).bytes);
    lines.push(`${n}.wav,${stack.agentEmail},2026-06-01T10:0${n}:00+02:00,+3312345678${n}`);
  }
  await writeFile(join(at, "calls.csv"), `${lines.join("\n")}\n`);
}

/** Writes an Asterisk export with its recordings. */
async function writeExport(at: string): Promise<void> {
  await mkdir(join(at, "monitor"), { recursive: true });
  await copyFile(join(cli, "recipes/samples/asterisk.csv"), join(at, "Master.csv"));
  for (const [, id] of (await readFile(join(at, "Master.csv"), "utf8")).matchAll(/"(\d{10}\.\d+)"/g))
    await writeFile(join(at, `monitor/${id}.wav`), makeRecording(8 * KB).bytes);
  const agents = [1001, 1002, 1003].map((extension) => `${extension},${stack.agentEmail},Ann Lee`);
  await writeFile(join(at, "agents.csv"), `${["agent,email,name", ...agents].join("\n")}\n`);
}

async function countCalls(): Promise<number> {
  const { rows } = await stack.adminDb.query<{ calls: number }>("select count(*)::int as calls from call");
  return rows[0]?.calls ?? 0;
}

const thisNode = ["this Node", () => process.version.slice(1)] as const;
const oldestNode = ["the oldest supported Node", () => manifest.engines.node.replace(/^>=/, "")] as const;

describe.each(scale([thisNode], [thisNode, oldestNode], [thisNode, oldestNode]))("with %s", (name, wanted) => {
  let node: string | undefined;
  let hearback: (...args: string[]) => Promise<{ stdout: string; stderr: string }>;

  beforeAll(async () => {
    node = wanted() === process.version.slice(1) ? process.execPath : await nodeOf(wanted(), folder);
    const start = withNode(node ?? "");
    hearback = (...args) => start(join(folder, "node_modules/.bin/hearback"), ...args);
  }, 120_000);

  test("it prints its version and help", async ({ skip }) => {
    if (!node) return skip(`Node ${wanted()} cannot be had from the registry here`);
    expect((await withNode(node)("npx", "--no", "--offline", "hearback", "--version")).stdout).toBe(
      `${manifest.version}\n`,
    );
    const { stdout } = await hearback("--help");
    for (const command of ["login", "doctor", "import", "reconcile", "watch", "calls", "scorecards", "draws"])
      expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, "m"));
    const report = JSON.parse((await hearback("doctor", "--json")).stdout) as { checks: { name: string }[] };
    expect(report.checks.find((check) => check.name === "node")).toMatchObject({
      state: "good",
      detail: expect.stringContaining(`v${wanted()}`),
    });
  });

  test("it imports five calls from a CSV and verifies them", async ({ skip }) => {
    if (!node) return skip(`Node ${wanted()} cannot be had from the registry here`);
    const at = join(folder, name.replaceAll(" ", "-"));
    await writeCalls(at);
    const before = await countCalls();
    const { stdout } = await hearback(
      ...["import", join(at, "calls.csv"), "--recordings", join(at, "recordings")],
      ...["--campaign", stack.campaignId, "--yes", "--json"],
    );
    expect(JSON.parse(stdout)).toMatchObject({ imported: 5, failed: 0, reconciliation: { complete: true, rows: 5 } });
    expect(await countCalls()).toBe(before + 5);
  });

  test("it writes and checks a scorecard, and refuses a file that is no proof of a draw", async ({ skip }) => {
    if (!node) return skip(`Node ${wanted()} cannot be had from the registry here`);
    const file = join(folder, `${name.replaceAll(" ", "-")}.yaml`);
    await hearback("scorecards", "new", file);
    expect((await hearback("scorecards", "lint", file, "--strict")).stdout).toContain("no problems");
    await expect(hearback("draws", "verify", file)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining("NOT correct"),
    });
  });

  test("it finds its recipes", async ({ skip }) => {
    if (!node) return skip(`Node ${wanted()} cannot be had from the registry here`);
    const at = join(folder, name.replaceAll(" ", "-"));
    await writeExport(at);
    const before = await countCalls();
    const ended = await hearback(
      ...["import", join(at, "Master.csv"), "--recipe", "asterisk", "--agents", join(at, "agents.csv"), "--dry-run"],
      ...["--recordings", join(at, "monitor"), "--time-zone", "UTC", "--campaign", stack.campaignId, "--json"],
    );
    expect(JSON.parse(ended.stdout)).toMatchObject({ rows: 8, importable: 5, blocked: false });
    expect(await countCalls()).toBe(before);
  });
});
