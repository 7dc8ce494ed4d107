import type { CallItem, CallPageBody, SearchCalls } from "@hearback/sdk";
import { expect, test } from "vitest";
import { findNewer, findOlder } from "./neighbours.ts";

const minute = 60_000;
const noon = Date.UTC(2026, 10, 15, 12);

/** A list of calls at these minutes before noon, the newest first, answered as the service does. */
const aList = (...minutesBefore: number[]) => aListBy(200, minutesBefore);

/** The same, with so many calls in an answer at most. */
function aListBy(most: number, minutesBefore: readonly number[]) {
  const calls = minutesBefore.map((before) => ({ id: `${before}`, at: noon - before * minute }));
  const asked: SearchCalls[] = [];
  const page = async (query: SearchCalls): Promise<CallPageBody> => {
    asked.push(query);
    const start = query.after ? calls.findIndex(({ id }) => id === query.after) + 1 : 0;
    const found = calls
      .slice(start)
      .filter(({ at }) => at >= (query.from?.getTime() ?? 0) && at < (query.to?.getTime() ?? Number.POSITIVE_INFINITY))
      .slice(0, (query.limit ?? most) + 1);
    const answer = found.slice(0, Math.min(most, query.limit ?? most));
    const next = found.length > answer.length ? (answer.at(-1)?.id ?? null) : null;
    return { calls: answer as unknown as CallItem[], next };
  };
  return { page, asked };
}

const at = (minutesBefore: number) => ({ id: `${minutesBefore}`, happenedAt: new Date(noon - minutesBefore * minute) });

test("the older one is the next of the list", async () => {
  const { page } = aList(1, 2, 90, 5000);
  expect((await findOlder(page, {}, at(2)))?.id).toBe("90");
  expect(await findOlder(page, {}, at(5000))).toBeNull();
});

test("the newer one is found however far away it is", async () => {
  const { page } = aList(1, 2, 90, 5000, 500_000);
  expect((await findNewer(page, {}, at(2)))?.id).toBe("1");
  expect((await findNewer(page, {}, at(90)))?.id).toBe("2");
  expect((await findNewer(page, {}, at(500_000)))?.id).toBe("5000");
  expect(await findNewer(page, {}, at(1))).toBeNull();
});

test("the newer one is found on the last of several short answers", async () => {
  const { page } = aListBy(2, [10, 10.2, 10.4, 10.6, 10.8]);
  expect((await findNewer(page, {}, at(10.8)))?.id).toBe("10.6");
  expect((await findNewer(page, {}, at(10.4)))?.id).toBe("10.2");
});

test("the end of the list that one came from is kept", async () => {
  const { page, asked } = aList(1, 2, 90);
  const to = new Date(noon - 60 * minute);
  expect(await findNewer(page, { to }, at(90))).toBeNull();
  expect(asked.every((query) => query.to && query.to <= to)).toBe(true);
});

test("above the newest there is nothing, and that is found out at once", async () => {
  const { page, asked } = aList(1);
  expect(await findNewer(page, {}, { id: "now", happenedAt: new Date(Date.now() - 1000) })).toBeNull();
  expect(asked).toHaveLength(1);
});
