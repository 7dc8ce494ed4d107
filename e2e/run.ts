#!/usr/bin/env node
// Starts the engines, runs the named suites against the running whole, stops the engines.
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const root = join(import.meta.dirname, "..");
const suites = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !["support", "dist", "node_modules"].includes(entry.name))
  .map((entry) => entry.name);

const usage = `npm run e2e [-- SUITE …] [--engine s3|filesystem] [--only WORDS] [--full] [--seed N]

  SUITE     ${suites.join(", ")}; all of them if none is named;
            a file of one of them is named as media/hostile
  --engine  only this storage engine; both if absent
  --only    only tests whose names hold these words
  --full    the sizes that count for a release instead of those that fit a CI run
  --seed    repeats a random run; every random test prints its seed

E2E_WORKERS=2 runs two files at a time, each with engines of its own; not for what measures.
E2E_PICTURES=no takes no screenshots (.data/screenshots).
With BASE_URL, API_KEY and CAMPAIGN_ID set, "conformance" runs against that server and starts nothing.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: "string" },
    only: { type: "string" },
    full: { type: "boolean" },
    seed: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const unknown = positionals.filter((name) => !suites.includes(name.split("/")[0] ?? ""));
if (values.help || unknown.length > 0 || (values.engine && !["s3", "filesystem"].includes(values.engine))) {
  console.error(unknown.length > 0 ? `There is no suite "${unknown[0]}".\n\n${usage}` : usage);
  process.exit(values.help ? 0 : 2);
}

const dir = join(root, ".data/e2e");
// Several clones on one machine can run their tests at once.
const offset = Number(process.env.PORT_OFFSET ?? 0);
/** So many files at a time, each worker with engines of its own: a test may kill them. */
const workers = Number(process.env.E2E_WORKERS ?? 1);
const settings = Array.from({ length: workers }, (_, at) => ({
  PG_ENGINE_DIR: join(dir, `postgres-${at}`),
  PG_ENGINE_PORT: String(54331 + at + offset),
  S3_ENGINE_DIR: join(dir, `s3-${at}`),
  S3_ENGINE_PORT: String(9110 + 2 * at + offset),
}));
type Settings = (typeof settings)[number];
const start = (script: string, engine: Settings) =>
  Object.fromEntries(
    execFileSync(join(root, script), ["start"], {
      env: { ...process.env, ...engine },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    })
      .trim()
      .split("\n")
      .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );
const stop = (script: string, engine: Settings) =>
  execFileSync(join(root, script), ["stop", "--wipe"], { env: { ...process.env, ...engine } });
const stopAll = () => {
  for (const engine of settings) {
    stop("dev/s3", engine);
    stop("dev/postgres", engine);
  }
};

const chosen = positionals.length > 0 ? positionals : suites;
const elsewhere = process.env.BASE_URL !== undefined;
if (!elsewhere) {
  // What a run that was cut off has left.
  stopAll();
  execFileSync("npm", ["run", "build", "--workspace", "console", "--silent"], { cwd: root, stdio: "inherit" });
  // Only a process that ends by itself keeps what it compiled; most of ours are killed.
  const compile = "await import('./server/src/api.ts'); await import('./server/src/worker.ts'); process.exit();";
  const env = { ...process.env, NODE_COMPILE_CACHE: join(dir, "compiled") };
  execFileSync(process.execPath, ["--input-type=module", "--eval", compile], { cwd: root, env });
}
// For CI, which adds up the tests of several runs.
const report = process.env.E2E_REPORT;
const only = values.only ? ["-t", values.only] : [];
const reporters = report ? ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`] : [];
let failed = false;
try {
  const engines = elsewhere
    ? []
    : settings.map((engine) => ({ ...engine, ...start("dev/postgres", engine), ...start("dev/s3", engine) }));
  for (const engine of elsewhere ? ["elsewhere"] : values.engine ? [values.engine] : ["s3", "filesystem"]) {
    console.log(`\ne2e: ${chosen.join(", ")} on ${engine}`);
    const { status } = spawnSync(
      "npx",
      [
        "vitest",
        "run",
        "--config",
        "e2e/vitest.config.ts",
        ...only,
        ...reporters,
        ...chosen.map((name) => `e2e/${name.includes("/") ? name : `${name}/`}`),
      ],
      {
        cwd: root,
        stdio: "inherit",
        env: {
          ...process.env,
          E2E_ENGINES: JSON.stringify(engines),
          // vitest gives BASE_URL a meaning of its own.
          ...(elsewhere && { E2E_BASE_URL: process.env.BASE_URL }),
          E2E_DIR: dir,
          E2E_ENGINE: engine,
          ...(values.full && { E2E_FULL: "1" }),
          ...(values.seed && { E2E_SEED: values.seed }),
        },
      },
    );
    failed ||= status !== 0;
  }
} finally {
  if (!elsewhere) stopAll();
}
process.exit(failed ? 1 : 0);
