import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { CsvError, parse } from "csv-parse";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";

/** One agent of a list, or why this line is none. */
export type AgentLine =
  | { readonly line: number; readonly email: string; readonly name: string }
  | { readonly line: number; readonly wrong: string };

const columnNames = {
  email: ["email", "e-mail", "agent_email", "mail"],
  name: ["name", "agent_name", "full_name"],
} as const;

/** The agents of a CSV with the columns email and name, in any order and among others, line by line. */
export async function* readAgents(file: string): AsyncGenerator<AgentLine, void, undefined> {
  const separator = await findSeparator(file);
  const rows = createReadStream(file).pipe(
    parse({
      bom: true,
      delimiter: separator,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }),
  );
  let columns: { email: number; name: number } | undefined;
  const seen = new Map<string, number>();
  try {
    for await (const { record, info } of rows as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (columns === undefined) {
        columns = findColumns(file, record);
        continue;
      }
      yield readLine(info.lines, record[columns.email] ?? "", record[columns.name] ?? "", seen);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw unusable(`${file} is no CSV: ${error.message}`, "Save it as CSV, UTF-8.", error);
  }
  if (columns === undefined) throw unusable(`${file} is empty.`, "Its first line names the columns: email,name");
}

function readLine(line: number, email: string, name: string, seen: Map<string, number>): AgentLine {
  if (email.includes("\ufffd") || name.includes("\ufffd")) {
    return { line, wrong: "a letter cannot be read: save the file as UTF-8" };
  }
  if (email === "") return { line, wrong: "there is no e-mail address" };
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) return { line, wrong: `"${email}" is no e-mail address` };
  if (name === "") return { line, wrong: `there is no name for ${email}` };
  const before = seen.get(email.toLowerCase());
  if (before !== undefined) return { line, wrong: `${email} stands in line ${before} already` };
  seen.set(email.toLowerCase(), line);
  return { line, email, name };
}

function findColumns(file: string, header: readonly string[]): { email: number; name: number } {
  const titles = header.map((title) => title.toLowerCase().replaceAll(/[\s_]+/g, "_"));
  const find = (names: readonly string[]) => titles.findIndex((title) => names.includes(title));
  const columns = { email: find(columnNames.email), name: find(columnNames.name) };
  const missing = (["email", "name"] as const).filter((column) => columns[column] < 0);
  if (missing.length === 0) return columns;
  throw unusable(
    `${file} has no column ${missing.join(" and no column ")}; its first line is: ${header.join(", ").slice(0, 200)}`,
    "Its first line names the columns: email,name (or agent,email,name).",
  );
}

/** A spreadsheet separates with what its country separates with. */
async function findSeparator(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    const [first = ""] = buffer.toString("utf8", 0, bytesRead).split(/\r?\n/, 1);
    const counts = [",", ";", "\t"].map((separator) => ({ separator, count: first.split(separator).length }));
    return counts.toSorted((a, b) => b.count - a.count)[0]?.separator ?? ",";
  } finally {
    await handle.close();
  }
}

const unusable = (message: string, fix: string, cause?: unknown) =>
  new CommandError(message, { exitCode: exitCodes.usage, code: "agents_file_unusable", fix }, { cause });
