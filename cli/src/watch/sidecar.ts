import { readFile, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";

/** What stands beside a recording and says whose it is. */
export interface Sidecar {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** "{name}.json" → the name of a recording's sidecar: {name} is its name without the ending, {file} with it. */
export const sidecarPath = (template: string, recording: string) =>
  join(
    dirname(recording),
    template.replaceAll("{name}", basename(recording, extname(recording))).replaceAll("{file}", basename(recording)),
  );

export async function findSidecar(path: string): Promise<Sidecar | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? { path, bytes: found.size, modifiedMs: found.mtimeMs } : undefined;
}

const mostBytes = 1024 * 1024;

/** The members of a sidecar as cells: what is nested is named by its path ("call.from"), null is empty. */
export async function readSidecar({ path, bytes }: Sidecar): Promise<Map<string, string>> {
  if (bytes > mostBytes) throw new SyntaxError("it is larger than a mebibyte");
  const value: unknown = JSON.parse((await readFile(path, "utf8")).replace(/^\uFEFF/, ""));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new SyntaxError("it is no JSON object");
  const cells = new Map<string, string>();
  flatten(value, "", cells);
  return cells;
}

function flatten(value: object, prefix: string, cells: Map<string, string>): void {
  for (const [key, member] of Object.entries(value)) {
    const name = `${prefix}${key}`;
    if (typeof member === "object" && member !== null && !Array.isArray(member)) flatten(member, `${name}.`, cells);
    else cells.set(name, member === null ? "" : typeof member === "string" ? member : JSON.stringify(member));
  }
}
