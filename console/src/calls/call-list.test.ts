import type { CallItem, CallPageBody } from "@hearback/sdk";
import { expect, test } from "vitest";
import {
  afterOf,
  callAt,
  hasEnded,
  missingPages,
  newCallsSince,
  pageOf,
  rowOf,
  startList,
  withPage,
  withUpdates,
} from "./call-list.ts";

const call = (id: string, status = "ready") => ({ id, status, metadata: [] }) as unknown as CallItem;
/** Calls n0, n1, … as the API pages through them. */
const answer = (from: number, count: number, next: string | null = `n${from + count - 1}`): CallPageBody => ({
  calls: Array.from({ length: count }, (_, index) => call(`n${from + index}`)),
  next,
});
const read = (pages: number) => {
  let list = startList(answer(0, 100));
  for (let page = 1; page < pages; page++) list = withPage(list, page, answer(page * 100, 100));
  return list;
};

test("keeps the first page and a few around the last one", () => {
  const list = read(100);
  expect(list.rows).toBe(10_000);
  expect([...list.held.keys()].sort((a, b) => a - b)).toEqual([0, 93, 94, 95, 96, 97, 98, 99]);
  expect(callAt(list, 9_950)?.id).toBe("n9950");
  expect(callAt(list, 50)?.id).toBe("n50");
  expect(callAt(list, 5_000)).toBeUndefined();
  expect([rowOf(list, "n9950"), rowOf(list, "n5000")]).toEqual([9_950, undefined]);
});

test("reloads an evicted page from its cursor", () => {
  const list = read(100);
  expect(missingPages(list, { first: 5_000, last: 5_040 })).toEqual([50, 49, 51]);
  expect(afterOf(list, 50)).toBe("n4999");
  const back = withPage(list, 50, answer(5_000, 100));
  expect(callAt(back, 5_010)?.id).toBe("n5010");
  expect([back.rows, back.next]).toEqual([10_000, "n9999"]);
  expect(missingPages(back, { first: 5_000, last: 5_040 })).toEqual([49, 51]);
});

test("discards later pages when calls were inserted", () => {
  const list = withPage(read(20), 10, { ...answer(1_000, 100), next: "n1098" });
  expect([list.rows, list.next, hasEnded(list)]).toEqual([1_100, "n1098", false]);
  expect(missingPages(list, { first: 1_000, last: 1_099 })).toEqual([9]);
});

test("short and empty pages continue the search", () => {
  let list = startList({ calls: [], next: "x1", searched_to: "2026-03-01T00:00:00Z" });
  expect([list.rows, afterOf(list, 0), list.shortAnswers, list.searchedTo]).toEqual([
    0,
    "x1",
    1,
    "2026-03-01T00:00:00Z",
  ]);
  list = withPage(list, 0, { ...answer(0, 3, "x2"), searched_to: "2026-02-01T00:00:00Z" });
  expect([list.rows, afterOf(list, 1), list.shortAnswers]).toEqual([3, "x2", 2]);
  list = withPage(list, 1, { calls: [], next: "x3", searched_to: "2026-01-01T00:00:00Z" });
  expect([list.rows, list.starts.length, afterOf(list, 1), list.shortAnswers]).toEqual([3, 1, "x3", 3]);
  list = withPage(list, 1, answer(3, 100, null));
  expect([list.rows, hasEnded(list), list.shortAnswers, list.searchedTo]).toEqual([103, true, 0, undefined]);
  expect([pageOf(list, 2), pageOf(list, 3), callAt(list, 3)?.id]).toEqual([0, 1, "n3"]);
});

test("updates calls in place and keeps the identity without changes", () => {
  const list = read(2);
  expect(withUpdates(list, [call("n4")])).toBe(list);
  expect(callAt(withUpdates(list, [call("n4", "failed")]), 4)?.status).toBe("failed");
});

test("finds new calls at the top, in between and in an empty list", () => {
  const named = (...ids: string[]) => ids.map((id) => call(id));
  const came = (ids: string[], next: string | null, newest: string[]) =>
    newCallsSince(startList({ calls: named(...ids), next }), named(...newest)).map(({ id }) => id);
  expect(came(["c8", "c6", "c4"], "c4", ["c9", "c8", "c7", "c6", "c4"])).toEqual(["c9", "c7"]);
  expect(came(["c8", "c6", "c4"], "c4", ["c8", "c4", "c3"])).toEqual([]);
  expect(came(["c8", "c6"], null, ["c8", "c6", "c3"])).toEqual(["c3"]);
  expect(came([], null, ["c3"])).toEqual(["c3"]);
  expect(came(["c8"], null, [])).toEqual([]);
});
