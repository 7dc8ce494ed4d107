import { describe, expect, test } from "vitest";
import { openTestApp } from "../testing/test-app.ts";
import { guessDigest, guessRules, signInGuesses } from "./guess.ts";
import { openTries } from "./tries.ts";

const { app, admin } = await openTestApp();
const tries = openTries(app);
const aMailbox = () => `${crypto.randomUUID()}@example.com`;
const counted = async () => Number((await admin.query("select count(*) from sign_in_guess")).rows[0].count);
const triesOf = async (digest: Buffer) => {
  const { rows } = await admin.query("select tries, blocked_until from sign_in_guess where digest = $1", [digest]);
  return rows[0] as { tries: number; blocked_until: Date | null };
};

/** As if so many others had guessed from there. */
const block = (digest: Buffer) =>
  admin.query(
    `insert into sign_in_guess (digest, tries, blocked_until) values ($1, 99, now() + interval '1 minute')
     on conflict (digest) do update set tries = 99, blocked_until = excluded.blocked_until`,
    [digest],
  );

describe("a network that is blocked", () => {
  test("writes nothing, however many it tries, and is remembered", async () => {
    const network = "10.1.0.1";
    await block(guessDigest("address", network));
    const before = await counted();
    for (let count = 0; count < 5; count++) {
      const { waitMs, taken } = await tries.take(signInGuesses(aMailbox(), network));
      expect([waitMs > 0, taken]).toEqual([true, []]);
    }
    expect(await counted()).toBe(before);
    await admin.query("delete from sign_in_guess where digest = $1", [guessDigest("address", network)]);
    expect((await tries.take(signInGuesses(aMailbox(), network))).waitMs).toBeGreaterThan(0);
    expect((await openTries(app).take(signInGuesses(aMailbox(), network))).waitMs).toBe(0);
  });

  test("lets in who came in from there before, also while it is remembered, and counts only for them", async () => {
    const network = "10.1.0.2";
    const counts = signInGuesses(aMailbox(), network);
    await tries.forgive(await tries.require(counts));
    await block(counts.address);
    await block(counts.email);
    expect((await tries.take(signInGuesses(aMailbox(), network))).waitMs).toBeGreaterThan(0);
    const { waitMs, taken } = await tries.take(counts);
    expect([waitMs, taken.map(({ kind }) => kind)]).toEqual([0, ["pair"]]);
    await tries.forgive(taken);
    expect(await triesOf(counts.address)).toMatchObject({ tries: 99, blocked_until: expect.any(Date) });
  });
});

test("what could not be tried is taken back, with the pause that it began and no other", async () => {
  const counts = { person: guessDigest("person", crypto.randomUUID()) };
  for (let count = 1; count < guessRules.person.free; count++) await tries.require(counts);
  const last = await tries.require(counts);
  await expect(tries.require(counts)).rejects.toMatchObject({ code: "sign_in_limited" });
  await tries.takeBack(last);
  expect(await triesOf(counts.person)).toEqual({ tries: guessRules.person.free - 1, blocked_until: null });
  const again = await tries.require(counts);
  await block(counts.person);
  await tries.takeBack(again);
  expect(await triesOf(counts.person)).toMatchObject({ tries: 98, blocked_until: expect.any(Date) });
});

test("of many at once no more are counted than are free", async () => {
  const counts = signInGuesses(aMailbox(), "10.1.0.3");
  const all = await Promise.all(Array.from({ length: 20 }, () => tries.take(counts)));
  expect(all.filter(({ waitMs }) => waitMs === 0)).toHaveLength(guessRules.pair.free);
  expect((await triesOf(counts.address)).tries).toBe(guessRules.pair.free);
});
