import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");

/** A folder outside the repository with only the published package installed. */
export interface SdkUser {
  readonly folder: string;
  /** The installed package. */
  readonly packages: readonly string[];
  close(): Promise<void>;
}

export interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Runs `npm pack`. */
export async function pack(from: string, folder: string): Promise<Packed> {
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: from,
  });
  const [packed] = JSON.parse(stdout) as [Packed];
  return packed;
}

/** Builds a package in a folder of its own: other test files build it at the same time. */
export async function buildAndPack(workspace: "sdk" | "cli", folder: string): Promise<Packed> {
  const built = join(folder, "built", workspace);
  await run("npm", ["run", "build", "-w", workspace, "--", built], { cwd: root });
  return pack(built, folder);
}

/** Builds, packs and installs the SDK offline: it has no dependencies. */
export async function installSdk(): Promise<SdkUser> {
  const folder = await mkdtemp(join(tmpdir(), "hearback-sdk-user-"));
  const { filename } = await buildAndPack("sdk", folder);
  await writeFile(join(folder, "package.json"), '{"name":"user","private":true,"type":"module"}');
  await run("npm", ["install", `./${filename}`, "--offline", "--no-audit", "--no-fund"], { cwd: folder });
  const listed = await run("npm", ["ls", "--all", "--parseable"], { cwd: folder });
  await cp(join(root, "sdk/examples"), join(folder, "examples"), { recursive: true });
  return {
    folder,
    packages: listed.stdout.trim().split("\n").slice(1),
    close: () => rm(folder, { recursive: true }),
  };
}

/** Compiles files of the folder in strict mode, including the package's declarations; returns the errors. */
export async function compileAt(folder: string, files: readonly string[], options: readonly string[]): Promise<string> {
  // Only the Node types of the repository, on request.
  await symlink(join(root, "node_modules/@types"), join(folder, "types"), "dir").catch(() => {});
  const tsc = join(root, "node_modules/.bin/tsc");
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--skipLibCheck", "false"];
  const kind = ["--module", "nodenext", "--target", "es2022", "--noEmit", "--typeRoots", "types"];
  return run(tsc, [...strict, ...kind, ...options, ...files], { cwd: folder }).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
}

/** Installs another Node: this version, or the latest of this line; undefined if the registry is unreachable. */
export async function nodeOf(line: number | string, folder: string): Promise<string | undefined> {
  const prefix = join(folder, `node-${line}`);
  const name = `node-${process.platform}-${process.arch}`;
  try {
    await run("npm", ["install", "--prefix", prefix, `${name}@${line}`, "--no-audit", "--no-fund", "--no-save"]);
    return join(prefix, "node_modules", name, "bin/node");
  } catch {
    return undefined;
  }
}
