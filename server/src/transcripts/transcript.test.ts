import { describe, expect, test } from "vitest";
import type { HeardWord } from "./engine/engine.ts";
import { maskWords } from "./masking/mask-words.ts";
import { toPlainText, toVtt } from "./read/format-transcript.ts";
import { dropInvented } from "./recognise/drop-invented.ts";
import { makeTurns, type SideWord } from "./transcript.ts";

/** Words of half a second, from a moment on. */
function say(channel: SideWord["channel"], from: number, text: string): SideWord[] {
  return text.split(" ").map((word, index) => {
    const startMs = from + index * 500;
    return { channel, text: word, startMs, endMs: startMs + 400, probability: 0.9 };
  });
}

const heard = (text: string, from = 0): HeardWord[] => say("left", from, text).map(({ channel: _, ...word }) => word);
const nameOf = (channel: string) => (channel === "left" ? "Anna" : "Customer");
const shown = (words: readonly SideWord[]) => toPlainText(makeTurns(words), nameOf);

describe("turns", () => {
  test("are in order of time; the other side's answer splits a turn", () => {
    const words = [
      ...say("right", 2_200, "yes please"),
      ...say("left", 0, "Would you like tea?"),
      ...say("left", 4_000, "Good."),
      ...say("left", 7_000, "So"),
    ];
    expect(shown(words)).toBe(
      "[00:00:00] Anna: Would you like tea?\n[00:00:02] Customer: yes please\n[00:00:04] Anna: Good.\n[00:00:07] Anna: So\n",
    );
  });

  test("an interjection does not split a sentence", () => {
    const words = [...say("left", 0, "one moment while I look"), ...say("right", 900, "mhm")];
    expect(makeTurns(words).map(({ words: said }) => said.length)).toEqual([5, 1]);
  });
});

describe("inventions", () => {
  test("words outside speech", () => {
    const words = [...heard("Hello there", 1_000), ...heard("Bye", 9_000)];
    expect(dropInvented(words, [[900, 2_000]]).map(({ text }) => text)).toEqual(["Hello", "there"]);
  });

  test("not digits that were said in groups and written as one word, whose middle is in a pause", () => {
    const number = { text: "6718-3667-3417-4244", startMs: 3_960, endMs: 11_600, probability: null };
    const turns = [
      [2_490, 5_350],
      [5_820, 7_300],
      [8_520, 11_580],
    ] as const;
    expect(dropInvented([number], turns)).toEqual([number]);
    expect(dropInvented([{ ...number, startMs: 13_000, endMs: 15_000 }], turns)).toEqual([]);
  });

  test("known sentences, but not within others", () => {
    const speech = [[0, 60_000]] as const;
    expect(dropInvented(heard("Thank you for watching!"), speech)).toEqual([]);
    expect(dropInvented(heard("Yes. Thank you for watching my dog"), speech)).toHaveLength(7);
  });

  test("a phrase that repeats itself is kept once; digits may repeat", () => {
    const speech = [[0, 60_000]] as const;
    const again = "I am sorry ".repeat(7).trim();
    expect(dropInvented(heard(`well ${again} bye`), speech).map(({ text }) => text)).toEqual(
      "well I am sorry bye".split(" "),
    );
    expect(dropInvented(heard("four four four four four four"), speech)).toHaveLength(6);
  });
});

test("masked words have no text, in any format", async () => {
  const words = [...say("left", 0, "it is four nine two nine one two three four five six seven eight thanks")];
  const masked = await maskWords(words, { language: "en" });
  expect(masked.words.map(({ text, mask }) => mask ?? text)).toEqual(["it", "is", "card_number", "thanks"]);
  expect(masked.parts).toMatchObject([{ startMs: 1_000, endMs: 6_900 }]);
  expect(shown(masked.words)).toBe("[00:00:00] Anna: it is [card number] thanks\n");
});

test("WebVTT: voices, cues of two lines, escaped", async () => {
  const words = [...say("left", 0, "<b> &"), ...say("right", 3_600_000, "word ".repeat(20).trim())];
  expect(await toVtt(makeTurns(words), nameOf)).toBe(
    [
      "WEBVTT\n",
      "00:00:00.000 --> 00:00:00.900\n<v Anna>&lt;b&gt; &amp;\n",
      `01:00:00.000 --> 01:00:07.900\n<v Customer>${"word ".repeat(16).trim()}\n`,
      `01:00:08.000 --> 01:00:09.900\n<v Customer>${"word ".repeat(4).trim()}\n`,
    ].join("\n"),
  );
});
