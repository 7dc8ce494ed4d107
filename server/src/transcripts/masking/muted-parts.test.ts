import { expect, test } from "vitest";
import { maskWords } from "./mask-words.ts";
import { mutedParts } from "./muted-parts.ts";

const word = (text: string, startMs: number, endMs: number, within?: { startMs: number; endMs: number }) => ({
  channel: "right" as const,
  text,
  startMs,
  endMs,
  probability: null,
  ...(within && { within }),
});
const muted = async (words: readonly ReturnType<typeof word>[], turns: readonly (readonly [number, number])[]) =>
  mutedParts(words, (await maskWords(words, { language: "en" })).parts, [{ channel: "right", turns }]);

test("masked words are silenced with a margin, and whatever their side says between them", async () => {
  const words = [
    word("it's", 500, 900),
    word("4929-1234", 1_000, 3_000),
    word("5678-9012", 7_000, 9_000),
    word("ok", 9_500, 9_900),
  ];
  expect(
    await muted(words, [
      [500, 3_100],
      [6_900, 9_900],
    ]),
  ).toEqual([
    [850, 3_250],
    [6_750, 9_150],
  ]);
  // The engine understood nothing of what was said from 3.5 s to 6.5 s.
  expect(await muted(words, [[500, 9_900]])).toEqual([[850, 9_150]]);
});

test("a sentence after the number is not silenced, also if it begins with a word that could be a digit", async () => {
  const words = [
    word("4929-1234-5678-9012", 1_000, 6_000),
    word("I", 10_000, 10_200),
    word("to", 10_300, 10_400),
    word("think", 10_500, 10_900),
  ];
  expect(
    await muted(words, [
      [1_000, 6_000],
      [10_000, 10_900],
    ]),
  ).toEqual([[850, 6_150]]);
});

test("if the engine gives times of sentences only, the whole sentence is silenced", async () => {
  const words = [
    word("card", 1_000, 2_000, { startMs: 500, endMs: 9_000 }),
    word("4929-1234-5678-9012", 2_000, 5_000, { startMs: 500, endMs: 9_000 }),
  ];
  expect(await muted(words, [[500, 9_000]])).toEqual([[350, 9_150]]);
});

test("only the own side is silenced, not where it ends as the part begins; ranges that touch are one", () => {
  const words = [word("4929", 1_000, 2_000), word("1234", 2_300, 3_000)];
  const turns = [
    { channel: "left" as const, turns: [[0, 9_000]] as const },
    { channel: "right" as const, turns: [[500, 1_000]] as const },
  ];
  const part = { kind: "card_number" as const, side: "right", words: [0, 1, 7], startMs: 1_000, endMs: 3_000 };
  expect(mutedParts(words, [part], turns)).toEqual([[850, 3_150]]);
  const alone = { ...part, words: [], startMs: 1_000, endMs: 1_500 };
  expect(mutedParts(words, [alone], turns)).toEqual([]);
  expect(mutedParts(words, [{ ...part, side: "other" }], turns)).toEqual([[850, 3_150]]);
});
