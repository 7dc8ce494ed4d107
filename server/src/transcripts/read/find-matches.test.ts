import { expect, test } from "vitest";
import { wordsOfText } from "../../calls/search/words-of-text.ts";
import { wordsOfSides } from "../spoken-sides.ts";
import type { TranscriptTurn } from "../transcript.ts";
import { findMatches } from "./find-matches.ts";

let clock = 0;
const turn = (channel: "left" | "right", text: string): TranscriptTurn => {
  const words = text.split(" ").map((word) => {
    clock += 100;
    return { text: word, startMs: clock, endMs: clock + 80, probability: 0.9 };
  });
  return { channel, startMs: words[0]?.startMs ?? 0, endMs: clock + 80, words };
};

const turns = [
  turn("left", "Hello, what can I do for you today?"),
  turn("right", "Hello, I want to cancel my"),
  turn("left", "Yes."),
  turn("right", "contract, please cancel my contract at the end of the month and send me the money back"),
  turn("left", "You cancel it? Your contract."),
];

const find = (terms: string[], limit = 20) =>
  findMatches(wordsOfSides(turns), {
    terms: terms.map((term) => [term.split(" ")]),
    lexemesOf: (text) => wordsOfText(text),
    limit,
  }).map(({ channel, before, text, after }) => [channel, before, text, after]);

test("finds a phrase, also where the other side interrupted it, with up to ten words around it", () => {
  expect(find(["cancel my contract"])).toEqual([
    ["right", "Hello, I want to", "cancel my contract,", "please cancel my contract at the end of the month"],
    ["right", "contract, please", "cancel my contract", "at the end of the month and send me the"],
  ]);
});

test("joins words that follow each other, and only takes sides that said all of them", () => {
  expect(find(["hello", "money"])).toEqual([
    ["right", "", "Hello,", "I want to cancel my"],
    ["right", "at the end of the month and send me the", "money", "back"],
  ]);
  expect(find(["my", "cancel"]).map(([, , text]) => text)).toEqual(["cancel my", "cancel my"]);
  expect(find(["hello", "tomato"])).toEqual([]);
});

test("prefers the turns with most of the words, and returns them in order of time", () => {
  expect(find(["cancel", "contract"], 2).map(([channel, before]) => [channel, before])).toEqual([
    ["right", ""],
    ["right", "contract, please"],
  ]);
});
