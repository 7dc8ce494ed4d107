import { execFile, execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { makeFolder, runCommand } from "../testing/run-command.ts";

const run = promisify(execFile);
const folder = await makeFolder();
const script = (shell: string) => join(folder, shell === "zsh" ? "_hearback" : `hearback.${shell}`);

beforeAll(async () => {
  for (const shell of ["bash", "zsh", "fish"])
    await writeFile(script(shell), (await runCommand(["completion", shell])).stdout);
  await writeFile(join(folder, "agents.csv"), "");
});

const has = (program: string) => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** Completions that bash offers for the last word of a line, which may be empty. */
async function bash(line: string): Promise<string[]> {
  const words = line.split(/(=)| /).filter((word) => word !== undefined);
  const body = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hearback
    for word in "\${COMPREPLY[@]}"; do echo "$word"; done`;
  const { stdout } = await run("bash", ["-c", body, "bash", script("bash"), ...words], { cwd: folder });
  return stdout.trim().split("\n");
}

/** Completions that fish offers for a line. */
async function fish(line: string): Promise<string[]> {
  const { stdout } = await run("fish", ["--no-config", "-c", `source ${script("fish")}; complete -C '${line}'`], {
    cwd: folder,
  });
  return stdout
    .trim()
    .split("\n")
    .map((offer) => offer.split("\t")[0] ?? "");
}

const lines: readonly [string, string[], string[]][] = [
  ["hearback ", ["login", "doctor", "calls", "completion"], ["list"]],
  ["hearback ca", ["calls"], ["login"]],
  ["hearback calls ", ["list", "show", "download", "export"], ["login"]],
  ["hearback calls list --", ["--campaign", "--metadata", "--all", "--json", "--help"], ["--force"]],
  ["hearback calls list --status ", ["received", "ready", "failed"], ["--all"]],
  ["hearback --profile calls agents ", ["create", "import"], ["show"]],
  ["hearback agents import a", ["agents.csv"], []],
  ["hearback completion ", ["bash", "zsh", "fish"], []],
];

test.runIf(has("bash")).each(lines)("bash completes %j", async (line, some, none) => {
  const offered = await bash(line);
  expect(offered).toEqual(expect.arrayContaining(some));
  expect(offered.filter((word) => none.includes(word))).toEqual([]);
});

test.runIf(has("bash")).each([
  ["hearback calls list --status=re", ["received", "ready"]],
  ["hearback calls list --campaign ", [""]],
  ["hearback calls list --profile ", [""]],
  ["hearback calls export -o a", ["agents.csv"]],
])("bash completes exactly %j", async (line, offered) => expect(await bash(line)).toEqual(offered));

test.runIf(has("fish")).each(lines.filter(([line]) => !line.includes("--profile")))(
  "fish completes %j",
  async (line, some, none) => {
    const offered = await fish(line);
    expect(offered).toEqual(expect.arrayContaining(some));
    expect(offered.filter((word) => none.includes(word))).toEqual([]);
  },
);

test.runIf(has("zsh"))("zsh loads the script", async () => {
  const check = `fpath=(${folder} $fpath); autoload -Uz compinit; compinit -u -D; autoload +X _hearback; print $+functions[_hearback] $_comps[hearback]`;
  const { stdout, stderr } = await run("zsh", ["-fc", check]);
  expect([stdout.trim(), stderr]).toEqual(["1 _hearback", ""]);
  await run("zsh", ["-nf", script("zsh")]);
});
