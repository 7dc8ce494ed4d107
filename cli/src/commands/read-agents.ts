import { open } from "node:fs/promises";
import { basename } from "node:path";
import { emailProblem } from "../manifest/check-values.ts";
import { openText } from "../manifest/open-text.ts";
import { openCsv } from "../manifest/read-csv.ts";
import { plainName } from "../manifest/template.ts";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";

/** One agent of a list, or why this line is none. */
export type AgentLine =
  | { readonly line: number; readonly email: string; readonly name: string }
  | { readonly line: number; readonly wrong: string };

const columnNames = {
  email: ["email", "agentemail", "mail", "courriel"],
  name: ["name", "agentname", "fullname", "nom", "nomagent"],
} as const;

/** The agents of a CSV with the columns email and name, in any order and among others, line by line. */
export async function* readAgents(path: string, signal: AbortSignal): AsyncGenerator<AgentLine, void, undefined> {
  const file = await open(path);
  try {
    const name = basename(path);
    const text = await openText(file, name);
    // Of an agent's name that was read in the wrong encoding nobody would ever know.
    if (text.guessed) throw unusable(`${path} is not encoded in UTF-8.`, "Save it as CSV UTF-8.");
    const rows = await openCsv(text, { name });
    const at = findColumns(path, rows.columns);
    const seen = new Map<string, number>();
    for await (const batch of rows.read(signal))
      for (const { line, cells, defect } of batch) {
        if (defect) yield { line, wrong: `${defect.detail} ${defect.fix}` };
        else yield readLine(line, (cells[at.email] ?? "").trim(), (cells[at.name] ?? "").trim(), seen);
      }
  } finally {
    await file.close();
  }
}

function readLine(line: number, email: string, name: string, seen: Map<string, number>): AgentLine {
  if (`${email}${name}`.includes("\ufffd")) return { line, wrong: "a letter cannot be read: save the file as UTF-8" };
  if (email === "") return { line, wrong: "there is no e-mail address" };
  const problem = emailProblem(email);
  if (problem !== undefined) return { line, wrong: `"${email}", ${problem}` };
  if (name === "") return { line, wrong: `there is no name for ${email}` };
  const before = seen.get(email.toLowerCase());
  if (before !== undefined) return { line, wrong: `${email} stands in line ${before} already` };
  seen.set(email.toLowerCase(), line);
  return { line, email, name };
}

function findColumns(path: string, header: readonly string[]): { email: number; name: number } {
  const plain = header.map(plainName);
  const find = (names: readonly string[]) => plain.findIndex((title) => names.includes(title));
  const columns = { email: find(columnNames.email), name: find(columnNames.name) };
  const missing = (["email", "name"] as const).filter((column) => columns[column] < 0);
  if (missing.length === 0) return columns;
  throw unusable(
    `${path} has no column ${missing.join(" and no column ")}; its first line is: ${header.join(", ").slice(0, 200)}`,
    "Its first line names the columns: email,name (or agent,email,name).",
  );
}

const unusable = (message: string, fix: string) =>
  new CommandError(message, { exitCode: exitCodes.usage, code: "agents_file_unusable", fix });
