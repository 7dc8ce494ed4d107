#!/usr/bin/env node
// Starts the engines, runs the selected suites, stops the engines.
import { type ChildProcess, execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { changedSinceNightly, listNightlyFiles, requiredFiles } from "./support/nightly-files.ts";
import { parseSettings } from "./support/parse-settings.ts";
import { startCommandHost } from "./support/stack/start-command-host.ts";
import { startStackHost, stopStackHost } from "./support/stack/start-stack-host.ts";

const root = join(import.meta.dirname, "..");
const suites = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !["support", "dist", "node_modules"].includes(entry.name))
  .map((entry) => entry.name);

/** Nightly files that no change requires. */
function otherNightlyFiles(): string[] {
  const files = listNightlyFiles();
  const { commit } = JSON.parse(readFileSync(join(import.meta.dirname, "last-nightly.json"), "utf8")) as {
    commit: string;
  };
  const required = new Set(requiredFiles(files, changedSinceNightly(commit)));
  return files.filter((file) => !required.has(file)).map(({ path }) => path);
}

/** Vitest arguments that select the files of a kind. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  change: ["**/*.timed.test.ts", ...otherNightlyFiles()].flatMap((path) => ["--exclude", path]),
  parallel: ["--exclude", "**/*.timed.test.ts"],
  timed: ["--exclude", "**/!(*.timed).test.ts"],
  engines: ["--exclude", "**/!(*.engines).test.ts"],
};

const usage = `npm run e2e [-- SUITE …] [--engine s3|filesystem] [--kind KIND] [--only WORDS] [--nightly | --full]
                    [--seed N]

  SUITE     ${suites.join(", ")}; default: all;
            to run one file: media/hostile
  --engine  only this storage engine; default: both
  --kind    change: what .ci/run runs: all but timed files, and of the nightly files (*.nightly.test.ts) those whose subjects
            changed since the last nightly run;
            parallel: all files that can run beside others;
            timed: files that measure time and run alone (*.timed.test.ts);
            engines: files about data safety, which also run on the filesystem engine (*.engines.test.ts); default: all
  --only    only tests whose names contain these words
  --nightly the sizes of "npm run nightly" instead of those of a change
  --full    the sizes of a release
  --seed    repeats a random run; random tests print their seed

E2E_WORKERS=2 runs two files in parallel, each with its own engines; not for tests that measure.
E2E_PICTURES=no takes no screenshots (.data/screenshots).
E2E_BUILD=no uses the console as it was built last.
With BASE_URL, API_KEY and CAMPAIGN_ID set, "conformance" runs against that server and starts no engines.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: "string" },
    kind: { type: "string" },
    only: { type: "string" },
    nightly: { type: "boolean" },
    full: { type: "boolean" },
    seed: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const unknown = positionals.filter((name) => !suites.includes(name.split("/")[0] ?? ""));
const scale = values.full ? "release" : values.nightly ? "nightly" : "change";
const isUnknown = (value: string | undefined, known: readonly string[]) =>
  value !== undefined && !known.includes(value);
const wrongOption = isUnknown(values.engine, ["s3", "filesystem"]) || isUnknown(values.kind, Object.keys(kinds));
if (values.help || unknown.length > 0 || wrongOption) {
  console.error(unknown.length > 0 ? `Unknown suite "${unknown[0]}".\n\n${usage}` : usage);
  process.exit(values.help ? 0 : 2);
}

const dir = join(root, ".data/e2e");
// Lets several clones on one machine run their tests in parallel.
const offset = Number(process.env.PORT_OFFSET ?? 0);
/** Number of parallel test files. Each worker has its own engines, because tests may kill them. */
const workers = Number(process.env.E2E_WORKERS ?? 1);
const settings = Array.from({ length: workers }, (_, at) => ({
  E2E_STACK_HOST: join(dir, `stack-${at}.sock`),
  PG_ENGINE_DIR: join(dir, `postgres-${at}`),
  PG_ENGINE_PORT: String(15331 + at + offset),
  S3_ENGINE_DIR: join(dir, `s3-${at}`),
  S3_ENGINE_PORT: String(9110 + 2 * at + offset),
}));
type Settings = (typeof settings)[number];
/** Tests on the filesystem need no S3 store, which takes seconds to start and to stop. */
const withS3 = values.engine !== "filesystem";
const start = (script: string, engine: Settings) =>
  parseSettings(
    execFileSync(join(root, script), ["start"], {
      env: { ...process.env, ...engine },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }),
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
const commandSocket = join(dir, "commands.sock");
let commandHost: ChildProcess | undefined;
if (!elsewhere) {
  execFileSync(join(root, "dev/setup"), ["--missing"], { stdio: "inherit" });
  // Left behind by an aborted run.
  stopAll();
  if (process.env.E2E_BUILD !== "no")
    execFileSync("npm", ["run", "build", "--workspace", "console", "--silent", "--", "--logLevel", "warn"], {
      cwd: root,
      stdio: "inherit",
    });
  // Fills the compile cache: only a process that exits normally writes it, and tests kill most of theirs.
  const compile = "await import('./server/src/api.ts'); await import('./server/src/worker.ts'); process.exit();";
  const env = { ...process.env, NODE_COMPILE_CACHE: join(dir, "compiled") };
  execFileSync(process.execPath, ["--input-type=module", "--eval", compile], { cwd: root, env });
  commandHost = await startCommandHost(commandSocket, env);
}
// For CI, which sums the tests of several runs.
const report = process.env.E2E_REPORT;
const only = values.only ? ["-t", values.only] : [];
const reporters = report ? ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`] : [];
let failed = false;
try {
  const engines = elsewhere
    ? []
    : settings.map((engine) => ({
        ...engine,
        ...start("dev/postgres", engine),
        ...(withS3 && start("dev/s3", engine)),
      }));
  for (const engine of elsewhere ? ["elsewhere"] : values.engine ? [values.engine] : ["s3", "filesystem"]) {
    console.log(`\ne2e: ${chosen.join(", ")} on ${engine}`);
    const env = {
      ...process.env,
      E2E_ENGINES: JSON.stringify(engines),
      // Vitest uses BASE_URL for another purpose.
      ...(elsewhere && { E2E_BASE_URL: process.env.BASE_URL }),
      E2E_DIR: dir,
      E2E_COMMAND_HOST: commandSocket,
      E2E_ENGINE: engine,
      TEST_SCALE: scale,
      ...(values.seed && { E2E_SEED: values.seed }),
    };
    const hosts = await Promise.all(engines.map((one) => startStackHost(one.E2E_STACK_HOST, { ...env, ...one })));
    const { status } = spawnSync(
      "npx",
      [
        "vitest",
        "run",
        "--config",
        "e2e/vitest.config.ts",
        ...only,
        ...(kinds[values.kind ?? ""] ?? []),
        ...reporters,
        ...chosen.map((name) => `e2e/${name.includes("/") ? name : `${name}/`}`),
      ],
      {
        cwd: root,
        stdio: "inherit",
        env,
      },
    );
    await Promise.all(hosts.map(stopStackHost));
    failed ||= status !== 0;
  }
} finally {
  commandHost?.kill("SIGKILL");
  if (!elsewhere) stopAll();
}
process.exit(failed ? 1 : 0);
