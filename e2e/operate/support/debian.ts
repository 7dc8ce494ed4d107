import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const sourcesFolder = "/etc/apt/sources.list.d";

async function findMirror(): Promise<string> {
  for (const name of await readdir(sourcesFolder)) {
    const text = await readFile(join(sourcesFolder, name), "utf8");
    const [, mirror] = /^URIs: (\S+)\nSuites: bookworm\b/m.exec(text) ?? [];
    if (mirror) return mirror;
  }
  throw new Error(`no mirror of Debian 12 in ${sourcesFolder}`);
}

/** Makes the file system of a new Debian 12 with systemd and nothing else. */
export async function makeDebian(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "hearback-debian-"));
  const packages = "systemd,systemd-sysv,ca-certificates";
  const options = ["--variant=minbase", "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr", `--include=${packages}`];
  await run("mmdebstrap", [...options, "bookworm", folder, await findMirror()], { maxBuffer: 16 * 1024 * 1024 });
  await rm(join(folder, "etc/apt/sources.list"));
  // The mirrors, names and certificates of this machine.
  for (const path of [sourcesFolder, "/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt"]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(path, join(folder, path), { recursive: true, dereference: true });
  }
  // Installing PostgreSQL does not start it: the tests have their own.
  await writeFile(join(folder, "usr/sbin/policy-rc.d"), "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  return { folder, remove: () => rm(folder, { recursive: true }) };
}
