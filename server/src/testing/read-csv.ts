/** Strict RFC 4180 parser, independent of the writer under test. */
export function readCsv(text: string, separator = ","): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      at += 1;
      for (; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        if (at >= text.length) throw new Error("the file ends inside a quoted cell");
        if (text[at] === '"') at += 1;
        cell += text[at];
      }
      at += 1;
    } else {
      while (at < text.length && text[at] !== separator && text[at] !== "\r" && text[at] !== "\n") {
        if (text[at] === '"') throw new Error("quote in an unquoted cell");
        cell += text[at++];
      }
    }
    row.push(cell);
    if (text[at] === separator) {
      at += 1;
      continue;
    }
    if (text.slice(at, at + 2) !== "\r\n") throw new Error(`the line at ${at} does not end with CRLF`);
    at += 2;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) throw new Error("the file ends in the middle of a line");
  return rows;
}

/** Reverses the escaping described in docs/exports.md: removes the apostrophe at the start and wherever a new cell could start. */
export function restoreCell(cell: string, separator = ","): string {
  const escapes = separator === "," ? /(?<=^|[;\t|"\n]|\r(?!\n))'/g : /(?<=^|[,\t|"\n]|\r(?!\n))'/g;
  return cell.replace(escapes, "");
}
