import { makeCardExample, makeNearMiss, type SpokenLine } from "@hearback/portable/testing/spoken-corpus";
import { describe, expect, test } from "vitest";
import { findSensitive, type MaskOptions } from "./find-sensitive.ts";
import type { SpokenWord } from "./tokens.ts";

const examples = 600;

/** The same numbers in every run. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

type Hear = (text: string) => readonly string[];

/** The words of a conversation at the speed of speech, as a recogniser heard them. */
function wordsOf(lines: readonly SpokenLine[], hear: Hear = (text) => [text]): SpokenWord[] {
  let at = 0;
  return lines.flatMap(({ side, text }) => {
    at += 400;
    return text.split(/\s+/).flatMap((word) => {
      at += 380;
      return hear(word).map((heard) => ({ side, startMs: at - 380, endMs: at - 80, text: heard }));
    });
  });
}

const customer = (text: string) => wordsOf([{ side: "customer", text }]);

/** The text that remains, with the kinds of what was masked. */
function mask(words: readonly SpokenWord[], options: MaskOptions = { language: "en" }): string {
  const parts = findSensitive(words, options);
  const kinds = new Map(parts.flatMap((part) => part.words.map((index) => [index, part] as const)));
  const shown = words.map(({ text }, index) => {
    const part = kinds.get(index);
    if (!part) return text;
    return part.words[0] === index ? `[${part.kind}]` : "";
  });
  return shown.filter((text) => text !== "").join(" ");
}

/** Number of examples in which a card number was not found, or a number that could be a part of it remains. */
function countMissed(hear?: Hear): number {
  const random = makeRandom(7);
  let missed = 0;
  for (let index = 0; index < examples; index++) {
    const example = makeCardExample(random, index);
    const words = wordsOf(example.lines, hear);
    const parts = findSensitive(words, example);
    const masked = new Set(parts.flatMap((part) => part.words));
    const remaining = words.filter((_, at) => !masked.has(at));
    const isWhole = findSensitive(remaining, { language: example.language, phoneNumbers: true }).length === 0;
    if (!isWhole || !parts.some(({ kind }) => kind === "card_number")) missed++;
  }
  return missed;
}

