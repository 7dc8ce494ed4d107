import { makeCard } from "@hearback/portable/testing/spoken-corpus";
import { describe, expect, test } from "vitest";
import { customer, makeRandom, mask, seed, wordsOf } from "../../testing/spoken-words.ts";
import { findSensitive } from "./find-sensitive.ts";
import { normalizeText } from "./normalize-text.ts";

const characters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
const zeros = characters.filter((char) => /\p{Nd}/u.test(char)).filter((_, index) => index % 10 === 0);
/** All punctuation, currencies, operators and invisible characters, and some of the thousands of other symbols. */
const signs = characters
  .filter((char, index) => /[\p{P}\p{Sc}\p{Sk}\p{Sm}\p{Cf}]/u.test(char) || (/\p{So}/u.test(char) && index % 10 === 0))
  .filter((char) => !/\d/.test(normalizeText(char)));

const written = (digits: string, zero: string) =>
  Array.from(digits, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit))).join("");
const groupsOf = (card: string) => card.match(/.{1,4}/g) ?? [];

/** Whether a digit remains. */
async function remains(text: string): Promise<boolean> {
  const words = customer(text);
  const masked = new Set((await findSensitive(words, { language: "zh" })).flatMap((part) => part.words));
  return words.some(({ text: each }, index) => !masked.has(index) && /\d/.test(normalizeText(each)));
}

async function whichRemain(texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const text of texts) if (await remains(text)) found.push(text);
  return found;
}

describe(`card numbers are masked (SEED=${seed})`, () => {
  const random = makeRandom(seed);
  const pick = (items: readonly string[]) => items[Math.floor(random() * items.length)] as string;

  test("in the digits of every script", async () => {
    expect(zeros.length).toBeGreaterThan(60);
    const texts = zeros.flatMap((zero) => {
      const groups = groupsOf(written(makeCard(random), zero));
      return [groups.join(" "), groups.join(""), `谢谢${groups.join("-")}です`];
    });
    expect(await whichRemain(texts)).toEqual([]);
  });

  test("with signs between their groups, around them, and in words of their own", async () => {
    expect(signs.length).toBeGreaterThan(2_000);
    const texts = signs.map((sign, index) => {
      const groups = groupsOf(makeCard(random));
      if (index % 3 === 0) return groups.join(sign);
      return index % 3 === 1 ? groups.map((group) => `${sign}${group}`).join(" ") : groups.join(` ${sign} `);
    });
    expect(await whichRemain(texts)).toEqual([]);
  });

  test("in any script with any sign", async () => {
    const texts = Array.from({ length: 1_000 }, () =>
      groupsOf(written(makeCard(random), pick(zeros))).join(pick(signs) + pick(["", pick(signs)])),
    );
    expect(await whichRemain(texts)).toEqual([]);
  });

  test.each([
    "我的卡号是4929123456789012谢谢",
    "カード番号は4929-1234-5678-9012です",
    "④⑨②⑨ ①②③④ ⑤⑥⑦⑧ ⑨⓪①②",
    "❹❾❷❾ ❶❷❸❹ ❺❻❼❽ ❾⓿❶❷",
    "⁴⁹²⁹¹²³⁴⁵⁶⁷⁸⁹⁰¹²",
    "四九二九 一二三四 五六七八 九〇一二",
    "4929<br>1234<br>5678<br>9012",
    "4929 <br> 1234 <br> 5678 <br> 9012",
    "4929…1234…5678…9012",
    "€4929123456789012",
    "$4929 $1234 $5678 $9012",
    "4929123456789012th",
    "4929th 1234th 5678th 9012th",
    "4929% 1234% 5678% 9012%",
    "4929 order 1234 order 5678 order 9012",
    "4929 march 1234 march 5678 march 9012",
    "4929 £5 1234 £5 5678 £5 9012",
    "4929 pounds 1234 pounds 5678 pounds 9012 pounds",
    "four nine two nine order one two three four invoice five six seven eight order nine oh one two",
    "four nine two nine five pounds one two three four five pounds five six seven eight five pounds nine oh one two",
  ])("%s", async (text) => {
    expect(await mask(customer(text))).toMatch(/^\[card_number\](?: pounds)?$/);
  });
});

test.each([
  "from 12/05/2024 to 13/06/2024",
  "from 12/05/2024 - 13/06/2024",
  "2024年5月12日至2024年6月13日",
  "from £1,250.00 to £1,300.00",
  "in 2019, 2020 and 2021",
  "from 12 March 2024 to 31 March 2025",
  "我有一个问题，一共三次，两个人，五天，六个月，七年，八月，九点",
])("%s remains", async (text) => {
  expect(await mask(customer(text))).toBe(text);
});

test("what the other side asks for after a card number is not taken for a part of it", async () => {
  const words = wordsOf([
    { side: "customer", text: "4929 1234 5678 9012" },
    { side: "agent", text: "and which house number is that" },
    { side: "customer", text: "12" },
  ]);
  expect(await mask(words)).toBe("[card_number] and which house number is that 12");
});
