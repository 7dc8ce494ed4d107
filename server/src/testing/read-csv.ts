/** Reads CSV by the letter of RFC 4180: a reader written apart from the writer it tests. */
export function readCsv(text: string, separator = ","): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      at += 1;
      for (; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        if (at >= text.length) throw new Error("the file ends inside quotes");
        if (text[at] === '"') at += 1;
        cell += text[at];
      }
      at += 1;
    } else {
      while (at < text.length && text[at] !== separator && text[at] !== "\r" && text[at] !== "\n") {
        if (text[at] === '"') throw new Error("a quote in a cell without quotes");
        cell += text[at++];
      }
    }
    row.push(cell);
    if (text[at] === separator) {
      at += 1;
      continue;
    }
    if (text.slice(at, at + 2) !== "\r\n") throw new Error(`a line does not end in CRLF at ${at}`);
    at += 2;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) throw new Error("the file ends in the middle of a line");
  return rows;
}
