import { expect, test } from "vitest";
import type { Row } from "./rows.ts";
import { splitCsv } from "./split-csv.ts";

/** Splits the text in chunks, so that tests cover every chunk boundary. */
function split(text: string, separator = ",", chunkSize = text.length): Row[] {
  const csv = splitCsv(separator);
  const cut: Row[][] = [];
  for (let at = 0; at < text.length; at += chunkSize) cut.push(csv.write(text.slice(at, at + chunkSize)));
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
    "a last line without a line break",
    "a,b\nc,d",
    [
      [1, ["a", "b"]],
      [2, ["c", "d"]],
    ],
  ],
  [
    "Windows line endings",
    "a,b\r\n\r\nc,d\r\n",
    [
      [1, ["a", "b"]],
      [3, ["c", "d"]],
    ],
  ],
  [
    "classic Mac line endings",
    "a,b\rc,d\r",
    [
      [1, ["a", "b"]],
      [2, ["c", "d"]],
    ],
  ],
  ["a byte order mark", "\ufeffa,b\n", [[1, ["a", "b"]]]],
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
    "a Windows line break in quotes",
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
    "an unclosed quote",
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
] as const)("splits %s", (_, text, rows) => {
  for (let chunkSize = 1; chunkSize <= text.length; chunkSize++)
    expect(short(split(text, ",", chunkSize))).toEqual(rows);
});

test("skips a line that is too long", () => {
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

test("an unclosed quote affects only its own line", () => {
  const rows = split(`"a,b\n${"c,d\n".repeat(400_000)}`, ",", 65_536);
  expect(rows).toHaveLength(400_001);
  expect(rows.at(-1)).toEqual({ line: 400_001, cells: ["c", "d"] });
});
