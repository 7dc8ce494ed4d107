import { type Defect, isDefect, quote } from "./finding-codes.ts";
import type { Templates } from "./mapping.ts";

/** What a mapping says a value is made of: text, and columns in braces. */
export interface Template {
  /** Places of the columns that are used. */
  readonly uses: readonly number[];
  readonly fill: (cells: readonly string[]) => string;
}

type Part = (cells: readonly string[]) => string;

/** What two names have in common that a person would call the same. */
export const plainName = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** The place of a column: by its exact name, otherwise without case, accents, spaces and underscores. */
export function placeOf(name: string, columns: readonly string[]): number {
  const exact = columns.indexOf(name);
  if (exact >= 0 || plainName(name) === "") return exact;
  const alike = columns.flatMap((column, at) => (plainName(column) === plainName(name) ? [at] : []));
  return alike.length === 1 ? (alike[0] ?? -1) : -1;
}

/** Compiles one template, or several of which the first that is not empty counts. */
export function compileTemplates(templates: Templates, field: string, columns: readonly string[]): Template | Defect {
  if (typeof templates === "string") return compileTemplate(templates, field, columns);
  const compiled: Template[] = [];
  for (const template of templates) {
    const one = compileTemplate(template, field, columns);
    if (isDefect(one)) return one;
    compiled.push(one);
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
    const place = placeOf(name.trim(), columns);
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
      detail: `The regular expression /${source}/ for ${quote(field)} cannot be used: ${error instanceof Error ? error.message : error}.`,
      fix: "Correct it; in a JSON file every backslash is written twice.",
      column: field,
    };
  }
}

const badTemplate = (template: string, field: string): Defect => ({
  code: "mapping_template_bad",
  detail: `The template ${quote(template)} for ${quote(field)} cannot be read.`,
  fix: "Write columns in braces, such as {start}, and with a part of it as {start|/(\\d+)/}; a slash within the expression as \\/.",
  column: field,
});

const noColumn = (name: string, field: string, columns: readonly string[]): Defect => ({
  code: "mapping_column_missing",
  detail: `The mapping takes ${quote(field)} from a column ${quote(name)}, and there is no such column.`,
  fix: `Choose one of these: ${listed(columns)}.`,
  column: name,
});

/** Names for a message, not more than a person reads. */
export const listed = (names: readonly string[]): string =>
  names.length > 20 ? `${names.slice(0, 20).join(", ")} and ${names.length - 20} more` : names.join(", ");
