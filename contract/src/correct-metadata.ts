type Entry = { key: string; value: string };

/** Longer corrections are not shown in full. */
const maxLength = 300;

/** Returns the metadata that was probably meant, as an array of entries with texts; undefined: it cannot be guessed. */
export function correctMetadata(sent: unknown): Entry[] | undefined {
  if (typeof sent === "string") return correctMetadata(parsed(sent));
  if (typeof sent !== "object" || sent === null) return undefined;
  const single = Array.isArray(sent) ? undefined : keyAndValue(sent);
  const entries = Array.isArray(sent) ? sent.map(correctEntry) : single ? [single] : Object.entries(sent).map(asEntry);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

/** Returns the entry that was probably meant by [key, value], {key: value} or one with numbers or other members. */
export function correctEntry(sent: unknown): Entry | undefined {
  if (typeof sent !== "object" || sent === null) return undefined;
  if (Array.isArray(sent)) return sent.length === 2 ? asEntry([sent[0], sent[1]]) : undefined;
  const members = Object.entries(sent);
  return keyAndValue(sent) ?? (members[0] && members.length === 1 ? asEntry(members[0]) : undefined);
}

/** A text between double quotes instead of single ones is probably Python's or JavaScript's notation. */
export const withDoubleQuotes = (text: string): unknown => parsed(text.replaceAll("'", '"'));

/** JSON text of a correction for an error message. */
export function showCorrection(corrected: Entry | readonly Entry[]): string {
  const text = JSON.stringify(corrected);
  if (text.length <= maxLength) return `: send ${text}`;
  const [first] = [corrected].flat() as Entry[];
  const one = JSON.stringify(first);
  return Array.isArray(corrected) && one.length <= maxLength ? `: send [${one}, …]` : "";
}

function keyAndValue(sent: object): Entry | undefined {
  const members = new Map(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value as unknown]));
  return members.has("key") && members.has("value") ? asEntry([members.get("key"), members.get("value")]) : undefined;
}

function asEntry([key, value]: readonly unknown[]): Entry | undefined {
  const [keyText, valueText] = [textOf(key), textOf(value)];
  return keyText && valueText !== undefined ? { key: keyText, value: valueText } : undefined;
}

function textOf(value: unknown): string | undefined {
  if (value === null) return "";
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
