import { open } from "node:fs/promises";
import { basename } from "node:path";
import { readAgentList } from "../manifest/read-agent-list.ts";

/** An agent, or the reason why the line is invalid. */
export type AgentLine =
  | { readonly line: number; readonly email: string; readonly name: string }
  | { readonly line: number; readonly wrong: string };

/** Reads agents from a CSV with the columns email and name, in any order; other columns are ignored. */
export async function* readAgents(path: string, signal: AbortSignal): AsyncGenerator<AgentLine, void, undefined> {
  const file = await open(path);
  try {
    const seen = new Map<string, number>();
    for await (const agent of readAgentList(file, { name: basename(path), needed: ["email", "name"], signal })) {
      const { line } = agent;
      if ("wrong" in agent) {
        yield { line, wrong: `${agent.wrong.replace(/\.?$/, ".")} ${agent.fix}` };
        continue;
      }
      const { email, name } = agent;
      const before = seen.get(email.toLowerCase());
      if (before === undefined) seen.set(email.toLowerCase(), line);
      yield before === undefined
        ? { line, email, name }
        : { line, wrong: `${email} is already listed on line ${before}` };
    }
  } finally {
    await file.close();
  }
}
