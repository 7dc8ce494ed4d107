import { CompiledQuery } from "kysely";
import type { Db } from "./database.ts";

const texts = new WeakMap<TemplateStringsArray, string>();

/** Builds the SQL text with $1, $2, … and caches it: a tagged template passes the same array on every call. */
function textOf(name: string, pieces: TemplateStringsArray): string {
  const cached = texts.get(pieces);
  if (cached) return cached;
  // The comment makes the client prepare the statement (prepared-statement-client.ts).
  const text = `/* prepared: ${name} */${pieces.map((piece, index) => (index === 0 ? piece : `$${index}${piece}`)).join("")}`;
  texts.set(pieces, text);
  return text;
}

/**
 * Runs a prepared statement, for hot paths: the text is built once, and PostgreSQL plans it once per connection.
 * Use it as a tag: preparedStatement<Row>(db, "find-target")`select … where id = ${id}`.
 */
export function preparedStatement<Row>(db: Db, name: string) {
  return async (pieces: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> => {
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(textOf(name, pieces), values));
    return rows;
  };
}

/** A prepared statement with named parameters. */
export interface Statement {
  readonly text: string;
  readonly names: readonly string[];
}

/** Builds a prepared statement from a text with :name parameters. A statement name must always have the same text. */
export function statement(name: string, text: string): Statement {
  const names: string[] = [];
  const numbered = text.replace(/(?<!:):([a-zA-Z][a-zA-Z0-9]*)/g, (_, value: string) => {
    if (!names.includes(value)) names.push(value);
    return `$${names.indexOf(value) + 1}`;
  });
  return { text: `/* prepared: ${name} */${numbered}`, names };
}

/** Runs the statement with the values of its named parameters. */
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
