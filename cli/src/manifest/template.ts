import { type Defect, isDefect, quote } from "./finding-codes.ts";
import type { Templates } from "./mapping.ts";

/** A compiled template: text with columns in braces. */
export interface Template {
  /** Indexes of the columns used. */
  readonly uses: readonly number[];
  readonly fill: (cells: readonly string[]) => string;
}

type Part = (cells: readonly string[]) => string;

/** Normalizes a column name: ignores case, accents, spaces and punctuation. */
export const normalizeName = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Index of a column: by its exact name, otherwise by its normalized name. */
export function columnIndex(name: string, columns: readonly string[]): number {
  const exact = columns.indexOf(name);
  if (exact >= 0 || normalizeName(name) === "") return exact;
  const alike = columns.flatMap((column, at) => (normalizeName(column) === normalizeName(name) ? [at] : []));
  return alike.length === 1 ? (alike[0] ?? -1) : -1;
}

/** Compiles a template, or a list of which the first non-empty result is used. */
export function compileTemplates(templates: Templates, field: string, columns: readonly string[]): Template | Defect {
  if (typeof templates === "string") return compileTemplate(templates, field, columns);
  const compiled: Template[] = [];
  for (const template of templates) {
    const result = compileTemplate(template, field, columns);
    if (isDefect(result)) return result;
    compiled.push(result);
  }
  return {
    uses: compiled.flatMap(({ uses }) => uses),
    fill(cells) {
      for (const { fill } of compiled) {
        const value = fill(cells);
        if (value.trim() !== "") return value;
      }
      return "";
    },
  };
}

/** Compiles "{column}", "{column|/regex/}" and the text around them. */
function compileTemplate(template: string, field: string, columns: readonly string[]): Template | Defect {
  const parts: Part[] = [];
  const uses: number[] = [];
  let rest = template;
  while (rest !== "") {
    const text = /^[^{}]+/.exec(rest)?.[0];
    if (text !== undefined) {
      parts.push(() => text);
      rest = rest.slice(text.length);
      continue;
    }
    const slot = /^\{([^{}|]+)(?:\|\/((?:[^/\\]|\\.)+)\/([a-z]*))?\}/.exec(rest);
    if (!slot) return badTemplate(template, field);
    const [whole, name = "", source, flags] = slot;
    const place = columnIndex(name.trim(), columns);
    if (place < 0) return noColumn(name.trim(), field, columns);
    const part = source === undefined ? cellAt(place) : matching(place, source, flags ?? "", field);
    if (isDefect(part)) return part;
    parts.push(part);
    uses.push(place);
    rest = rest.slice(whole.length);
  }
  const [only] = parts;
  const fill: Part = parts.length === 1 && only ? only : (cells) => parts.map((part) => part(cells)).join("");
  return { uses, fill };
}

const cellAt =
  (place: number): Part =>
  (cells) =>
    (cells[place] ?? "").trim();

function matching(place: number, source: string, flags: string, field: string): Part | Defect {
  try {
    const regex = new RegExp(source, flags.replace(/[gy]/g, ""));
    return (cells) => {
      const match = regex.exec((cells[place] ?? "").trim());
      return match?.[1] ?? (match && match.length === 1 ? match[0] : "");
    };
  } catch (error) {
    return {
      code: "mapping_regex_bad",
      detail: `Invalid regular expression /${source}/ for ${quote(field)}: ${error instanceof Error ? error.message : error}.`,
      fix: "Correct it. In a JSON file, double every backslash.",
      column: field,
    };
  }
}

const badTemplate = (template: string, field: string): Defect => ({
  code: "mapping_template_bad",
  detail: `Invalid template ${quote(template)} for ${quote(field)}.`,
  fix: "Put columns in braces, such as {start}, or {start|/(\\d+)/} for a part of the value. Escape a slash in the expression as \\/.",
  column: field,
});

const noColumn = (name: string, field: string, columns: readonly string[]): Defect => ({
  code: "mapping_column_missing",
  detail: `The mapping reads ${quote(field)} from the column ${quote(name)}, which does not exist.`,
  fix: `Use one of: ${listed(columns)}.`,
  column: name,
});

/** Joins names for a message, at most 20. */
export const listed = (names: readonly string[]): string =>
  names.length > 20 ? `${names.slice(0, 20).join(", ")} and ${names.length - 20} more` : names.join(", ");
