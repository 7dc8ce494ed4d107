import type { TranscriptTurn } from "@hearback/sdk";
import { expect, test } from "vitest";
import { findWords, toWordIndex } from "./find-words.ts";
import { lineAt, lineOf, sentenceAround, toLines } from "./lines.ts";
import { toQuotes } from "./quotes.ts";
import { latestWord, toWordClock, wordsAt } from "./word-clock.ts";

/** One word each 500 ms, 400 ms long. */
function turn(side: "agent" | "customer", startMs: number, text: string): TranscriptTurn {
  const words = text.split(" ").map((word, at) => ({
    text: word,
    start_ms: startMs + at * 500,
    end_ms: startMs + at * 500 + 400,
    probability: 0.9,
  }));
  const channel = side === "agent" ? ("left" as const) : ("right" as const);
  return { side, channel, start_ms: startMs, end_ms: startMs + words.length * 500, words };
}

const transcript = {
  turns: [
    turn("agent", 0, "Good morning. How can I help?"),
    turn("customer", 2_600, "Yes,"),
    turn("customer", 6_000, "I want to cancel l’abonnement, José."),
    turn("agent", 12_000, "You cancelled it already."),
  ],
};

test("lines are turns, and parts of long ones that end with a sentence", () => {
  expect(toLines(transcript).map(({ first, offset, startMs }) => [first, offset, startMs])).toEqual([
    [0, 0, 0],
    [6, 0, 2_600],
    [7, 0, 6_000],
    [13, 0, 12_000],
  ]);
  const long = { turns: [turn("agent", 0, `${"one two three four. ".repeat(40)}end`)] };
  const lines = toLines(long);
  expect(lines.map(({ words }) => words.length)).toEqual([36, 36, 36, 53]);
  expect(lines.map(({ first }) => first)).toEqual([0, 36, 72, 108]);
  expect(lines.flatMap(({ words }) => words)).toEqual(long.turns[0]?.words);
  for (const word of [0, 35, 36, 160]) {
    const { first = 0, words = [] } = lines[lineOf(lines, word)] ?? {};
    expect(word - first).toBeGreaterThanOrEqual(0);
    expect(word - first).toBeLessThan(words.length);
  }
});

test("finds the line at a time, and the sentence around a word", () => {
  const lines = toLines(transcript);
  expect([0, 2_950, 5_000, 99_000].map((ms) => lineAt(lines, ms))).toEqual([0, 1, 2, 3]);
  const [line] = lines;
  expect(line && sentenceAround(line, 3).map(({ text }) => text)).toEqual(["How", "can", "I", "help?"]);
  expect(line && sentenceAround(line, 0).map(({ text }) => text)).toEqual(["Good", "morning."]);
});

test("both sides have a current word while they speak at the same time", () => {
  const clock = toWordClock(transcript);
  expect(wordsAt(clock, -1)).toEqual([]);
  expect(wordsAt(clock, 450)).toEqual([0]);
  expect(wordsAt(clock, 2_700)).toEqual([5, 6]);
  // A short pause keeps the word, a long one does not.
  expect(wordsAt(clock, 3_250)).toEqual([6]);
  expect(wordsAt(clock, 5_000)).toEqual([]);
  expect([0, 2_700, 5_000].map((ms) => latestWord(clock, ms))).toEqual([0, 6, 6]);
});

test.each([
  [
    "cancel",
    [
      [10, 10],
      [14, 14],
    ],
  ],
  ["to cancel", [[9, 10]]],
  ["jose", [[12, 12]]],
  ["l'abonnement", [[11, 11]]],
  [
    "help yes",
    [
      [5, 5],
      [6, 6],
    ],
  ],
  ['"help yes"', []],
  [
    '"cancelled"',
    [
      [10, 10],
      [14, 14],
    ],
  ],
  ["  ", []],
  ["?!", []],
  ["zebra", []],
])("finds %s", (searched, found) => {
  const matches = findWords(toWordIndex(transcript), searched);
  expect(matches.map(({ first, last }) => [first, last])).toEqual(found);
});

test("quotes the words that are mostly inside a moment, by turn", () => {
  const said = (startMs: number, endMs: number) =>
    toQuotes(transcript, { startMs, endMs }).map(
      ({ side, words }) => `${side}: ${words.map(({ text }) => text).join(" ")}`,
    );
  expect(said(1_000, 3_000)).toEqual(["agent: How can I help?", "customer: Yes,"]);
  expect(said(6_000, 6_000)).toEqual(["customer: I want to cancel"]);
  expect(said(20_000, 30_000)).toEqual([]);
});
