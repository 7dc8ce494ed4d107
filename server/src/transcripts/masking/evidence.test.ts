import { makeCardExample } from "@hearback/portable/testing/spoken-corpus";
import { makeEvidence } from "@hearback/portable/testing/spoken-evidence";
import { describe, expect, test } from "vitest";
import { makeRandom, mask, wordsOf } from "../../testing/spoken-words.ts";
import { findSensitive } from "./find-sensitive.ts";
import type { SpokenWord } from "./tokens.ts";

const examples = 100;
const later = (words: readonly SpokenWord[], ms: number) =>
  words.map((word) => ({ ...word, startMs: word.startMs + ms, endMs: word.endMs + ms }));

/** Number of examples of which a word is masked, alone or so far before or after a card number. */
async function countMasked(distanceMs?: number): Promise<number> {
  const random = makeRandom(17);
  let masked = 0;
  for (let index = 0; index < examples; index++) {
    const example = makeEvidence(random, index);
    const evidence = wordsOf(example.lines);
    const card = distanceMs === undefined ? [] : wordsOf(makeCardExample(random, index).lines);
    const [first, second] = index % 4 < 2 ? [evidence, card] : [card, evidence];
    const words = [...first, ...later(second, (first.at(-1)?.endMs ?? 0) + (distanceMs ?? 0))];
    const own = words.slice(evidence === first ? 0 : first.length, evidence === first ? first.length : undefined);
    const parts = await findSensitive(words, example);
    if (parts.some((part) => part.words.some((at) => own.includes(words[at] as SpokenWord)))) masked++;
  }
  return masked;
}

describe("dates, amounts and identity checks", () => {
  test.each([
    ["without a card number", undefined],
    ["half a minute before or after a card number", 31_000],
    ["a minute before or after a card number", 60_000],
  ])(`at most 5 of ${examples} are masked %s`, async (_, distanceMs) => {
    expect(await countMasked(distanceMs)).toBeLessThanOrEqual(examples * 0.05);
  });

  test("a date of birth just before a card number remains, and ordinary words beside it", async () => {
    const words = wordsOf([
      { side: "agent", text: "and your date of birth please" },
      { side: "customer", text: "12 June 1984" },
      { side: "agent", text: "One moment and the card number" },
      { side: "customer", text: "4929 1234 5678 9012" },
      { side: "agent", text: "One moment and the security code" },
      { side: "customer", text: "seven three seven" },
      { side: "agent", text: "One moment please" },
    ]);
    expect(await mask(words)).toBe(
      "and your date of birth please 12 June 1984 One moment and the card number [card_number] One moment and the security code [security_code] One moment please",
    );
  });

  test.each([
    "twelve six nineteen eighty four",
    "12 06 1984",
    "12/06/1984",
    "the twelfth of June nineteen eighty four",
  ])("a date of birth as %s remains", async (date) => {
    const words = wordsOf([
      { side: "agent", text: "your date of birth please" },
      { side: "customer", text: date },
      { side: "agent", text: "and the card number please" },
      { side: "customer", text: "4929 1234 5678 9012" },
    ]);
    expect(await mask(words)).toBe(`your date of birth please ${date} and the card number please [card_number]`);
  });

  test("in French", async () => {
    const words = wordsOf([
      { side: "agent", text: "vous êtes né quand" },
      { side: "customer", text: "le douze juin mille neuf cent quatre-vingt-quatre" },
      { side: "agent", text: "un instant et le numéro de carte" },
      { side: "customer", text: "quatre neuf deux neuf un deux trois quatre cinq six sept huit neuf zéro un deux" },
      { side: "agent", text: "une minute c'est une bonne carte" },
    ]);
    expect(await mask(words, { language: "fr" })).toBe(
      "vous êtes né quand le douze juin mille neuf cent quatre-vingt-quatre un instant et le numéro de carte [card_number] une minute c'est une bonne carte",
    );
  });

  test("a short number beside a card number that nobody asked for is masked without saying what it is", async () => {
    const words = wordsOf([
      { side: "customer", text: "4929 1234 5678 9012 that is all of it and then it says 737" },
      { side: "agent", text: "April twenty seven" },
    ]);
    expect(await mask(words)).toBe("[card_number] that is all of it and then it says [other] [other]");
  });
});
