import { describe, expect, test } from "vitest";
import { openTestApp } from "../../testing/test-app.ts";
import { openSignInThrottle } from "./sign-in-throttle.ts";
import { signInThrottles, throttleDigest, throttleRules } from "./sign-in-throttle-rules.ts";

const { app, admin } = await openTestApp();
const throttle = openSignInThrottle(app);
const aMailbox = () => `${crypto.randomUUID()}@example.com`;
const counted = async () => Number((await admin.query("select count(*) from sign_in_guess")).rows[0].count);
const triesOf = async (digest: Buffer) => {
  const { rows } = await admin.query("select tries, blocked_until from sign_in_guess where digest = $1", [digest]);
  return rows[0] as { tries: number; blocked_until: Date | null };
};

/** Simulates failed attempts by others from the network. */
const block = (digest: Buffer) =>
  admin.query(
    `insert into sign_in_guess (digest, tries, blocked_until) values ($1, 99, now() + interval '1 minute')
     on conflict (digest) do update set tries = 99, blocked_until = excluded.blocked_until`,
    [digest],
  );

describe("a blocked network", () => {
  test("causes no writes and is cached", async () => {
    const network = "10.1.0.1";
    await block(throttleDigest("address", network));
    const before = await counted();
    for (let count = 0; count < 5; count++) {
      const { waitMs, taken } = await throttle.take(signInThrottles(aMailbox(), network));
      expect([waitMs > 0, taken]).toEqual([true, []]);
    }
    expect(await counted()).toBe(before);
    await admin.query("delete from sign_in_guess where digest = $1", [throttleDigest("address", network)]);
    expect((await throttle.take(signInThrottles(aMailbox(), network))).waitMs).toBeGreaterThan(0);
    expect((await openSignInThrottle(app).take(signInThrottles(aMailbox(), network))).waitMs).toBe(0);
  });

  test("does not block trusted users, even while cached, and counts only their own attempts", async () => {
    const network = "10.1.0.2";
    const counts = signInThrottles(aMailbox(), network);
    await throttle.reset(await throttle.require(counts));
    await block(counts.address);
    await block(counts.email);
    expect((await throttle.take(signInThrottles(aMailbox(), network))).waitMs).toBeGreaterThan(0);
    const { waitMs, taken } = await throttle.take(counts);
    expect([waitMs, taken.map(({ kind }) => kind)]).toEqual([0, ["pair"]]);
    await throttle.reset(taken);
    expect(await triesOf(counts.address)).toMatchObject({ tries: 99, blocked_until: expect.any(Date) });
  });
});

test("a refund removes the attempt and only the block that it started", async () => {
  const counts = { person: throttleDigest("person", crypto.randomUUID()) };
  for (let count = 1; count < throttleRules.person.freeAttempts; count++) await throttle.require(counts);
  const last = await throttle.require(counts);
  await expect(throttle.require(counts)).rejects.toMatchObject({ code: "sign_in_limited" });
  await throttle.refund(last);
  expect(await triesOf(counts.person)).toEqual({ tries: throttleRules.person.freeAttempts - 1, blocked_until: null });
  const again = await throttle.require(counts);
  await block(counts.person);
  await throttle.refund(again);
  expect(await triesOf(counts.person)).toMatchObject({ tries: 98, blocked_until: expect.any(Date) });
});

test("concurrent attempts cannot exceed the free attempts", async () => {
  const counts = signInThrottles(aMailbox(), "10.1.0.3");
  const all = await Promise.all(Array.from({ length: 20 }, () => throttle.take(counts)));
  expect(all.filter(({ waitMs }) => waitMs === 0)).toHaveLength(throttleRules.pair.freeAttempts);
  expect((await triesOf(counts.address)).tries).toBe(throttleRules.pair.freeAttempts);
});
