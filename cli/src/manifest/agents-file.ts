import { open } from "node:fs/promises";
import { basename } from "node:path";
import { emailProblem } from "./check-values.ts";
import { type Defect, ManifestError, quote } from "./finding-codes.ts";
import { openText } from "./open-text.ts";
import { openCsv } from "./read-csv.ts";
import { plainName } from "./template.ts";

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
const agentColumns = ["agent", "agentid", "id", "login", "extension", "number", "user", "poste", "code"];
const emailColumns = ["email", "agentemail", "mail", "courriel"];
const nameColumns = ["name", "agentname", "fullname", "nom", "nomagent"];

/** Reads the list of agents: a CSV with the columns agent, email and, if agents may have to be created, name. */
export async function openAgentsFile(path: string): Promise<AgentsFile> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    const detail = `The list of agents ${quote(path)} cannot be read (${error.code}).`;
    throw new ManifestError([{ code: "agents_file_missing", detail, fix: "Check the path given with --agents." }]);
  });
  try {
    const name = basename(path);
    const rows = await openCsv(await openText(file, name), { name });
    const plain = rows.columns.map(plainName);
    const place = (names: readonly string[]) => plain.findIndex((column) => names.includes(column));
    const at = { agent: place(agentColumns), email: place(emailColumns), name: place(nameColumns) };
    if (at.agent < 0 || at.email < 0)
      throw new ManifestError([
        wrong(name, 1, `has the columns ${rows.columns.join(", ")}.`, 'Name them "agent", "email" and "name".'),
      ]);

    const agents = new Map<string, ListedAgent>();
    const emails = new Map<string, ListedAgent>();
    const defects: Defect[] = [];
    for await (const batch of rows.read())
      for (const { line, cells, defect } of batch) {
        const agent = keyOf(cells[at.agent] ?? "");
        const email = (cells[at.email] ?? "").trim();
        const listed = { email, name: (at.name < 0 ? "" : (cells[at.name] ?? "")).trim() || undefined };
        const known = agents.get(agent);
        const problem = emailProblem(email);
        if (defect) defects.push(wrong(name, line, defect.detail, defect.fix));
        else if (agent === "") defects.push(wrong(name, line, "has no agent.", "Fill the cell in, or remove the row."));
        else if (problem) defects.push(wrong(name, line, `has ${quote(email)}, ${problem}`, "Correct the address."));
        else if (known && keyOf(known.email) !== keyOf(email))
          defects.push(doubled(name, line, agent, known.email, email));
        agents.set(agent, listed);
        emails.set(keyOf(email), listed);
        if (defects.length >= 20 || agents.size > mostAgents) break;
      }
    if (agents.size > mostAgents)
      defects.push(wrong(name, mostAgents, "is longer than any list of agents.", "Check the file."));
    if (defects.length > 0) throw new ManifestError(defects);
    return { name, byAgent: (agent) => agents.get(keyOf(agent)), byEmail: (email) => emails.get(keyOf(email)) };
  } finally {
    await file.close();
  }
}

const keyOf = (value: string) => value.trim().toLowerCase();

const wrong = (name: string, line: number, what: string, fix: string): Defect => ({
  code: "agents_file_wrong",
  detail: `Line ${line} of ${name} ${what}`,
  fix,
});

const doubled = (name: string, line: number, agent: string, one: string, other: string): Defect => ({
  code: "agents_file_doubled",
  detail: `Line ${line} of ${name} has the agent ${quote(agent)} again: ${quote(one)} before, ${quote(other)} here.`,
  fix: "Keep the one who is meant.",
});
