import type { FileHandle } from "node:fs/promises";
import { emailProblem, longestName, nameProblem } from "./check-values.ts";
import { ManifestError, quote } from "./finding-codes.ts";
import { openText } from "./open-text.ts";
import { openCsv } from "./read-csv.ts";
import { plainName } from "./template.ts";

/** One agent of a list, or why this line is none. What the list has no column for is empty. */
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
  /** For messages. */
  readonly name: string;
  /** Without these columns the list cannot be used, and without a value in them a line cannot. */
  readonly needed: readonly Column[];
  readonly signal?: AbortSignal | undefined;
}

/** The agents of a CSV with the columns agent, email and name, in any order and among others, line by line. */
export async function* readAgentList(file: FileHandle, options: ListOptions): AsyncGenerator<AgentLine> {
  const { name, needed, signal } = options;
  const text = await openText(file, name);
  // Of an agent's name that was read in the wrong encoding nobody would ever know.
  if (text.guessed) throw unusable(`${name} is not encoded in UTF-8.`, "Save it as CSV UTF-8.");
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
  agent: "there is no agent",
  email: "there is no e-mail address",
  name: "there is no name",
};

function findProblem(
  read: Readonly<Record<Column, string>>,
  needed: readonly Column[],
): { wrong: string; fix: string } | undefined {
  for (const [column, value] of Object.entries(read)) {
    const problem = nameProblem(value, column);
    if (problem?.code === "text_broken")
      return { wrong: `a letter cannot be read in ${quote(value)}`, fix: "Save the file as UTF-8, and correct it." };
    if (problem) return { wrong: `${quote(value)} has control characters`, fix: "Remove them." };
  }
  const empty = needed.find((column) => read[column] === "");
  if (empty) return { wrong: missing[empty], fix: "Fill it in, or remove the line." };
  const problem = emailProblem(read.email);
  if (problem) return { wrong: `${quote(read.email)}, ${problem}`, fix: "Correct the address." };
  if (read.name.length <= longestName) return undefined;
  return {
    wrong: `the name has ${read.name.length} characters, ${longestName} are the most: ${quote(read.name)}`,
    fix: "Shorten it.",
  };
}

function findColumns(header: readonly string[], { name, needed }: ListOptions): Record<Column, number> {
  const plain = header.map(plainName);
  const place = (column: Column) =>
    plain.findIndex((title) => (columnNames[column] as readonly string[]).includes(title));
  const at = { agent: place("agent"), email: place("email"), name: place("name") };
  const absent = needed.filter((column) => at[column] < 0);
  if (absent.length === 0) return at;
  throw unusable(
    `${name} has no column ${absent.join(" and no column ")}; its first line is: ${header.join(", ").slice(0, 200)}`,
    'Its first line names the columns: "agent", "email" and "name".',
  );
}

const unusable = (detail: string, fix: string) => new ManifestError([{ code: "agents_file_wrong", detail, fix }]);
