import type { CallItem, CallPageBody, SearchCalls } from "@hearback/sdk";
import { expect, test } from "vitest";
import { findNewerCall, findOlderCall } from "./adjacent-calls.ts";

const minute = 60_000;
const noon = Date.UTC(2026, 10, 15, 12);

/** API over calls at these minutes before noon, newest first. */
const aList = (...minutesBefore: number[]) => aListBy(200, minutesBefore);

/** Same, with at most this many calls per response. */
function aListBy(pageLimit: number, minutesBefore: readonly number[]) {
  const calls = minutesBefore.map((before) => ({ id: `${before}`, at: noon - before * minute }));
  const asked: SearchCalls[] = [];
  const page = async (query: SearchCalls): Promise<CallPageBody> => {
    asked.push(query);
    const start = query.cursor ? calls.findIndex(({ id }) => id === query.cursor) + 1 : 0;
    const found = calls
      .slice(start)
      .filter(({ at }) => at >= (query.from?.getTime() ?? 0) && at < (query.to?.getTime() ?? Number.POSITIVE_INFINITY))
      .slice(0, (query.limit ?? pageLimit) + 1);
    const answer = found.slice(0, Math.min(pageLimit, query.limit ?? pageLimit));
    const next = found.length > answer.length ? (answer.at(-1)?.id ?? null) : null;
    return { calls: answer as unknown as CallItem[], next };
  };
  return { page, asked };
}

const at = (minutesBefore: number) => ({ id: `${minutesBefore}`, happenedAt: new Date(noon - minutesBefore * minute) });

test("the older call is the next one in the list", async () => {
  const { page } = aList(1, 2, 90, 5000);
  expect((await findOlderCall(page, {}, at(2)))?.id).toBe("90");
  expect(await findOlderCall(page, {}, at(5000))).toBeNull();
});

test("finds the newer call at any distance", async () => {
  const { page } = aList(1, 2, 90, 5000, 500_000);
  expect((await findNewerCall(page, {}, at(2)))?.id).toBe("1");
  expect((await findNewerCall(page, {}, at(90)))?.id).toBe("2");
  expect((await findNewerCall(page, {}, at(500_000)))?.id).toBe("5000");
  expect(await findNewerCall(page, {}, at(1))).toBeNull();
});

test("finds the newer call after several short responses", async () => {
  const { page } = aListBy(2, [10, 10.2, 10.4, 10.6, 10.8]);
  expect((await findNewerCall(page, {}, at(10.8)))?.id).toBe("10.6");
  expect((await findNewerCall(page, {}, at(10.4)))?.id).toBe("10.2");
});

test("respects the end of the filtered period", async () => {
  const { page, asked } = aList(1, 2, 90);
  const to = new Date(noon - 60 * minute);
  expect(await findNewerCall(page, { to }, at(90))).toBeNull();
  expect(asked.every((query) => query.to && query.to <= to)).toBe(true);
});

test("needs one request to find that there is no newer call", async () => {
  const { page, asked } = aList(1);
  expect(await findNewerCall(page, {}, { id: "now", happenedAt: new Date(Date.now() - 1000) })).toBeNull();
  expect(asked).toHaveLength(1);
});
