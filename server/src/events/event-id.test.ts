import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { comparePositions, openEventIds } from "./event-id.ts";

const epochs = fc.nat({ max: 2 ** 31 - 1 });
const xids = fc.maxSafeNat().map((n) => n % 2 ** 44);
const seqs = fc.maxSafeNat().map((n) => n % 2 ** 36);

test("ids round-trip to their position and are deterministic", () => {
  const ids = openEventIds(randomBytes(16));
  fc.assert(
    fc.property(epochs, xids, seqs, (epoch, xid, seq) => {
      const id = ids.toId({ epoch, xid, seq });
      expect(id).toMatch(/^evt_[0-9a-f]{32}$/);
      expect(ids.toPosition(id)).toEqual({ epoch, xid, seq });
      expect(ids.toId({ epoch, xid, seq })).toBe(id);
    }),
  );
});

test("ids of adjacent events share no prefix, within a workspace and across workspaces", () => {
  const [ours, theirs] = [openEventIds(randomBytes(16)), openEventIds(randomBytes(16))];
  const at = (seq: number) => ({ epoch: 1, xid: 1003, seq });
  const ids = [ours.toId(at(15)), ours.toId(at(16)), theirs.toId(at(15)), theirs.toId(at(16))];
  const starts = ids.map((id) => id.slice(0, 12));
  expect(new Set(starts).size).toBe(4);
});

test("rejects ids of another workspace and ids with one digit changed", () => {
  const [ours, theirs] = [openEventIds(randomBytes(16)), openEventIds(randomBytes(16))];
  // One in 130,000 passes by chance; readers reject most of those by their epoch.
  const wrong = Array.from({ length: 1_000 }, (_, seq) => theirs.toId({ epoch: 200_000_000, xid: 1, seq }));
  const mistyped = Array.from({ length: 1_000 }, (_, seq) =>
    ours.toId({ epoch: 200_000_000, xid: 1, seq }).replace(/.$/, (digit) => (digit === "0" ? "1" : "0")),
  );
  expect([...wrong, ...mistyped].filter((id) => ours.toPosition(id)).length).toBeLessThanOrEqual(1);
});

test("a position that is too large throws instead of producing another event's id", () => {
  const ids = openEventIds(randomBytes(16));
  for (const position of [
    { epoch: 2 ** 31, xid: 1, seq: 1 },
    { epoch: 1, xid: 2 ** 44, seq: 1 },
    { epoch: 1, xid: 1, seq: 2 ** 36 },
  ]) {
    expect(() => ids.toId(position)).toThrow(RangeError);
  }
});

test.each([
  "",
  "evt_",
  "evt_1-2-3",
  `evt_${"0".repeat(31)}`,
  `evt_${"0".repeat(33)}`,
  `evt_${"0".repeat(31)}g`,
  `evt_${"A".repeat(32)}`,
  `evt_${"0".repeat(32)}\n`,
  `EVT_${"0".repeat(32)}`,
  "3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11",
])("%j is not an event id", (id) => {
  expect(openEventIds(randomBytes(16)).toPosition(id)).toBeUndefined();
});

test("positions sort by epoch, then transaction, then sequence", () => {
  const at = (epoch: number, xid: number, seq: number) => ({ epoch, xid, seq });
  const ordered = [at(1, 9, 9), at(2, 1, 5), at(2, 3, 1), at(2, 3, 2)];
  expect(ordered.toReversed().toSorted(comparePositions)).toEqual(ordered);
  expect(comparePositions(at(1, 2, 3), at(1, 2, 3))).toBe(0);
});
