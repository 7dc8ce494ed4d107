import { expect, test } from "vitest";
import { keysetPages, toPage } from "./pages.ts";

/** A table of sorted keys that logs the reads. */
function tableOf(...keys: string[]) {
  const reads: string[] = [];
  const read = async (after: string, limit: number) => {
    reads.push(after);
    return keys.filter((key) => key > after).slice(0, limit);
  };
  return { reads, read, keyOf: (key: string) => key };
}

test.each([
  [[], [], ["0"]],
  [["1"], [["1"]], ["0"]],
  [
    ["1", "2", "3"],
    [["1", "2"], ["3"]],
    ["0", "2"],
  ],
  [["1", "2"], [["1", "2"]], ["0", "2"]],
])("reads %j in pages of two", async (keys, pages, reads) => {
  const table = tableOf(...keys);
  const seen: string[][] = [];
  for await (const page of keysetPages({ ...table, pageSize: 2, after: "0" })) seen.push(page);
  expect(seen).toEqual(pages);
  expect(table.reads).toEqual(reads);
});

test("reads no further page after the caller stops", async () => {
  const table = tableOf("1", "2", "3");
  for await (const _ of keysetPages({ ...table, pageSize: 1, after: "0" })) break;
  expect(table.reads).toEqual(["0"]);
});

test("starts before the first UUID and at a key that is added meanwhile", async () => {
  const keys = ["00000000-0000-0000-0000-000000000001"];
  const seen: string[] = [];
  const read = async (after: string, limit: number) => keys.filter((key) => key > after).slice(0, limit);
  for await (const page of keysetPages({ read, keyOf: (key) => key, pageSize: 1 })) {
    seen.push(...page);
    if (keys.length < 3) keys.push(`00000000-0000-0000-0000-00000000000${keys.length + 1}`);
  }
  expect(seen).toEqual(keys);
});

test("the cursor of a page is its last row, and null on the last page", () => {
  const keyOf = (n: number) => n * 10;
  expect(toPage([1, 2, 3], 2, keyOf)).toEqual({ rows: [1, 2], next: 20 });
  expect(toPage([1, 2], 2, keyOf)).toEqual({ rows: [1, 2], next: null });
  expect(toPage([], 2, keyOf)).toEqual({ rows: [], next: null });
});
