#!/usr/bin/env node
// npm run release: builds the files of a release into a folder, and installs them from there to verify them.
import { globSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { collectChanges } from "./release/changes.ts";
import { root, runIn } from "./release/run-in.ts";
import { buildServerArchive } from "./release/server-archive.ts";
import { verifyRelease } from "./release/verify.ts";
import { step } from "./step.ts";

const usage = `npm run release [-- --out DIR] [--image] [--base IMAGE] [--server-only] [--allow-changes]

  --out    folder of the files, which is emptied first; default: .data/release
  --image  also builds the image, with buildah
  --base   base of the image; default: that of deploy/Dockerfile
  --collect        moves the files of changes/ to CHANGELOG.md, and does nothing else
  --server-only    builds only the archive of the server
  --allow-changes  includes changes that are not committed, but no new files, to try a release

Before: set the version (npm version 1.2.3 --workspaces --include-workspace-root --no-git-tag-version), run
npm run release -- --collect, set the tag of the image in deploy/kubernetes/kustomization.yaml and docs/operations/kubernetes.md,
commit, and tag the commit (git tag v1.2.3).`;

const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(root, ".data/release") },
    image: { type: "boolean" },
    base: { type: "string" },
    collect: { type: "boolean" },
    "server-only": { type: "boolean" },
    "allow-changes": { type: "boolean" },
    help: { type: "boolean", short: "h" },
  },
});
if (values.help) {
  console.log(usage);
  process.exit();
}

/** Returns the commit that is released. */
async function checkSources(version: string): Promise<string> {
  const changes = await runIn(root, "git", "status", "--porcelain");
  if (changes && !values["allow-changes"])
    throw new Error(`commit these changes first, because a release is made of a commit:\n${changes}`);
  const tags = (await runIn(root, "git", "tag", "--points-at", "HEAD")).split("\n");
  if (!tags.includes(`v${version}`) && !values["allow-changes"])
    throw new Error(`tag the commit of the release first: git tag v${version}`);
  const changelog = await readFile(join(root, "CHANGELOG.md"), "utf8");
  const collected = changelog.includes(`\n## ${version}\n`);
  if (!collected || (globSync("changes/*", { cwd: root }).length > 0 && !values["allow-changes"]))
    throw new Error(
      `collect the changes in a section "## ${version}" of CHANGELOG.md first: npm run release -- --collect`,
    );
  // A commit of the changes, if there are any, which no branch contains.
  const changed = await runIn(root, "git", "stash", "create");
  return changed.trim() || (await runIn(root, "git", "rev-parse", "HEAD")).trim();
}

/** Builds and packs @hearback/sdk and hearback, as they are published. */
async function packPackages(out: string): Promise<void> {
  for (const workspace of ["sdk", "cli"]) {
    const built = join(out, "built", workspace);
    await runIn(root, "npm", "run", "build", "--workspace", workspace, "--", built);
    await runIn(built, "npm", "pack", "--ignore-scripts", "--pack-destination", out);
  }
  await rm(join(out, "built"), { recursive: true });
}

async function buildImage(version: string, revision: string): Promise<void> {
  const settings = [`VERSION=${version}`, `REVISION=${revision}`, ...(values.base ? [`BASE=${values.base}`] : [])];
  const options = settings.flatMap((setting) => ["--build-arg", setting]);
  const tag = `hearback:${version}`;
  await runIn(root, "buildah", "build", "-f", "deploy/Dockerfile", "--format", "docker", ...options, "-t", tag, ".");
  await runIn(root, "buildah", "push", tag, `oci-archive:${join(out, `hearback-image-${version}.tar`)}:${tag}`);
}

async function writeChecksums(out: string): Promise<void> {
  const names = (await readdir(out)).sort();
  await writeFile(join(out, "SHA256SUMS"), await runIn(out, "sha256sum", ...names));
}

const out = resolve(values.out);
const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
if (values.collect) {
  collectChanges(root, version);
  process.exit();
}
try {
  if (!relative(out, root).startsWith("..")) throw new Error(`--out ${out} contains the repository`);
  const commit = await checkSources(version);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await step(`hearback-server ${version} with console and Node`, () => buildServerArchive({ version, commit, out }));
  if (!values["server-only"]) await step("@hearback/sdk and hearback", () => packPackages(out));
  if (values.image) await step("image", () => buildImage(version, commit));
  await writeChecksums(out);
  await step("installing them", () => verifyRelease(version, out));
  console.log(`\n${out}:\n${await readFile(join(out, "SHA256SUMS"), "utf8")}`);
} catch (error) {
  console.error(`\nrelease: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
