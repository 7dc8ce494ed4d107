import type { ScorecardDocument, ScorecardInput } from "../document.ts";
import { parseDocument } from "../parse-document.ts";
import type { Problem } from "../problem.ts";

/** Something in a form of another product that has no exact equivalent. */
export interface ImportNote {
  /** JSON pointer into the imported form. */
  readonly where: string;
  readonly what: string;
  readonly instead: string;
}

export type ImportedScorecard =
  | { readonly ok: true; readonly document: ScorecardDocument; readonly notes: readonly ImportNote[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Adds a sentence about what has no equivalent, and one about what was done instead. */
export type Note = (where: string, what: string, instead: string) => void;

/** Validates the converted document. Problems are those of a form that is too large. */
export function finishImport(input: ScorecardInput, notes: readonly ImportNote[]): ImportedScorecard {
  const parsed = parseDocument(input);
  return parsed.ok ? { ok: true, document: parsed.value, notes } : { ok: false, problems: parsed.problems };
}

/** Cuts a text that is too long, and reports it. */
export function shorten(note: Note, where: string, text: string, max: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= max) return trimmed;
  note(where, `The text has more than ${max} characters.`, "It was cut.");
  // Never half of a surrogate pair.
  return `${trimmed.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The passing score of imported forms. Neither Amazon Connect nor Genesys has one. */
export const defaultPassingScore = 80;
