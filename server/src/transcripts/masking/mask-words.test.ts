import { expect, test } from "vitest";
import type { SideWord } from "../transcript.ts";
import { maskWords } from "./mask-words.ts";

const words = "it is 4929 1234 5678 9012 thanks".split(" ").map(
  (text, index): SideWord => ({
    channel: index === 6 ? "right" : "left",
    text,
    startMs: index * 500,
    endMs: index * 500 + 400,
    probability: 0.9,
  }),
);

test("each sensitive part becomes one word without text, and the other words stay", async () => {
  const { words: masked, parts } = await maskWords(words, { language: "en" });
  const number = { channel: "left", text: "", startMs: 1000, endMs: 2900, probability: null, mask: "card_number" };
  expect(masked).toEqual([words[0], words[1], number, words[6]]);
  expect(parts).toMatchObject([{ kind: "card_number", side: "left", words: [2, 3, 4, 5], startMs: 1000, endMs: 2900 }]);
});
