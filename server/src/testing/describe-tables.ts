import type pg from "pg";

const camel = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const pascal = (name: string) => camel(`_${name}`);

const types: Record<string, string> = {
  uuid: "string",
  text: "string",
  bytea: "Buffer",
  bool: "boolean",
  int2: "number",
  int4: "number",
  int8: "number",
  date: "Date",
  timestamptz: "Date",
  jsonb: "Json",
  _text: "string[]",
  _uuid: "string[]",
  _int8: "string[]",
  tsvector: "string",
};

interface Column {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
  defaulted: boolean;
}

/** Generates tables.ts: Kysely types for every table of the migrated database. */
export async function describeTables(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<Column>(`
    select c.relname as table, a.attname as column, t.typname as type, not a.attnotnull as nullable,
      a.atthasdef or a.attidentity <> '' as defaulted
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migration'
    order by c.relname, a.attnum`);
  const tables = Map.groupBy(rows, (row) => row.table);
  const interfaces = [...tables].map(([table, columns]) => {
    const fields = columns.map(({ column, type, nullable, defaulted }) => {
      const known = types[type];
      if (!known) throw new Error(`describe-tables.ts has no mapping for the type ${type}`);
      const value = nullable ? `${known} | null` : known;
      // Kysely cannot nest Generated and ColumnType.
      if (known === "Json" && defaulted) return `  ${camel(column)}: DefaultedJson;`;
      return `  ${camel(column)}: ${defaulted ? `Generated<${value}>` : value};`;
    });
    return `export interface ${pascal(table)} {\n${fields.join("\n")}\n}\n`;
  });
  const members = [...tables.keys()].map((table) => `  ${camel(table)}: ${pascal(table)};`);
  return `// Written by "npm run db:types" from the migrations. Do not edit.
import type { ColumnType, Generated } from "kysely";

type Json = ColumnType<unknown, string, string>;
type DefaultedJson = ColumnType<unknown, string | undefined, string>;

${interfaces.join("\n")}
export interface DB {
${members.join("\n")}
}
`;
}
