import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** A folder outside of the repository with nothing but the published package in it, as an integrator has it. */
export interface SdkUser {
  readonly folder: string;
  /** What was installed. */
  readonly packages: readonly string[];
  close(): Promise<void>;
}

export interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Puts a package into one file, as it would be published. */
export async function pack(from: string, folder: string): Promise<Packed> {
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    cwd: from,
  });
  const [packed] = JSON.parse(stdout) as [Packed];
  return packed;
}

export async function buildAndPack(workspace: "sdk" | "cli", folder: string): Promise<Packed> {
  await run("npm", ["run", "build", "-w", workspace], { cwd: root });
  return pack(join(root, workspace, "dist/package"), folder);
}

/** Builds the SDK, packs it, and installs it without a network: it needs no other package. */
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

/** Compiles files of the folder as strictly as it goes, declarations of the package included; gives what is wrong. */
export async function compileAt(folder: string, files: readonly string[], options: readonly string[]): Promise<string> {
  // TypeScript's types of Node, for those who ask for them, and nothing else of the repository.
  await symlink(join(root, "node_modules/@types"), join(folder, "types"), "dir").catch(() => {});
  const tsc = join(root, "node_modules/.bin/tsc");
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--skipLibCheck", "false"];
  const kind = ["--module", "nodenext", "--target", "es2022", "--noEmit", "--typeRoots", "types"];
  return run(tsc, [...strict, ...kind, ...options, ...files], { cwd: folder }).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
}

/** Another Node than ours, of this version or the newest of this line; undefined where the registry cannot be reached. */
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
