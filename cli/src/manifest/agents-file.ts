import { open } from "node:fs/promises";
import { basename } from "node:path";
import { type Defect, ManifestError, quote } from "./finding-codes.ts";
import { readAgentList } from "./read-agent-list.ts";

export interface ListedAgent {
  readonly email: string;
  readonly name: string | undefined;
}

/** Maps the phone system's agent ids to agents. */
export interface AgentsFile {
  readonly name: string;
  byAgent(agent: string): ListedAgent | undefined;
  byEmail(email: string): ListedAgent | undefined;
}

const maxAgents = 200_000;
const maxDefects = 20;

/** Reads the agents file: a CSV with the columns agent, email and name. The name is needed to create agents. */
export async function openAgentsFile(path: string): Promise<AgentsFile> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    const detail = `Cannot read the agents file ${quote(path)} (${error.code}).`;
    throw new ManifestError([{ code: "agents_file_missing", detail, fix: "Check the path in --agents." }]);
  });
  try {
    const name = basename(path);
    const agents = new Map<string, ListedAgent>();
    const emails = new Map<string, ListedAgent>();
    const defects: Defect[] = [];
    for await (const row of readAgentList(file, { name, needed: ["agent", "email"] })) {
      if ("wrong" in row)
        defects.push(wrong(`Line ${row.line} of ${name}: ${row.wrong.replace(/\.?$/, ".")}`, row.fix));
      else {
        const { agent, email } = row;
        const known = agents.get(keyOf(agent));
        if (known && keyOf(known.email) !== keyOf(email))
          defects.push(doubled(name, row.line, agent, known.email, email));
        const listed = { email, name: row.name || undefined };
        agents.set(keyOf(agent), listed);
        emails.set(keyOf(email), listed);
      }
      if (defects.length >= maxDefects || agents.size > maxAgents) break;
    }
    if (agents.size > maxAgents)
      defects.push(wrong(`${name} has more than ${maxAgents} agents.`, "Check that this is the agents file."));
    if (defects.length > 0) throw new ManifestError(defects);
    return { name, byAgent: (agent) => agents.get(keyOf(agent)), byEmail: (email) => emails.get(keyOf(email)) };
  } finally {
    await file.close();
  }
}

const keyOf = (value: string) => value.trim().toLowerCase();

const wrong = (detail: string, fix: string): Defect => ({ code: "agents_file_wrong", detail, fix });

const doubled = (name: string, line: number, agent: string, first: string, second: string): Defect => ({
  code: "agents_file_doubled",
  detail: `Line ${line} of ${name} lists the agent ${quote(agent)} again: ${quote(first)} before, ${quote(second)} here.`,
  fix: "Keep the right line.",
});
