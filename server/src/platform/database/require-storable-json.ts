import { fieldInvalid } from "../errors.ts";

const maxDepth = 30;

/**
 * Throws if PostgreSQL cannot store a JSON value unchanged, or not in a reasonable size: too deep, text with NUL characters or
 * broken Unicode, numbers that jsonb writes with hundreds of digits, or more than `maxBytes`.
 */
export function requireStorableJson(part: string, value: unknown, maxBytes: number): void {
  const problem = find(value, 0);
  if (problem) throw fieldInvalid(part, "not_storable", `${part} ${problem}.`);
  if (Buffer.byteLength(JSON.stringify(value)) > maxBytes)
    throw fieldInvalid(part, "too_long", `${part} must have at most ${maxBytes} bytes as JSON.`);
}

function find(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return isStorable(value) ? undefined : brokenText;
  if (typeof value === "number") return isReasonable(Math.abs(value)) ? undefined : extremeNumber;
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
const extremeNumber = "must not contain numbers above 1e15 or closer to 0 than 1e-6";
const isReasonable = (size: number) => size === 0 || (size >= 1e-6 && size <= 1e15);
