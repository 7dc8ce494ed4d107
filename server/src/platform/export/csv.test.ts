import { scale } from "@hearback/portable/testing/scale";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readCsv, restoreCell } from "../../testing/read-csv.ts";
import { neutralise, toCsvLine } from "./csv.ts";

const signs = [
  "=",
  "+",
  "-",
  "@",
  "\t",
  "\r",
  "\n",
  "\0",
  "＝",
  "＋",
  "－",
  "＠",
  "'",
  " =",
  "\u200b@",
  "\ufeff+",
  "\u00a0-",
  "\u{18d1f}﹢",
];
const hostile = fc
  .tuple(fc.constantFrom(...signs, ""), fc.string({ unit: "binary", maxLength: 30 }))
  .map(([sign, rest]) => sign + rest);

const formula = /^[\s\p{C}\p{Z}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|^\p{Cc}/u;

test("no cell starts like a formula, and unescaping restores the text", () => {
  fc.assert(
    fc.property(hostile, fc.constantFrom(",", ";"), (text, separator) => {
      const [row] = readCsv(toCsvLine([text, "beside"], separator), separator);
      expect(row).toHaveLength(2);
      const [cell = "", beside] = row ?? [];
      expect(cell).not.toMatch(formula);
      expect(restoreCell(cell, separator)).toBe(text);
      expect(beside).toBe("beside");
    }),
    { numRuns: 10_000 },
  );
});

/** Texts with separators, quotes and line breaks, followed by formula signs. */
const pieces = fc.constantFrom(
  ...signs,
  ";",
  ",",
  "|",
  '"',
  '""',
  "\r\n",
  "x",
  "1+1",
  ";=1+1;",
  "\t=1",
  '";=1',
  "'",
  " ",
);
const mixed = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""));

/** Reads a file as a program with another separator would, with or without support for quotes. */
function readLoosely(text: string, separator: string, quotes: boolean): string[] {
  if (!quotes) return text.split(/\r\n|\r|\n/).flatMap((line) => line.split(separator));
  const cells: string[] = [];
  for (let at = 0; at <= text.length; at += 1) {
    let cell = "";
    const isEnd = () => at >= text.length || text[at] === separator || text[at] === "\r" || text[at] === "\n";
    if (text[at] === '"') {
      for (at += 1; at < text.length && (text[at] !== '"' || text[at + 1] === '"'); at += 1) {
        if (text[at] === '"') at += 1;
        cell += text[at];
      }
      at += 1;
    }
    for (; !isEnd(); at += 1) cell += text[at];
    cells.push(cell);
  }
  return cells;
}

test("no cell starts like a formula in a program with another separator or without quotes", () => {
  // A separate line break or separator is harmless; some programs drop quotes before a sign.
  const begins = /^["\s\p{C}\p{Z}]*[=+\-@＝＋－＠﹦﹢﹣﹫]|^\t/u;
  fc.assert(
    fc.property(fc.array(mixed, { minLength: 1, maxLength: 3 }), fc.constantFrom(",", ";"), (cells, separator) => {
      const line = toCsvLine(cells, separator);
      for (const other of [",", ";", "\t", "|"].filter((candidate) => candidate !== separator)) {
        for (const quotes of [true, false]) {
          for (const cell of readLoosely(line, other, quotes)) expect(cell).not.toMatch(begins);
        }
      }
      const [row = []] = readCsv(line, separator);
      expect(row.map((cell) => restoreCell(cell, separator))).toEqual(cells);
    }),
    { numRuns: scale(2_000, 10_000, 100_000) },
  );
});

test.each([
  ["=1+1", "'=1+1"],
  ["'tis", "''tis"],
  ["Ann", "Ann"],
  ["a=b", "a=b"],
  ["", ""],
  ["  plain", "  plain"],
  ["x;=1+1;y", "x;'=1+1;y"],
  ["one\r\ntwo\n\nthree", "one\r\ntwo\n\nthree"],
  ["x\n=1", "x\n'=1"],
  ["5, -3 or so", "5, -3 or so"],
])("%j is written as %j", (text, written) => {
  expect(neutralise(text, ",")).toBe(written);
});

test("does not escape numbers and writes null as an empty field", () => {
  expect(toCsvLine([-23.5, 0, null, 'say "no"', "a,b"], ",")).toBe('-23.5,0,,"say ""no""","a,b"\r\n');
});
