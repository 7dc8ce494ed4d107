const parameter = /\s*;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/y;

export interface Disposition {
  readonly name: string | undefined;
  /** Sent with a filename, whatever it is called: a file. */
  readonly isFile: boolean;
}

/** Name and kind of a form's part. A file may be called anything, in any script. Undefined: not a form's part at all. */
export function parseDisposition(value: unknown): Disposition | undefined {
  // A value that came in two chunks keeps the space before it.
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
