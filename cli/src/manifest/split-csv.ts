import { type Defect, quote } from "./finding-codes.ts";
import { mostRowCharacters, type Row, tooLong } from "./rows.ts";

/**
 * Cuts text that comes in pieces into the records of a CSV. Written here because line numbers have to be those that an
 * editor shows, also after cells with line breaks and after a quote that is never closed.
 */
export function splitCsv(separator: string) {
  /** What has come and is not cut yet; it begins with a record. */
  let text = "";
  let line = 1;
  /** Within a line that is too long to be kept: everything up to its end is let go. */
  let skipping = false;

  function take(chunk: string, last: boolean): Row[] {
    text = text === "" ? chunk : text + chunk;
    if (line === 1 && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    const look = { text, last, carriages: text.includes("\r") };
    const rows: Row[] = [];
    let at = 0;
    let quoteAt = text.indexOf('"');
    while (at < text.length) {
      if (skipping) {
        const end = endOfLine(look, at);
        at = end?.next ?? text.length;
        if (end) line++;
        skipping = !end;
        continue;
      }
      if (quoteAt !== -1 && quoteAt < at) quoteAt = text.indexOf('"', at);
      const end = endOfLine(look, at);
      const plain = end !== undefined && (quoteAt === -1 || quoteAt >= end.at);
      if (plain) {
        if (end.at - at > mostRowCharacters) rows.push({ line, cells: [], defect: tooLong() });
        else if (end.at > at) rows.push({ line, cells: text.slice(at, end.at).split(separator) });
        line++;
        at = end.next;
        continue;
      }
      const record = quoteAt === -1 ? undefined : readRecord(look, at, separator);
      if (record === undefined && text.length - at <= mostRowCharacters) break;
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

/** What is looked at: the text that is here, whether it is the last, and whether lines may end with a carriage return. */
interface Look {
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

/** Where a line ends and the next begins; undefined: not in what has come so far. */
function endOfLine({ text, last, carriages }: Look, from: number): { at: number; next: number } | undefined {
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

/** One record with quotes in it; undefined: its end has not come. */
function readRecord(look: Look, start: number, separator: string): Record | undefined {
  const { text, last } = look;
  const cells: string[] = [];
  let lines = 1;
  let at = start;
  for (;;) {
    if (text[at] === '"') {
      const cell = readQuoted(text, at);
      if (!cell) return last ? alone(look, start, unclosed()) : undefined;
      // What follows the closing quote decides, so it has to be here.
      if (cell.next + 1 >= text.length && !last) return undefined;
      cells.push(cell.value);
      lines += cell.breaks;
      at = cell.next;
      while (text[at] === " ") at++;
      const next = text[at];
      if (next !== undefined && next !== separator && next !== "\n" && next !== "\r")
        return endOfLine(look, start) && alone(look, start, misplaced(text.slice(at, at + 20)));
    } else {
      const end = endOfLine(look, at);
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
    const end = endOfLine(look, at);
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

/** A line whose quotes are wrong stands for itself: the next line is a row again, whatever the quotes say. */
function alone(look: Look, start: number, defect: Defect): Record {
  const { text } = look;
  const end = endOfLine({ ...look, last: true }, start) ?? { at: text.length, next: text.length };
  return { cells: [text.slice(start, end.at)], lines: 1, next: end.next, defect };
}

const unclosed = (): Defect => ({
  code: "quote_unclosed",
  detail: "A quote opens in this line and is never closed.",
  fix: 'Close it, or double it ("") if it is a part of the text.',
});

const misplaced = (after: string): Defect => ({
  code: "quote_misplaced",
  detail: `A quote ends a cell in this row and the cell goes on: ${quote(after)}.`,
  fix: 'Double the quotes that are a part of the text (""), or close the quote that is open.',
});
