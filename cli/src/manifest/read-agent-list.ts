import type { FileHandle } from "node:fs/promises";
import { emailProblem, maxNameLength, nameProblem } from "./check-values.ts";
import { ManifestError, quote } from "./finding-codes.ts";
import { openText } from "./rows/open-text.ts";
import { openCsv } from "./rows/read-csv.ts";
import { normalizeName } from "./template.ts";

/** An agent, or the reason why the line is invalid. Missing columns are "". */
export type AgentLine =
  | { readonly line: number; readonly agent: string; readonly email: string; readonly name: string }
  | { readonly line: number; readonly wrong: string; readonly fix: string };

const columnNames = {
  agent: ["agent", "agentid", "id", "login", "extension", "number", "user", "poste", "code"],
  email: ["email", "agentemail", "mail", "courriel"],
  name: ["name", "agentname", "fullname", "nom", "nomagent"],
} as const;
type Column = keyof typeof columnNames;

interface ListOptions {
  /** File name for messages. */
  readonly name: string;
  /** Required columns. They must not be empty. */
  readonly needed: readonly Column[];
  readonly signal?: AbortSignal | undefined;
}

/** Reads agents from a CSV with the columns agent, email and name, in any order; other columns are ignored. */
export async function* readAgentList(file: FileHandle, options: ListOptions): AsyncGenerator<AgentLine> {
  const { name, needed, signal } = options;
  const text = await openText(file, name);
  const rows = await openCsv(text, { name });
  const at = findColumns(rows.columns, options);
  const cellOf = (cells: readonly string[], place: number) => (cells[place] ?? "").trim();
  for await (const batch of rows.read(signal))
    for (const { line, cells, defect } of batch) {
      const read = { agent: cellOf(cells, at.agent), email: cellOf(cells, at.email), name: cellOf(cells, at.name) };
      const problem = defect ? { wrong: defect.detail, fix: defect.fix } : findProblem(read, needed);
      yield problem ? { line, ...problem } : { line, ...read };
    }
}

const missing: Readonly<Record<Column, string>> = {
  agent: "the agent is missing",
  email: "the email address is missing",
  name: "the name is missing",
};

function findProblem(
  read: Readonly<Record<Column, string>>,
  needed: readonly Column[],
): { wrong: string; fix: string } | undefined {
  for (const [column, value] of Object.entries(read)) {
    const problem = nameProblem(value, column);
    if (problem?.code === "text_broken")
      return { wrong: `unreadable character in ${quote(value)}`, fix: "Save the file as UTF-8 and correct it." };
    if (problem) return { wrong: `${quote(value)} contains control characters`, fix: "Remove them." };
  }
  const empty = needed.find((column) => read[column] === "");
  if (empty) return { wrong: missing[empty], fix: "Fill it in, or remove the line." };
  const problem = emailProblem(read.email);
  if (problem) return { wrong: `${quote(read.email)}, ${problem}`, fix: "Correct the address." };
  if (read.name.length <= maxNameLength) return undefined;
  return {
    wrong: `the name has ${read.name.length} characters; the maximum is ${maxNameLength}: ${quote(read.name)}`,
    fix: "Shorten it.",
  };
}

function findColumns(header: readonly string[], { name, needed }: ListOptions): Record<Column, number> {
  const plain = header.map(normalizeName);
  const place = (column: Column) =>
    plain.findIndex((title) => (columnNames[column] as readonly string[]).includes(title));
  const at = { agent: place("agent"), email: place("email"), name: place("name") };
  const absent = needed.filter((column) => at[column] < 0);
  if (absent.length === 0) return at;
  throw unusable(
    `${name} has no column ${absent.join(" and no column ")}. Its first line is: ${header.join(", ").slice(0, 200)}`,
    'Add a header line with the columns "agent", "email" and "name".',
  );
}

const unusable = (detail: string, fix: string) => new ManifestError([{ code: "agents_file_wrong", detail, fix }]);
