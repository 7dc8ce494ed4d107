import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

/** Changes here require all nightly files: they decide what runs. */
const deciding = [".ci/", "dev/run-tests.ts", "dev/test-report.ts", "e2e/run.ts", "e2e/support/nightly-files.ts"];

/** A test file that runs nightly, and when one of its subjects changes: files, or folders that end in "/". */
export interface NightlyFile {
  readonly path: string;
  readonly subjects: readonly string[];
}

/** The first line of a nightly file names its subjects. */
const subjectLine = /^\/\/ Nightly, and for changes in: (.+)\n/;

export function listNightlyFiles(): NightlyFile[] {
  const paths = globSync("e2e/*/*.nightly.test.ts", { cwd: root }).sort();
  return paths.map((path) => {
    const [, subjects = ""] = subjectLine.exec(readFileSync(join(root, path), "utf8")) ?? [];
    return { path, subjects: subjects.split(", ").filter((subject) => subject !== "") };
  });
}

/** The nightly files that these changed paths require; all of them if `changed` is undefined. */
export function requiredFiles(files: readonly NightlyFile[], changed: readonly string[] | undefined): NightlyFile[] {
  const touches = (subjects: readonly string[]) =>
    !changed ||
    changed.some((path) => subjects.some((one) => (one.endsWith("/") ? path.startsWith(one) : path === one)));
  return touches(deciding) ? [...files] : files.filter(({ path, subjects }) => touches([path, ...subjects]));
}

/** Paths that differ from the commit at which the nightly run passed; undefined if this clone does not have it. */
export function changedSinceNightly(commit: string, folder = root): string[] | undefined {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  try {
    const paths =
      git("diff", "--name-only", "--no-renames", commit) + git("ls-files", "--others", "--exclude-standard");
    return paths.split("\n").filter((path) => path !== "");
  } catch {
    return undefined;
  }
}
