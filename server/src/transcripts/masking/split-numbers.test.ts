import { expect, test } from "vitest";
import { findSplitNumbers } from "./split-numbers.ts";
import type { Token } from "./token.ts";

type Spoken = Pick<Token, "kind" | "value"> & Partial<Token>;
const number = (value: string, more: Partial<Token> = {}): Spoken => ({ kind: "number", value, ...more });
const date = (value: string): Spoken => ({ kind: "date", value });
const amount = (value: string): Spoken => ({ kind: "amount", value });
const word: Spoken = { kind: "other", value: "" };
const filler: Spoken = { kind: "filler", value: "" };

/** The values of the numbers that are found. Tokens are a second apart, each half a second long. */
function found(...spoken: readonly Spoken[]): string[] {
  const tokens = spoken.map(
    (token, index): Token => ({
      first: index,
      last: index,
      side: "customer",
      startMs: index * 1_000,
      endMs: index * 1_000 + 500,
      weak: false,
      ...token,
    }),
  );
  return findSplitNumbers(tokens).map((number) => number.map(({ value }) => value).join(" "));
}

test("groups with a word between each two are one number", () => {
  const groups = [number("4929"), word, number("1234"), word, number("5678"), word, number("9012")];
  expect(found(...groups)).toEqual(["4929 1234 5678 9012"]);
  expect(found(word, ...groups, word, word, word)).toEqual(["4929 1234 5678 9012"]);
  expect(found(...groups, word, word, ...groups)).toHaveLength(2);
});

test("at least three groups and fourteen digits, a group of at most six", () => {
  expect(found(number("12345"), word, number("12345"), word, number("1234"))).toEqual(["12345 12345 1234"]);
  expect(found(number("12345"), word, number("1234"), word, number("1234"))).toEqual([]);
  expect(found(number("123456"), word, number("123456"))).toEqual([]);
  expect(found(number("123456"), word, number("1234"), word, number("1234"))).toEqual(["123456 1234 1234"]);
  expect(found(number("1234567"), word, number("1234"), word, number("1234"), word, number("123"))).toEqual([]);
  // Numbers without a word between them are one group.
  const spelled = [number("12"), number("34"), word, number("56"), number("78"), word, number("90"), number("1234")];
  expect(found(...spelled)).toEqual(["12 34 56 78 90 1234"]);
  expect(found(number("1234"), number("5678"), word, number("1234"), word, number("5678"), word, number("1"))).toEqual(
    [],
  );
  expect(found(number("123"), number("456"), number("1234"), number("5678"))).toEqual([]);
});

test("two words end a number, hesitations and those of the other side do not", () => {
  const [a, b, c] = [number("12345"), number("12345"), number("12345")];
  expect(found(a, word, word, b, word, c)).toEqual([]);
  expect(found(a, word, filler, filler, b, word, filler, c)).toEqual(["12345 12345 12345"]);
  const other: Spoken = { ...word, side: "agent" };
  expect(found(a, word, other, other, b, other, word, c)).toEqual(["12345 12345 12345"]);
  expect(found(word, word, word, a, word, b, word, c)).toEqual(["12345 12345 12345"]);
  expect(found(a, word, { ...b, side: "agent" }, word, c)).toEqual([]);
});

test("a pause of more than eight seconds ends a number", () => {
  const third = (startMs: number) => number("12345", { startMs, endMs: startMs + 500 });
  expect(found(number("12345"), word, number("12345"), word, third(10_500))).toEqual(["12345 12345 12345"]);
  expect(found(number("12345"), word, number("12345"), word, third(10_501))).toEqual([]);
  const late = [number("12345", { startMs: 60_000, endMs: 60_500 }), { ...word, startMs: 61_000 }];
  expect(found(...late, third(62_000), { ...word, startMs: 63_000 }, third(64_000))).toEqual(["12345 12345 12345"]);
});

test("dates and amounts of four digits and more may be groups of their own", () => {
  expect(found(number("4929"), word, date("120524"), word, number("5678"))).toEqual(["4929 120524 5678"]);
  expect(found(number("49291"), amount("1234"), number("56789"))).toEqual(["49291 1234 56789"]);
  expect(found(number("49291"), amount("123"), number("56789"), word, number("12345"))).toEqual(["49291 56789 12345"]);
});
