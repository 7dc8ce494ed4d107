import { access, constants, opendir } from "node:fs/promises";
import type { Check } from "./check.ts";

const neededNode = [22, 18] as const;

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const enough = major > neededNode[0] || (major === neededNode[0] && minor >= neededNode[1]);
  const needed = neededNode.join(".");
  if (enough) return { name: "node", state: "good", detail: `Node ${version}` };
  return { name: "node", state: "bad", detail: `Node ${version} is too old`, fix: `Install Node ${needed} or later.` };
}

/** Checks that the recordings folder is readable. */
export async function* checkRecordings(folder: string): AsyncGenerator<Check, void, undefined> {
  const name = "recordings";
  try {
    const entries = await opendir(folder);
    const first = await entries.read();
    await entries.close();
    yield first
      ? { name, state: "good", detail: `${folder} is readable` }
      : {
          name,
          state: "warning",
          detail: `${folder} is empty`,
          fix: "Check that this is the right folder and that its disk is mounted.",
        };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: "does not exist",
      ENOTDIR: "is not a folder",
      EACCES: "is not readable by you",
    };
    yield {
      name,
      state: "bad",
      detail: `${folder} ${reasons[code] ?? (error as Error).message}`,
      fix: "Pass the folder that contains the recordings.",
    };
  }
}

export async function checkWritable(folder: string): Promise<Check> {
  const name = "state";
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return { name, state: "good", detail: `${folder} is writable` };
  } catch {
    return {
      name,
      state: "bad",
      detail: `${folder} is not writable`,
      fix: "An import stores its state here. Run it from a folder that you can write to.",
    };
  }
}
