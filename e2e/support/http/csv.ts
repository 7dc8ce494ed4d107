/** Strict RFC 4180 parser. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length; ) {
    const quoted = /"((?:[^"]|"")*)"/y;
    const plain = /[^",\r\n]*/y;
    quoted.lastIndex = plain.lastIndex = at;
    const found = quoted.exec(text) ?? plain.exec(text);
    row.push(found?.[1]?.replaceAll('""', '"') ?? found?.[0] ?? "");
    at += found?.[0].length ?? 0;
    if (text[at] === ",") at += 1;
    else if (text.startsWith("\r\n", at)) {
      at += 2;
      rows.push(row);
      row = [];
    } else throw new Error(`invalid CSV at character ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
  }
  if (row.length > 0) throw new Error("the file ends within a line");
  return rows;
}

/** Removes the escaping described in docs/exports.md: an apostrophe at the start and after each possible cell start. */
export const restoreCell = (cell: string): string => cell.replace(/(?<=^|[;\t|"\n]|\r(?!\n))'/g, "");
