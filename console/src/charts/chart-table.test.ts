import { expect, test } from "vitest";
import { toCsv } from "./chart-table.ts";

test("a table becomes CSV with raw numbers, quoted where needed", () => {
  const rows = [
    { key: "a", cells: [{ text: 'Says "hello", twice' }, { text: "87,35", value: 87.35 }] },
    { key: "b", cells: [{ text: "Farewell" }, { text: "–", value: null }] },
  ];
  expect(toCsv({ columns: [{ title: "Question" }, { title: "Score" }], rows })).toBe(
    'Question,Score\r\n"Says ""hello"", twice",87.35\r\nFarewell,\r\n',
  );
});

test.each(["=1+1", "+1", "-1", "@a"])("the text %s is no formula, and negative numbers stay numbers", (text) => {
  const rows = [{ key: "a", cells: [{ text }, { text: "", value: -2 }] }];
  expect(toCsv({ columns: [], rows })).toBe(`\r\n'${text},-2\r\n`);
});
