/** User-written text, or a number computed by the service. */
export type Cell = string | number | null;
export type Separator = "," | ";";

/**
 * Text that a spreadsheet may evaluate as a formula (CSV injection): a formula sign in any width, also after blanks and
 * invisible characters, which some programs skip; control characters, which some strip; and the escape character
 * itself.
 */
const signs = "=+\\-@＝＋－＠﹦﹢﹣﹫";
const dangerous = new RegExp(`^(?:['\\p{Cc}]|[\\p{C}\\p{Z}]*[${signs}])`, "u");

/**
 * Positions inside a cell at which a program that uses another separator or ignores quotes would start a new cell:
 * after such a separator, a line break or a quote, if a formula follows.
 */
const innerCellStart = (otherSeparators: string) =>
  new RegExp(`(?<=[${otherSeparators}"\\n]|\\r(?!\\n))(?=['\\t]|\\r(?!\\n)|[\\p{C}\\p{Z}]*[${signs}])`, "gu");
const inner = { ",": innerCellStart(";\\t|"), ";": innerCellStart(",\\t|") } as const;

/**
 * Inserts an apostrophe wherever the text could be evaluated as a formula. Existing apostrophes in such positions are
 * doubled, so removing one from each position restores the text.
 */
export function neutralise(text: string, separator: Separator): string {
  const marked = text.replace(inner[separator], "'");
  return dangerous.test(text) ? `'${marked}` : marked;
}

const needsQuotes = /[",;\r\n]|^\s|\s$/;

function toField(cell: Cell, separator: Separator): string {
  if (typeof cell !== "string") return cell === null ? "" : String(cell);
  const text = neutralise(cell, separator);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One record of a CSV file (RFC 4180). */
export const toCsvLine = (cells: readonly Cell[], separator: Separator): string =>
  `${cells.map((cell) => toField(cell, separator)).join(separator)}\r\n`;