describe("card numbers", () => {
  test(`${examples} in English and French, as people read them out`, () => {
    expect(countMissed()).toBe(0);
  });

  test("as recognisers hear them: one word in twelve is lost, digits are heard as other words", () => {
    const random = makeRandom(11);
    const heardAs: Readonly<Record<string, string>> = { four: "for", two: "to", eight: "ate", zero: "oh", one: "won" };
    const hear = (text: string) => {
      if (random() < 1 / 12) return [];
      return [random() < 0.5 ? (heardAs[text] ?? text) : text];
    };
    expect(countMissed(hear)).toBeLessThanOrEqual(examples * 0.02);
  });

  test(`${examples} telephone numbers, orders, dates and prices are not masked`, () => {
    const random = makeRandom(13);
    let masked = 0;
    for (let index = 0; index < examples; index++) {
      const example = makeNearMiss(random, index);
      if (findSensitive(wordsOf(example.lines), example).length > 0) masked++;
    }
    expect(masked).toBeLessThanOrEqual(examples * 0.05);
  });

  test.each([
    ["double four triple two nine nine one two three four five six seven", "[card_number]"],
    ["4929-1234-5678-9012", "[card_number]"],
    ["it is 4,9,2,9 1234 5678 9012 okay", "it is [card_number] okay"],
    ["forty nine twenty nine twelve thirty four fifty six seventy eight", "[card_number]"],
    // As recognisers wrote card numbers that were spoken in groups.
    ["4268-258-27565-us6505.", "[card_number]"],
    ["Ok it's 40:41 78:33 39:94 32:96", "Ok it's [card_number]"],
    ["3787-Sari1-968-Sari3476-Sari773", "[card_number]"],
    ["oseven ofour 1234 5678 ninth fourth okay", "[card_number] okay"],
  ])("%s", (text, expected) => {
    expect(mask(customer(text))).toBe(expected);
  });

  test("both sides are read together", () => {
    const words = wordsOf([
      { side: "customer", text: "four nine two nine one two" },
      { side: "agent", text: "and it ends with seven seven eight one nine oh?" },
      { side: "customer", text: "yes" },
    ]);
    expect(mask(words)).toBe("[card_number] and it ends with [card_number] yes");
  });

  test("an announced number of which the recogniser lost groups, so that the rest is far apart", () => {
    const asked = wordsOf([{ side: "agent", text: "could you read me your card number please" }]);
    const later = (ms: number, text: string) =>
      customer(text).map((word) => ({ ...word, startMs: word.startMs + ms, endMs: word.endMs + ms }));
    const words = [...asked, ...later(3_000, "sure five to nine for."), ...later(15_000, "Eight, one, two, nine.")];
    expect(mask(words)).toBe("could you read me your card number please sure [card_number]");
    expect(mask(words.slice(asked.length))).not.toContain("[card_number]");
  });

  test("with the security code and the expiry date", () => {
    const words = wordsOf([
      { side: "customer", text: "4929 1234 5678 9012" },
      { side: "agent", text: "and the expiry date" },
      { side: "customer", text: "zero four twenty seven" },
      { side: "agent", text: "thank you and the three digits on the back" },
      { side: "customer", text: "one two three" },
      { side: "agent", text: "lovely that will take two days" },
    ]);
    expect(mask(words)).toBe(
      "[card_number] and the expiry date [expiry_date] thank you and the three digits on the back [security_code] lovely that will take two days",
    );
  });

  test("telephone numbers in which a digit too many was heard are not card numbers", () => {
    const heard = "you can call me on 0790 760 769 764";
    expect(mask(customer(heard))).toBe(heard);
    expect(mask(customer(heard), { language: "en", phoneNumbers: true })).toBe("you can call me on [phone_number]");
    expect(mask(customer(`my card is 0790 760 769 764`))).toBe("my card is [card_number]");
    expect(mask(customer("you can call me on 4929 1234 5678"))).toBe("you can call me on [card_number]");
  });

  test("a price with its pence and a year after a month do not lengthen a number", () => {
    const prices = "That is 37 lbs 99 for the first month then 19 pounds 49 and 16 lbs 9 off after 27 days";
    expect(mask(customer(prices))).toBe(prices);
    const order = wordsOf([
      { side: "customer", text: "My order is 64950321" },
      { side: "agent", text: "it was sent on the 5th of May 2024." },
    ]);
    expect(mask(order)).toBe("My order is 64950321 it was sent on the 5th of May 2024.");
    const paid = "My order is 738-926-78 and I paid 41-67.";
    expect(mask(customer(paid))).toBe(paid);
    expect(mask(customer("my balance is 5 pounds 4 9 2 9 1 2 3 4 5 6 7 8"))).toContain("[card_number]");
  });

  test("in a language without number words of its own", () => {
    const text = "4 9 2 9 1 2 3 4 5 6 7 8 9 0 1 2 danke";
    expect(mask(customer(text), { language: "de" })).toBe("[card_number] danke");
  });
});

test("IBANs, written and spelled", () => {
  expect(mask(customer("it is GB29 NWBK 6016 1331 9268 19 thanks"))).toBe("it is [iban] thanks");
  expect(mask(customer("G B two nine N W B K six zero one six one three three one nine two six eight one nine"))).toBe(
    "[iban]",
  );
});

test("telephone numbers, email addresses and own words on request", () => {
  const text =
    "call me on oh seven seven double oh nine hundred one two three or write to jane dot doe at example dot com";
  expect(mask(customer(text))).toBe(text);
  expect(mask(customer(text), { language: "en", phoneNumbers: true, emails: true })).toBe(
    "call me on [phone_number] or write to [email]",
  );
  expect(mask(customer("The Opération Étoile is secret"), { language: "en", ownWords: ["operation etoile"] })).toBe(
    "The [word] is secret",
  );
});

test("ordinary words that sound like digits remain", () => {
  const text = "I want to pay for two and I would like to know what to do for one of them";
  expect(mask(customer(text))).toBe(text);
});
