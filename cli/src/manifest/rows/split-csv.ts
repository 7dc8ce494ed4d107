import { type Defect, quote } from "../finding-codes.ts";
import { maxRowCharacters, type Row, tooLong } from "./rows.ts";

/**
 * Streaming CSV parser. Written here because line numbers must match those of an editor, even after cells with line
 * breaks and after an unclosed quote.
 */
export function splitCsv(separator: string) {
  /** Buffered text. Starts at the beginning of a record. */
  let text = "";
  let line = 1;
  /** Inside a line that is too long: skip to its end. */
  let skipping = false;

  function take(chunk: string, last: boolean): Row[] {
    text = text === "" ? chunk : text + chunk;
    if (line === 1 && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    const input = { text, last, carriages: text.includes("\r") };
    const rows: Row[] = [];
    let at = 0;
    let quoteAt = text.indexOf('"');
    while (at < text.length) {
      if (skipping) {
        const end = endOfLine(input, at);
        at = end?.next ?? text.length;
        if (end) line++;
        skipping = !end;
        continue;
      }
      if (quoteAt !== -1 && quoteAt < at) quoteAt = text.indexOf('"', at);
      const end = endOfLine(input, at);
      const plain = end !== undefined && (quoteAt === -1 || quoteAt >= end.at);
      if (plain) {
        if (end.at - at > maxRowCharacters) rows.push({ line, cells: [], defect: tooLong() });
        else if (end.at > at) rows.push({ line, cells: text.slice(at, end.at).split(separator) });
        line++;
        at = end.next;
        continue;
      }
      const record = quoteAt === -1 ? undefined : readRecord(input, at, separator);
      if (record === undefined && text.length - at <= maxRowCharacters) break;
      if (record === undefined) {
        rows.push({ line, cells: [], defect: quoteAt === -1 ? tooLong() : unclosed() });
        skipping = true;
        continue;
      }
      rows.push({ line, cells: record.cells, defect: record.defect });
      line += record.lines;
      at = record.next;
    }
    text = at === 0 ? text : text.slice(at);
    return rows;
  }

  return { write: (chunk: string) => take(chunk, false), end: () => take("", true) };
}

/** The buffered text, whether it is the last, and whether it contains carriage returns. */
interface Input {
  readonly text: string;
  readonly last: boolean;
  readonly carriages: boolean;
}

interface Record {
  readonly cells: string[];
  readonly lines: number;
  readonly next: number;
  readonly defect?: Defect;
}

/** End of a line and start of the next; undefined if the line is incomplete. */
function endOfLine({ text, last, carriages }: Input, from: number): { at: number; next: number } | undefined {
  const feed = text.indexOf("\n", from);
  const end = feed === -1 ? text.length : feed;
  const carriage = carriages ? text.indexOf("\r", from) : -1;
  if (carriage === -1 || carriage >= end) {
    if (feed === -1) return last ? { at: end, next: end } : undefined;
    return { at: feed, next: feed + 1 };
  }
  if (carriage + 1 === text.length && !last) return undefined;
  return { at: carriage, next: text[carriage + 1] === "\n" ? carriage + 2 : carriage + 1 };
}

/** Reads a record with quotes; undefined if it is incomplete. */
function readRecord(input: Input, start: number, separator: string): Record | undefined {
  const { text, last } = input;
  const cells: string[] = [];
  let lines = 1;
  let at = start;
  for (;;) {
    if (text[at] === '"') {
      const cell = readQuoted(text, at);
      if (!cell) return last ? singleLine(input, start, unclosed()) : undefined;
      // The character after the closing quote decides.
      if (cell.next + 1 >= text.length && !last) return undefined;
      cells.push(cell.value);
      lines += cell.breaks;
      at = cell.next;
      while (text[at] === " ") at++;
      const next = text[at];
      if (next !== undefined && next !== separator && next !== "\n" && next !== "\r")
        return endOfLine(input, start) && singleLine(input, start, misplaced(text.slice(at, at + 20)));
    } else {
      const end = endOfLine(input, at);
      const cut = text.indexOf(separator, at);
      if (!end && cut === -1) return undefined;
      const to = end && (cut === -1 || cut > end.at) ? end.at : cut;
      cells.push(text.slice(at, to));
      at = to;
    }
    if (text[at] === separator) {
      at++;
      continue;
    }
    const end = endOfLine(input, at);
    return end && { cells, lines, next: end.next };
  }
}

function readQuoted(text: string, start: number): { value: string; next: number; breaks: number } | undefined {
  let from = start + 1;
  let value = "";
  for (;;) {
    const end = text.indexOf('"', from);
    if (end === -1) return undefined;
    value += text.slice(from, end);
    if (text[end + 1] !== '"') return { value, next: end + 1, breaks: breaksIn(value) };
    value += '"';
    from = end + 2;
  }
}

const breaksIn = (value: string) => (/[\r\n]/.test(value) ? (value.match(/\r\n|\r|\n/g)?.length ?? 0) : 0);

/** A line with invalid quotes becomes a record of its own, so that the next line is read normally. */
function singleLine(input: Input, start: number, defect: Defect): Record {
  const { text } = input;
  const end = endOfLine({ ...input, last: true }, start) ?? { at: text.length, next: text.length };
  return { cells: [text.slice(start, end.at)], lines: 1, next: end.next, defect };
}

const unclosed = (): Defect => ({
  code: "quote_unclosed",
  detail: "A quote opened on this line is never closed.",
  fix: 'Close it, or double it ("") if it is part of the text.',
});

const misplaced = (after: string): Defect => ({
  code: "quote_misplaced",
  detail: `Text follows a closing quote: ${quote(after)}.`,
  fix: 'Double the quotes that are part of the text (""), or close the open quote.',
});
