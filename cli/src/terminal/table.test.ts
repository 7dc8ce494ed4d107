import { expect, test } from "vitest";
import { openStyle } from "./style.ts";
import { type Column, layOutTable } from "./table.ts";
import { textWidth } from "./text-width.ts";

interface Call {
  readonly agent: string;
  readonly lasts: string;
  readonly id: string;
}
const columns: readonly Column<Call>[] = [
  { title: "agent", cell: ({ agent }) => agent, minWidth: 8 },
  { title: "lasts", cell: ({ lasts }) => lasts, right: true, rank: 1 },
  { title: "id", cell: ({ id }) => id, rank: 2 },
];
const calls: readonly Call[] = [
  { agent: "ann@example.com", lasts: "20 s", id: "01a1d912-0800" },
  { agent: "田中@example.com", lasts: "1 min 40 s", id: "01a1d944-d7d0" },
];
const style = openStyle({ write: () => true }, {});
const draw = (width: number | undefined) => {
  const table = layOutTable(calls, columns, { width, style });
  return [table.head, ...table.lines(calls)];
};

test("fits its cells if there is room", () => {
  expect(draw(80)).toEqual([
    "agent                  lasts  id",
    "ann@example.com         20 s  01a1d912-0800",
    "田中@example.com  1 min 40 s  01a1d944-d7d0",
  ]);
});

test("truncates columns that may shrink first", () => {
  expect(draw(38)).toEqual([
    "agent             lasts  id",
    "ann@exampl…        20 s  01a1d912-0800",
    "田中@examp…  1 min 40 s  01a1d944-d7d0",
  ]);
});

test("drops columns if truncation is not enough", () => {
  expect(draw(24)[0]).toBe("agent              lasts");
  expect(draw(10)).toEqual(["agent", "ann@examp…", "田中@exam…"]);
});

test.each([10, 17, 25, 31, 60])("every line fits into %d columns", (width) => {
  expect(Math.max(...draw(width).map(textWidth))).toBeLessThanOrEqual(width);
});

test("truncates nothing in a file, including later rows", () => {
  const table = layOutTable(calls, columns, { width: undefined, style });
  expect(table.lines([{ agent: "a-much-longer-name@example.com", lasts: "1 s", id: "2" }])[0]).toContain(
    "a-much-longer-name@example.com",
  );
});

test("replaces control characters in cells", () => {
  const table = layOutTable([{ agent: "\x1b]0;title\x07", lasts: "", id: "" }], columns, { width: 80, style });
  expect(table.lines([{ agent: "\x1b]0;title\x07", lasts: "", id: "" }]).join("")).not.toContain("\x1b");
});
