/**
 * Canonical JSON (RFC 8785): no white space, members sorted by UTF-16 code units, numbers and strings as ECMAScript writes
 * them. Equal values have equal text. Throws a TypeError for values that JSON cannot represent.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`JSON has no number ${value}`);
    return JSON.stringify(value);
  }
  if (typeof value === "string") return canonicalString(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object") {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${canonicalString(name)}:${canonicalJson(member)}`).join(",")}}`;
  }
  throw new TypeError(`JSON has no ${typeof value}`);
}

function canonicalString(value: string): string {
  if (!value.isWellFormed()) throw new TypeError("JSON text must not contain unpaired surrogates");
  return JSON.stringify(value);
}
