import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Entry, isInvalid } from "../entry.ts";
import type { Finding } from "../finding.ts";
import { ManifestError } from "../finding-codes.ts";
import { type ManifestOptions, openManifest } from "../open-manifest.ts";

/** Writes files to a temporary folder that is removed after the test. */
export async function makeFolder(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "hearback-manifest-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

export interface Read {
  readonly columns: readonly string[];
  readonly entries: readonly Entry[];
  readonly findings: readonly Finding[];
  readonly skipped: number;
}

/** Reads a whole manifest. Errors of the whole manifest are returned as findings. */
export async function readManifest(options: ManifestOptions): Promise<Read> {
  const entries: Entry[] = [];
  const findings: Finding[] = [];
  let skipped = 0;
  try {
    const manifest = await openManifest(options);
    findings.push(...manifest.warnings);
    for await (const row of manifest.entries(undefined, () => skipped++)) {
      if (isInvalid(row)) findings.push(...row.findings);
      else entries.push(row);
    }
    await manifest.close();
    return { columns: manifest.columns, entries, findings, skipped };
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    return { columns: [], entries, findings: [...findings, ...error.findings], skipped };
  }
}
