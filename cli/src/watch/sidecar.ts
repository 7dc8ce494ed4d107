import { readFile, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";

/** A JSON file next to a recording, with its agent, time and metadata. */
export interface Sidecar {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** Path of a recording's sidecar. {name} is the file name without its extension, {file} with it. */
export const sidecarPath = (template: string, recording: string) =>
  join(
    dirname(recording),
    template.replaceAll("{name}", basename(recording, extname(recording))).replaceAll("{file}", basename(recording)),
  );

export async function findSidecar(path: string): Promise<Sidecar | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? { path, bytes: found.size, modifiedMs: found.mtimeMs } : undefined;
}

const maxBytes = 1024 * 1024;

/** Reads the sidecar as cells. Nested members get their path as the name ("call.from"); null becomes "". */
export async function readSidecar({ path, bytes }: Sidecar): Promise<Map<string, string>> {
  if (bytes > maxBytes) throw new SyntaxError("it is larger than 1 MiB");
  const value: unknown = JSON.parse((await readFile(path, "utf8")).replace(/^\uFEFF/, ""));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new SyntaxError("it is not a JSON object");
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
