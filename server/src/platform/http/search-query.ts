import type { Issue } from "@hearback/contract";
import type { z } from "zod";
import { parseFields } from "./parse.ts";

/** Parses a search query: collects `metadata[KEY]` parameters and reports unknown ones. */
export function parseSearchQuery<Schema extends z.ZodObject>(
  schema: Schema,
  query: Readonly<Record<string, unknown>>,
): z.output<Schema> {
  const known = Object.keys(schema.shape);
  const fields: Record<string, unknown> = {};
  const metadata: { key: string; value: unknown }[] = [];
  const alsoWrong: Issue[] = [];
  for (const [name, value] of Object.entries(query)) {
    const key = /^metadata\[(.*)\]$/s.exec(name)?.[1];
    if (key !== undefined) metadata.push(...[value].flat().map((item) => ({ key, value: item })));
    else if (known.includes(name) && name !== "metadata") fields[name] = value;
    else alsoWrong.push(unknownParameter(name, known));
  }
  if (metadata.length > 0) fields.metadata = metadata;
  // Alone, it would match everything.
  if (fields.said_by !== undefined && fields.said === undefined)
    alsoWrong.push({ part: "said_by", code: "said_missing", detail: "said_by needs said: what this side said." });
  return parseFields(schema, fields, { alsoWrong });
}

function unknownParameter(name: string, known: readonly string[]): Issue {
  const part = name.slice(0, 64);
  const names = known.map((field) => (field === "metadata" ? "metadata[KEY]" : field)).join(", ");
  return { part, code: "unknown_parameter", detail: `Unknown parameter "${part}". Valid parameters are ${names}.` };
}
