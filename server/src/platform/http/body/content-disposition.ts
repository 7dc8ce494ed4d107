const parameter = /\s*;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/y;

export interface Disposition {
  readonly name: string | undefined;
  /** Whether the part has a filename. */
  readonly isFile: boolean;
}

/**
 * Parses the Content-Disposition of a form part. File names may contain any characters. Undefined if it is not
 * form-data.
 */
export function parseDisposition(value: unknown): Disposition | undefined {
  // The parser keeps the leading space of a value that arrives in two chunks.
  const header = typeof value === "string" ? value.trim() : "";
  if (!/^form-data(?=[\s;]|$)/i.test(header)) return undefined;
  const found = new Map<string, string>();
  parameter.lastIndex = "form-data".length;
  let end = parameter.lastIndex;
  for (let match = parameter.exec(header); match; match = parameter.exec(header)) {
    const [, name = "", quoted, bare = ""] = match;
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? bare);
    end = parameter.lastIndex;
  }
  if (header.slice(end).trim().replace(/^;$/, "") !== "") return undefined;
  return { name: found.get("name"), isFile: found.has("filename") || found.has("filename*") };
}
