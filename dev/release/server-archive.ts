import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root, runIn } from "./run-in.ts";

/** Folders with code that the server runs. */
const packages = ["portable", "scoring", "draws", "contract", "server"];
const included = [
  "package.json",
  "package-lock.json",
  ".npmrc",
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "deploy",
  "docs",
];

const command = `#!/bin/sh
# Runs Hearback's server with the Node that comes with it. As root, it runs as the user of the service, with its settings.
bin=$(dirname "$(readlink -f "$0")")
settings=/etc/hearback/server.env
if [ "$(id -u)" = 0 ] && [ -r "$settings" ] && id hearback > /dev/null 2>&1; then
  exec "$bin/node" "$bin/../server/src/as-service-user.ts" "$settings" hearback "$@"
fi
exec "$bin/node" "$bin/../server/src/main.ts" "$@"
`;

interface Archive {
  readonly version: string;
  readonly commit: string;
  /** Folder of the archive. */
  readonly out: string;
}

async function removeDevDependencies(file: string): Promise<void> {
  const { devDependencies: _, ...description } = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, `${JSON.stringify(description, null, 2)}\n`);
}

async function addNode(app: string): Promise<void> {
  const bin = join(app, "bin");
  await mkdir(bin);
  await copyFile(process.execPath, join(bin, "node"));
  await copyFile(join(dirname(process.execPath), "../LICENSE"), join(bin, "node.LICENSE"));
  await writeFile(join(bin, "hearback-server"), command);
  await chmod(join(bin, "hearback-server"), 0o755);
}

/**
 * Builds an archive of the server with its packages, the console and Node, and the list of its packages (CycloneDX). The same
 * commit gives the same bytes.
 */
export async function buildServerArchive({ version, commit, out }: Archive): Promise<void> {
  const stage = await mkdtemp(join(tmpdir(), "hearback-release-"));
  const app = join(stage, "hearback");
  try {
    await mkdir(app);
    await runIn(root, "git", "archive", "--output", join(stage, "sources.tar"), commit, ...included, ...packages);
    await runIn(app, "tar", "-xf", join(stage, "sources.tar"));
    await runIn(app, "find", ...packages, "-name", "*.test.ts", "-delete");
    await rm(join(app, "server/src/testing"), { recursive: true });
    const install = ["ci", "--ignore-scripts", "--omit=dev", "--workspace", "server", "--include-workspace-root=false"];
    await runIn(app, "npm", ...install);
    // `npm sbom --omit dev` would leave out packages that are also needed for development.
    for (const folder of [".", ...packages]) await removeDevDependencies(join(app, folder, "package.json"));
    const committedAt = Number(await runIn(root, "git", "log", "-1", "--format=%ct", commit));
    const printed = await runIn(app, "npm", "sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application");
    // Without the random number and the time of this run.
    const { serialNumber: _, ...list } = JSON.parse(printed);
    list.metadata.timestamp = new Date(committedAt * 1000).toISOString();
    const sbom = `${JSON.stringify(list, null, 2)}\n`;
    await writeFile(join(app, "sbom.cdx.json"), sbom);
    await writeFile(join(out, `hearback-server-${version}.sbom.cdx.json`), sbom);
    await runIn(
      root,
      "npm",
      "run",
      "build",
      "--workspace",
      "console",
      "--",
      "--outDir",
      join(app, "console/dist/site"),
    );
    await addNode(app);
    const archive = join(out, `hearback-server-${version}-linux-${process.arch}.tar`);
    const sameBytes = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", `--mtime=@${committedAt}`];
    await runIn(stage, "tar", ...sameBytes, "--mode=u=rwX,go=rX", "-cf", archive, "hearback");
    await runIn(stage, "gzip", "--no-name", "-6", archive);
  } finally {
    await rm(stage, { recursive: true });
  }
}
