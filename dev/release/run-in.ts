import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);
export const root = join(import.meta.dirname, "../..");

/** Runs a program in a folder and returns its output. */
export async function runIn(cwd: string, program: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute(program, args, { cwd, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
