// Fails on packages in package-lock.json without an integrity hash, which npm would install unverified.
import { readFileSync } from "node:fs";

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

const lockFile = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, LockedPackage> };
const installed = Object.entries(lockFile.packages).filter(
  ([path, { link }]) => path.includes("node_modules/") && !link,
);
const unverified = installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
for (const [path, { version }] of unverified) {
  console.error(
    `package-lock.json: ${path}@${version} has no sha512 integrity hash. Pin a version for which the registry provides one.`,
  );
}
if (installed.length < 100) console.error(`package-lock.json: only ${installed.length} packages found`);
process.exit(unverified.length > 0 || installed.length < 100 ? 1 : 0);
