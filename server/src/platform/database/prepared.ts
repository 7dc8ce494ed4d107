import { CompiledQuery } from "kysely";
import type { Db } from "./database.ts";

const texts = new WeakMap<TemplateStringsArray, string>();

/** The statement with $1, $2, … for its values, made once: the pieces of a template are the same array every time. */
function textOf(name: string, pieces: TemplateStringsArray): string {
  const known = texts.get(pieces);
  if (known) return known;
  // The comment tells the connection to prepare it (preparing-client.ts).
  const text = `/* prepared: ${name} */${pieces.map((piece, index) => (index === 0 ? piece : `$${index}${piece}`)).join("")}`;
  texts.set(pieces, text);
  return text;
}

/**
 * Runs a statement of the hot path: its text is put together once, and PostgreSQL plans it once a connection.
 * Use it as a tag: prepared<Row>(db, "find-target")`select … where id = ${id}`.
 */
export function prepared<Row>(db: Db, name: string) {
  return async (pieces: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> => {
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(textOf(name, pieces), values));
    return rows;
  };
}

/** A statement put together from pieces, with its values by name. */
export interface Statement {
  readonly text: string;
  readonly names: readonly string[];
}

/** Makes a statement of the hot path out of a text with :names for its values. The same name is always the same text. */
export function statement(name: string, text: string): Statement {
  const names: string[] = [];
  const numbered = text.replace(/(?<!:):([a-zA-Z]+)/g, (_, value: string) => {
    if (!names.includes(value)) names.push(value);
    return `$${names.indexOf(value) + 1}`;
  });
  return { text: `/* prepared: ${name} */${numbered}`, names };
}

/** Runs it with the values that it names. */
export async function runStatement<Row>(
  db: Db,
  { text, names }: Statement,
  values: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>(
    CompiledQuery.raw(
      text,
      names.map((name) => values[name]),
    ),
  );
  return rows;
}
