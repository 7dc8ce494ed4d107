import type { Change } from "@hearback/scoring/compare-versions";
import { sanitize } from "../terminal/text-width.ts";

const maxLength = 80;

/** A change in one line: "question greeting: weight 4 → 6". */
export function formatChange(change: Change): string {
  const { kind, field, before, after } = change;
  const name = nameOf(change);
  if (kind === "moved" && field === "section") return sanitize(`${name}: moved from section ${before} to ${after}`);
  if (kind !== "changed") return sanitize(`${name}: ${kind}`);
  return sanitize(`${name}: ${field === undefined ? "" : `${field} `}${formatValue(before)} → ${formatValue(after)}`);
}

const nameOf = ({ subject, id, question }: Change) =>
  question === undefined ? `${subject} ${id}` : `${subject} ${id} of question ${question}`;

function formatValue(value: unknown): string {
  if (value === undefined) return "(none)";
  const text = JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}
