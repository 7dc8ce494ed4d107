import { open } from "node:fs/promises";
import { basename } from "node:path";
import { readAgentList } from "../manifest/read-agent-list.ts";

/** One agent of a list, or why this line is none. */
export type AgentLine =
  | { readonly line: number; readonly email: string; readonly name: string }
  | { readonly line: number; readonly wrong: string };

/** The agents of a CSV with the columns email and name, in any order and among others, line by line. */
export async function* readAgents(path: string, signal: AbortSignal): AsyncGenerator<AgentLine, void, undefined> {
  const file = await open(path);
  try {
    const seen = new Map<string, number>();
    for await (const one of readAgentList(file, { name: basename(path), needed: ["email", "name"], signal })) {
      const { line } = one;
      if ("wrong" in one) {
        yield { line, wrong: `${one.wrong.replace(/\.?$/, ".")} ${one.fix}` };
        continue;
      }
      const { email, name } = one;
      const before = seen.get(email.toLowerCase());
      if (before === undefined) seen.set(email.toLowerCase(), line);
      yield before === undefined ? { line, email, name } : { line, wrong: `${email} stands in line ${before} already` };
    }
  } finally {
    await file.close();
  }
}
