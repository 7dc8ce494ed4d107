import fc from "fast-check";
import { expect, test } from "vitest";
import { comparePositions, parseEventId, toEventId } from "./event-id.ts";

test("an id is read back as the position it was made of", () => {
  const number = fc.nat({ max: 2 ** 31 - 1 });
  fc.assert(
    fc.property(number, fc.maxSafeNat(), fc.maxSafeNat(), (epoch, xid, seq) => {
      expect(parseEventId(toEventId({ epoch, xid, seq }))).toEqual({ epoch, xid, seq });
    }),
  );
});

test.each([
  "",
  "evt_",
  "evt_1-2",
  "evt_1-2-3-4",
  "evt_01-2-3",
  "evt_1-2-03",
  "evt_-1-2-3",
  "evt_1-2-3 ",
  "evt_1-2-3\n",
  "EVT_1-2-3",
  "evt_1e3-2-3",
  "evt_2147483648-2-3",
  "evt_1-9007199254740992-3",
  "evt_1-2-99999999999999999999",
  "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11",
])("%j is no event's id", (id) => {
  expect(parseEventId(id)).toBeUndefined();
});

test("epoch counts before transaction, transaction before sequence", () => {
  const at = (epoch: number, xid: number, seq: number) => ({ epoch, xid, seq });
  const ordered = [at(1, 9, 9), at(2, 1, 5), at(2, 3, 1), at(2, 3, 2)];
  expect(ordered.toReversed().toSorted(comparePositions)).toEqual(ordered);
  expect(comparePositions(at(1, 2, 3), at(1, 2, 3))).toBe(0);
});
