/** A comment, a quoted string, a dollar-quoted string, or a semicolon. */
const token = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1|;/g;

/** Splits an SQL file into statements and removes comments. Handles quotes and dollar quotes. */
export function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let current = "";
  let from = 0;
  const close = () => {
    if (current.trim() !== "") statements.push(current.trim());
    current = "";
  };
  for (const match of text.matchAll(token)) {
    const [found] = match;
    current += text.slice(from, match.index);
    from = match.index + found.length;
    if (found === ";") close();
    // A comment separates tokens like a space.
    else current += found.startsWith("--") || found.startsWith("/*") ? " " : found;
  }
  current += text.slice(from);
  close();
  return statements;
}
