import { scale } from "@hearback/portable/testing/scale";
import { expect, test } from "vitest";
import { longestStep } from "../../testing/longest-step.ts";
import { findSensitive } from "./find-sensitive.ts";
import { MaskingTimeout, openMaskingSlices } from "./masking-slices.ts";
import type { SpokenWord } from "./tokens.ts";

const cycle = (texts: readonly string[]) => (index: number) => texts[index % texts.length] as string;

/** Words for which something has to be compared with all that was said before. */
const hostile: Readonly<Record<string, (index: number) => string>> = {
  "short numbers after the mention of a card": cycle(["card", "123", "order"]),
  "mentions of cards, then orders": (index) => (index < 300 ? "card" : cycle(["123", "order"])(index)),
  "security codes and expiry dates": cycle(["june", "expiry", "123", "4929123456789012", "security", "code"]),
  "numbers that are said again": (index) => cycle(["repeat", String(1_000_000 + ((index * 7919) % 8_999_999))])(index),
  "long words of signs": () => `a${"!".repeat(480)}1${".".repeat(15)}`,
  "beginnings of email addresses": () => "at",
  "beginnings of the workspace's own phrases": () => "secret",
};
const options = {
  language: "en",
  phoneNumbers: true,
  emails: true,
  ownWords: Array.from({ length: 200 }, (_, index) => `${"secret ".repeat(12)}${index}`),
};

/** The sides take turns every two words. */
const wordsOf = (textOf: (index: number) => string, count: number): SpokenWord[] =>
  Array.from({ length: count }, (_, index) => ({
    side: index % 4 < 2 ? "agent" : "customer",
    text: textOf(index),
    startMs: index * 10,
    endMs: index * 10 + 8,
  }));

async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

test.each(Object.keys(hostile))("masking takes time in proportion to the words: %s", async (name) => {
  const run = (count: number) => findSensitive(wordsOf(hostile[name] as (index: number) => string, count), options);
  await run(1_000);
  const once = await processorMs(() => run(1_000));
  const eightTimes = await processorMs(() => run(8_000));
  // A margin of 3, and 50 ms for a collection of garbage.
  expect(eightTimes).toBeLessThan(3 * 8 * once + 50);
});

test.each(Object.keys(hostile))("the process serves others while hostile words are masked: %s", async (name) => {
  const words = wordsOf(hostile[name] as (index: number) => string, scale(5_000, 50_000, 50_000));
  // The goal is 2, which is 100 ms. Usually 0.4 to 1 with 50,000 words.
  expect(await longestStep(() => findSensitive(words, options))).toBeLessThan(4);
});

test("masking that takes too long ends with an error", async () => {
  const words = wordsOf(hostile["long words of signs"] as () => string, 20_000);
  await expect(findSensitive(words, options, openMaskingSlices(5))).rejects.toBeInstanceOf(MaskingTimeout);
});
