import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, runIn } from "./run-in.ts";

/** Installs the files of a release as their users would. Throws if one does not work. */
export async function verifyRelease(version: string, out: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "hearback-verify-"));
  await chmod(folder, 0o755);
  const expectVersion = (program: string, printed: string) => {
    if (printed.trim() !== version)
      throw new Error(`${program} says that it is version ${printed.trim()}, not ${version}`);
  };
  try {
    await runIn(out, "sha256sum", "--check", "--strict", "SHA256SUMS");
    const files = (await readdir(out)).map((name) => join(out, name));
    const server = files.find((path) => path.endsWith(".tar.gz")) ?? "";
    await runIn(folder, "tar", "-xzf", server);
    const program = join(folder, "hearback/bin/hearback-server");
    expectVersion("hearback-server", await runIn(folder, program, "--version"));
    const described = await runIn(folder, program, "openapi");
    if (described.trim() !== (await readFile(join(root, "openapi.json"), "utf8")).trim())
      throw new Error("the server describes another API than openapi.json");

    const packages = files.filter((path) => path.endsWith(".tgz"));
    if (packages.length === 0) return;
    await writeFile(join(folder, "package.json"), '{"name":"user","private":true,"type":"module"}');
    await runIn(folder, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages);
    expectVersion("hearback", await runIn(folder, join(folder, "node_modules/.bin/hearback"), "--version"));
    const use =
      'const { createClient } = await import("@hearback/sdk"); createClient({ baseUrl: "http://127.0.0.1", apiKey: "k" });';
    await runIn(folder, process.execPath, "--input-type=module", "--eval", use);
  } finally {
    await rm(folder, { recursive: true });
  }
}
