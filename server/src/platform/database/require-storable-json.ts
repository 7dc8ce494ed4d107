import { fieldInvalid } from "../errors.ts";

const maxDepth = 30;

/** Throws if PostgreSQL cannot store a JSON value unchanged: too deep, or text with NUL characters or broken Unicode. */
export function requireStorableJson(part: string, value: unknown): void {
  const problem = find(value, 0);
  if (problem) throw fieldInvalid(part, "not_storable", `${part} ${problem}.`);
}

function find(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return isStorable(value) ? undefined : brokenText;
  if (typeof value !== "object" || value === null) return undefined;
  if (depth >= maxDepth) return `must not be nested more than ${maxDepth} levels deep`;
  for (const [name, member] of Object.entries(value)) {
    const problem = isStorable(name) ? find(member, depth + 1) : brokenText;
    if (problem) return problem;
  }
  return undefined;
}

const brokenText = "must not contain NUL characters or broken Unicode";
const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();
