/** A text that somebody wrote, or a number of ours. */
export type Cell = string | number | null;

/**
 * What a spreadsheet may take for a formula: the signs that begin one, in all their widths, also behind blanks and
 * invisible characters, which some programs pass over; control characters, which some cut off; and our own mark.
 */
const dangerous = /^(?:['\p{Cc}]|[\p{C}\p{Z}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

/** The text with an apostrophe before it if it could be taken for a formula; taking one away gives the text back. */
export const neutralise = (text: string): string => (dangerous.test(text) ? `'${text}` : text);

const needsQuotes = /[",;\r\n]|^\s|\s$/;

function toField(cell: Cell): string {
  if (typeof cell !== "string") return cell === null ? "" : String(cell);
  const text = neutralise(cell);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One record of a CSV file (RFC 4180). */
export const toCsvLine = (cells: readonly Cell[], separator: "," | ";"): string =>
  `${cells.map(toField).join(separator)}\r\n`;
