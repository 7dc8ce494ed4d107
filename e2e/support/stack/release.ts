import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { runServerCommand } from "./server-command.ts";

const run = promisify(execFile);
const repository = join(import.meta.dirname, "../../..");

/** A version of the service. */
export interface Release {
  /** Version, in a form that can be part of the name of a database. */
  readonly name: string;
  /** Entry point, `hearback-server`. */
  readonly main: string;
  runCommand(env: Readonly<Record<string, string>>, args: readonly string[]): Promise<string>;
}

/** The release of this working tree. */
export const thisRelease: Release = {
  name: "current",
  main: join(repository, "server/src/main.ts"),
  runCommand: runServerCommand,
};

/** Whether the repository contains a commit. */
export const hasCommit = (commit: string) =>
  spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: repository }).status === 0;

/** Installs an earlier release from git into a temporary folder, with the packages of its lock file. */
export async function installRelease(name: string, commit: string): Promise<Release & { remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), `hearback-${name}-`));
  const archive = join(folder, "release.tar");
  await run("git", ["archive", "--output", archive, commit], { cwd: repository });
  const app = join(folder, "app");
  await mkdir(app);
  await run("tar", ["-xf", archive, "-C", app]);
  await run("npm", ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], {
    cwd: app,
  });
  const main = join(app, "server/src/main.ts");
  return {
    name,
    main,
    async runCommand(env, args) {
      const { stdout } = await run(process.execPath, [main, ...args], { env: { ...env } });
      return stdout;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
