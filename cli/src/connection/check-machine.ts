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

/** Whether recordings can be read here, and what an import remembers be written. */
export async function* checkRecordings(folder: string): AsyncGenerator<Check, void, undefined> {
  const name = "recordings";
  try {
    const entries = await opendir(folder);
    const first = await entries.read();
    await entries.close();
    yield first
      ? { name, state: "good", detail: `${folder} can be read` }
      : {
          name,
          state: "warning",
          detail: `${folder} is empty`,
          fix: "Is it the right folder, and is its disk mounted?",
        };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: "is not there",
      ENOTDIR: "is no folder",
      EACCES: "must not be read by you",
    };
    yield {
      name,
      state: "bad",
      detail: `${folder} ${reasons[code] ?? (error as Error).message}`,
      fix: "Name the folder that the recordings are in.",
    };
  }
}

export async function checkWritable(folder: string): Promise<Check> {
  const name = "state";
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return { name, state: "good", detail: `${folder} can be written to` };
  } catch {
    return {
      name,
      state: "bad",
      detail: `${folder} cannot be written to`,
      fix: "An import keeps there what it has done; run it from a folder that you may write to.",
    };
  }
}
