import { open } from "node:fs/promises";
import { basename } from "node:path";
import { type Defect, ManifestError, quote } from "./finding-codes.ts";
import { readAgentList } from "./read-agent-list.ts";

export interface ListedAgent {
  readonly email: string;
  readonly name: string | undefined;
}

/** Who is meant by a name or number of the telephone system. */
export interface AgentsFile {
  readonly name: string;
  byAgent(agent: string): ListedAgent | undefined;
  byEmail(email: string): ListedAgent | undefined;
}

const mostAgents = 200_000;
const mostDefects = 20;

/** Reads the list of agents: a CSV with the columns agent, email and, if agents may have to be created, name. */
export async function openAgentsFile(path: string): Promise<AgentsFile> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    const detail = `The list of agents ${quote(path)} cannot be read (${error.code}).`;
    throw new ManifestError([{ code: "agents_file_missing", detail, fix: "Check the path given with --agents." }]);
  });
  try {
    const name = basename(path);
    const agents = new Map<string, ListedAgent>();
    const emails = new Map<string, ListedAgent>();
    const defects: Defect[] = [];
    for await (const one of readAgentList(file, { name, needed: ["agent", "email"] })) {
      if ("wrong" in one)
        defects.push(wrong(`Line ${one.line} of ${name}: ${one.wrong.replace(/\.?$/, ".")}`, one.fix));
      else {
        const { agent, email } = one;
        const known = agents.get(keyOf(agent));
        if (known && keyOf(known.email) !== keyOf(email))
          defects.push(doubled(name, one.line, agent, known.email, email));
        const listed = { email, name: one.name || undefined };
        agents.set(keyOf(agent), listed);
        emails.set(keyOf(email), listed);
      }
      if (defects.length >= mostDefects || agents.size > mostAgents) break;
    }
    if (agents.size > mostAgents) defects.push(wrong(`${name} is longer than any list of agents.`, "Check the file."));
    if (defects.length > 0) throw new ManifestError(defects);
    return { name, byAgent: (agent) => agents.get(keyOf(agent)), byEmail: (email) => emails.get(keyOf(email)) };
  } finally {
    await file.close();
  }
}

const keyOf = (value: string) => value.trim().toLowerCase();

const wrong = (detail: string, fix: string): Defect => ({ code: "agents_file_wrong", detail, fix });

const doubled = (name: string, line: number, agent: string, one: string, other: string): Defect => ({
  code: "agents_file_doubled",
  detail: `Line ${line} of ${name} has the agent ${quote(agent)} again: ${quote(one)} before, ${quote(other)} here.`,
  fix: "Keep the one who is meant.",
});
