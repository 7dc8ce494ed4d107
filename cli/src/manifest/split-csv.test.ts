import { expect, test } from "vitest";
import type { Row } from "./rows.ts";
import { splitCsv } from "./split-csv.ts";

/** Cut in pieces of every size, so that each boundary falls everywhere. */
function split(text: string, separator = ",", pieces = text.length): Row[] {
  const csv = splitCsv(separator);
  const cut: Row[][] = [];
  for (let at = 0; at < text.length; at += pieces) cut.push(csv.write(text.slice(at, at + pieces)));
  return [...cut, csv.end()].flat();
}

const short = (rows: readonly Row[]) => rows.map(({ line, cells, defect }) => [line, defect?.code ?? cells]);

test.each([
  [
    "plain lines",
    "a,b\nc,d\n",
    [
      [1, ["a", "b"]],
      [2, ["c", "d"]],
    ],
  ],
  [
    "a last line without its end",
    "a,b\nc,d",
    [
      [1, ["a", "b"]],
      [2, ["c", "d"]],
    ],
  ],
  [
    "ends of Windows",
    "a,b\r\n\r\nc,d\r\n",
    [
      [1, ["a", "b"]],
      [3, ["c", "d"]],
    ],
  ],
  [
    "ends of old Macs",
    "a,b\rc,d\r",
    [
      [1, ["a", "b"]],
      [2, ["c", "d"]],
    ],
  ],
  ["a mark at the beginning", "\ufeffa,b\n", [[1, ["a", "b"]]]],
  ["quotes", '"a","b ""c"" d"\n', [[1, ["a", 'b "c" d']]]],
  ["an empty cell in quotes", '"",b\n', [[1, ["", "b"]]]],
  ["a separator in quotes", '"a,b",c\n', [[1, ["a,b", "c"]]]],
  [
    "a line break in quotes",
    '"a\nb",c\nd,e\n',
    [
      [1, ["a\nb", "c"]],
      [3, ["d", "e"]],
    ],
  ],
  [
    "a line break of Windows in quotes",
    '"a\r\nb",c\r\nd,e\r\n',
    [
      [1, ["a\r\nb", "c"]],
      [3, ["d", "e"]],
    ],
  ],
  [
    "an empty last cell",
    'a,\n"b",\n',
    [
      [1, ["a", ""]],
      [2, ["b", ""]],
    ],
  ],
  [
    "a quote within a plain cell",
    'a,5" pipe,b\nc,d,e\n',
    [
      [1, ["a", '5" pipe', "b"]],
      [2, ["c", "d", "e"]],
    ],
  ],
  ["spaces after a quote", '"a" ,b\n', [[1, ["a", "b"]]]],
  [
    "a quote that is never closed",
    'a,b\n"c,d\ne,f\n',
    [
      [1, ["a", "b"]],
      [2, "quote_unclosed"],
      [3, ["e", "f"]],
    ],
  ],
  [
    "a quote that the next row's quote closes",
    '"c,d\n"e",f\n',
    [
      [1, "quote_misplaced"],
      [2, ["e", "f"]],
    ],
  ],
  [
    "quotes in quotes",
    '"the "best" one",b\nc,d\n',
    [
      [1, "quote_misplaced"],
      [2, ["c", "d"]],
    ],
  ],
] as const)("takes %s", (_, text, rows) => {
  for (let pieces = 1; pieces <= text.length; pieces++) expect(short(split(text, ",", pieces))).toEqual(rows);
});

test("lets a line go that has no end, and goes on after it", () => {
  const long = "x".repeat(3 * 1024 * 1024);
  expect(short(split(`a,b\n${long}\nc,d\n`, ",", 65_536))).toEqual([
    [1, ["a", "b"]],
    [2, "row_too_long"],
    [3, ["c", "d"]],
  ]);
  expect(short(split(`a,b\n"${long}\nc,d\n`, ",", 65_536)).slice(0, 3)).toEqual([
    [1, ["a", "b"]],
    [2, "quote_unclosed"],
    [3, ["c", "d"]],
  ]);
});

test("an open quote costs its own line and none of the million after it", () => {
  const rows = split(`"a,b\n${"c,d\n".repeat(400_000)}`, ",", 65_536);
  expect(rows).toHaveLength(400_001);
  expect(rows.at(-1)).toEqual({ line: 400_001, cells: ["c", "d"] });
});
