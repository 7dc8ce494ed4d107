#!/usr/bin/env node
// Runs the check and the tests at one scale: "change" (.ci/run) or "nightly" (npm run nightly). Prints what failed and which
// files take longer than recorded, and ends with one line: N passed, N failed.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { compareTimings, formatTimings, lastLines, summarize, type Timings } from "./test-report.ts";

const root = join(import.meta.dirname, "..");
const timingsPath = join(root, "e2e/timings.json");
const scales = ["change", "nightly"];
const [scale = "", option] = process.argv.slice(2);
if (!scales.includes(scale) || ![undefined, "--write-timings"].includes(option)) {
  console.error("usage: node dev/run-tests.ts change|nightly [--write-timings]");
  process.exit(2);
}

interface Step {
  readonly name: string;
  /** Commands that run beside each other. Only the output of the last one is printed while it runs. */
  readonly commands: readonly (readonly string[])[];
  readonly env?: Readonly<Record<string, string>>;
}

const reports = mkdtempSync(join(tmpdir(), "hearback-tests-"));

/** The check uses the part of the processors that unit tests leave idle while they wait for engines. */
const unitTests: Step = {
  name: "check and unit tests",
  commands: [
    ["npm", "run", "--silent", "check"],
    [
      "npm",
      "test",
      "--silent",
      "--",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${reports}/unit.json`,
    ],
  ],
};

interface EndToEnd {
  readonly kind: "change" | "parallel" | "timed" | "engines";
  readonly engine: "s3" | "filesystem";
}

const endToEnd = ({ kind, engine }: EndToEnd, at: number): Step => ({
  name: `e2e on ${engine}, ${kind}`,
  commands: [
    ["npm", "run", "--silent", "e2e", "--", "--kind", kind, "--engine", engine].concat(
      scale === "nightly" ? "--nightly" : [],
    ),
  ],
  env: {
    E2E_PICTURES: "no",
    // A third file at a time saves a tenth of the time, but tests wait too long for it.
    E2E_WORKERS: kind === "timed" ? "1" : "2",
    E2E_REPORT: `${reports}/${kind}-${engine}.json`,
    // Later steps use the console that the first one built.
    ...(at > 0 && { E2E_BUILD: "no" }),
  },
});

const runs: readonly EndToEnd[] =
  scale === "change"
    ? [
        { kind: "change", engine: "s3" },
        { kind: "engines", engine: "filesystem" },
      ]
    : [
        { kind: "parallel", engine: "s3" },
        { kind: "timed", engine: "s3" },
        { kind: "engines", engine: "filesystem" },
      ];

/** Processor seconds used on this machine since it started. */
function processorSeconds(): number {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n", 1);
  const [user = 0, nice = 0, system = 0, , , interrupt = 0, softInterrupt = 0] = line.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + interrupt + softInterrupt) / 100;
}

/** Returns why the command failed, if it failed. */
function runCommand(command: readonly string[], env: Step["env"], isPrinted: boolean): Promise<string | undefined> {
  const [file = "", ...args] = command;
  const child = spawn(file, args, {
    cwd: root,
    // This Node, whatever the machine's own is.
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}`, TEST_SCALE: scale, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      if (isPrinted) process.stdout.write(text);
      output = (output + text).slice(-50_000);
    });
  return new Promise((resolve) => {
    child.on("close", (code) => {
      resolve(
        code === 0 ? undefined : `${command.slice(0, 4).join(" ")}: its output ended with\n${lastLines(output, 30)}`,
      );
    });
  });
}

const took: string[] = [];
const broken: string[] = [];

async function runStep({ name, commands, env }: Step): Promise<void> {
  const began = performance.now();
  const usedBefore = processorSeconds();
  console.log(`\n── ${name}`);
  const results = await Promise.all(
    commands.map((command, at) => runCommand(command, env, at === commands.length - 1)),
  );
  const failures = results.filter((failure) => failure !== undefined);
  broken.push(...failures);
  const seconds = Math.round((performance.now() - began) / 1000);
  took.push(`${name}: ${seconds} s, ${Math.round(processorSeconds() - usedBefore)} processor seconds on this machine`);
  console.log(`── ${took.at(-1)}: ${failures.length === 0 ? "passed" : "FAILED"}`);
}

const began = performance.now();
for (const step of [unitTests, ...runs.map(endToEnd)]) await runStep(step);
const { passed, failed, failures, timings } = summarize(reports);
rmSync(reports, { recursive: true });

console.log("\nslowest files:");
const slowest = Object.entries(timings).sort((a, b) => b[1] - a[1]);
for (const [file, seconds] of slowest.slice(0, 30)) console.log(`  ${seconds.toFixed(0)} s ${file}`);
if (scale === "change") {
  const recorded: Timings = JSON.parse(readFileSync(timingsPath, "utf8"));
  const { slowness, grown } = compareTimings(timings, recorded);
  console.log(`\nfiles take ${slowness.toFixed(2)} times as long as in e2e/timings.json (median); longer than that:`);
  for (const { file, now, expected } of grown)
    console.log(`  ${now.toFixed(0)} s instead of ${expected.toFixed(0)} s: ${file}`);
  if (grown.length === 0) console.log("  none");
  if (option === "--write-timings") writeFileSync(timingsPath, formatTimings(timings));
}
for (const failure of failures) console.log(`\nFAILED ${failure}`);
const minutes = (performance.now() - began) / 60_000;
console.log(`\n${took.join("\n")}\ntogether: ${minutes.toFixed(1)} minutes`);
for (const text of broken) console.log(`FAILED: ${text}`);
if (passed === 0) console.log("no test ran");
const isGreen = passed > 0 && failed === 0 && broken.length === 0;

const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
if (scale === "nightly" && isGreen && git("status", "--porcelain") === "") {
  const record = {
    commit: git("rev-parse", "HEAD"),
    date: new Date().toISOString(),
    minutes: Math.round(minutes),
    passed,
  };
  writeFileSync(join(root, "e2e/last-nightly.json"), `${JSON.stringify(record, null, 2)}\n`);
  console.log("commit e2e/last-nightly.json: .ci/run then runs nightly files only for later changes");
}
console.log(`${passed} passed, ${isGreen ? 0 : Math.max(failed, 1)} failed`);
process.exit(isGreen ? 0 : 1);
