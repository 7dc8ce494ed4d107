export interface EnvironmentFile {
  readonly settings: Readonly<Record<string, string>>;
  /** Numbers of the lines that are neither NAME=value nor a comment. */
  readonly ignored: readonly number[];
}

const validName = /^[A-Za-z_][A-Za-z0-9_]*$/;

// Sticky, so that each continues where the previous one ended.
const empty = () => /(?:[ \t\r\n]+|[#;][^\r\n]*)*/y;
const name = () => /[^=\r\n]*/y;
const quoted = () => /[ \t]*(?:'([^']*)(?:'|$)|"((?:[^"\\]|\\.)*)(?:"|\\?$))/sy;
const bare = () => /[ \t]*((?:[ \t]*(?:[^\\ \t\r\n]|\\.?))*)/sy;

/**
 * Reads settings as systemd reads an EnvironmentFile, so that a command gets the same settings as the services. Nothing is
 * expanded or executed, unlike in a shell.
 */
export function parseEnvironmentFile(text: string): EnvironmentFile {
  const settings: Record<string, string> = {};
  const ignored: number[] = [];
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    at += found?.[0].length ?? 0;
    return found;
  };
  for (take(empty()); at < text.length; take(empty())) {
    const start = at;
    const key = take(name())?.[0].trimEnd() ?? "";
    const isAssignment = text[at] === "=";
    if (isAssignment) at += 1;
    const value = isAssignment ? takeValue(take) : "";
    if (isAssignment && validName.test(key)) settings[key] = value;
    else ignored.push(text.slice(0, start).split("\n").length);
  }
  return { settings, ignored };
}

/** Quotes have a meaning only at the start of a value and after other quotes. */
function takeValue(take: (pattern: RegExp) => RegExpExecArray | null): string {
  let value = "";
  for (let part = take(quoted()); part; part = take(quoted())) {
    const [, single, double = ""] = part;
    value += single ?? double.replace(/\\(.)/gs, unescapeInQuotes);
  }
  return value + (take(bare())?.[1] ?? "").replace(/\\(.?)/gs, (_, next) => (/[\r\n]/.test(next) ? "" : next));
}

/** A backslash before any other character remains. */
function unescapeInQuotes(pair: string, next: string): string {
  if (next === "\n") return "";
  return '"\\`$'.includes(next) ? next : pair;
}
