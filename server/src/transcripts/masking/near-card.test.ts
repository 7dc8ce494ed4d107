import { expect, test } from "vitest";
import type { Announced } from "./announcements.ts";
import { openNearCard } from "./near-card.ts";
import type { Token } from "./token.ts";

const token = (value: string, startMs: number, endMs = startMs + 1_000): Token => ({
  kind: "number",
  first: 0,
  last: 0,
  side: "customer",
  startMs,
  endMs,
  value,
  weak: false,
});
/** A number that takes a second. */
const run = (value: string, startMs: number) => ({
  tokens: [token(value, startMs)],
  startMs,
  endMs: startMs + 1_000,
  digits: value.length,
  iban: false,
  isOther: false,
});
const announced = (value?: Announced) => ({ at: () => value, mentioned: () => false });
const complete = run("4929123456789012", 100_000);
const incomplete = run("492912345678", 100_000);
/** What a number is that ends or begins so long before or after a card number. */
const beside = (value: string, distanceMs: number, said?: Announced, card = complete) =>
  openNearCard([card], announced(said)).kindOf(run(value, distanceMs < 0 ? 99_000 + distanceMs : 101_000 + distanceMs));

test("a security code and an expiry date that were asked for, up to 45 seconds from the card number", () => {
  for (const distance of [-45_000, 0, 45_000]) {
    expect(beside("123", distance, "security_code")).toBe("security_code");
    expect(beside("1234", distance, "security_code")).toBe("security_code");
    expect(beside("12345", distance, "security_code")).toBe("other");
    expect(beside("1", distance, "security_code")).toBeUndefined();
    expect(beside("0427", distance, "expiry_date")).toBe("expiry_date");
    expect(beside("122030", distance, "expiry_date")).toBe("expiry_date");
    expect(beside("1327", distance, "expiry_date")).toBe("other");
  }
  for (const distance of [-45_001, 45_001]) expect(beside("123", distance, "security_code")).toBeUndefined();
});

test("numbers of which nothing was said, of three digits and more, up to 30 seconds from the card number", () => {
  for (const distance of [-30_000, 30_000]) {
    expect(beside("123", distance)).toBe("other");
    expect(beside("12", distance)).toBeUndefined();
    for (const said of ["phone", "birth", "other"] as const) expect(beside("123", distance, said)).toBeUndefined();
  }
  for (const distance of [-30_001, 30_001]) expect(beside("123", distance)).toBeUndefined();
  // A date, unless a card was announced.
  expect(beside("12051984", 1_000)).toBeUndefined();
  expect(beside("12051984", 1_000, "card")).toBe("other");
});

test("an unfinished attempt is a beginning of five digits and more of the card number", () => {
  expect(beside("49291", 1_000)).toBe("card_number");
  expect(beside("4929123456", 1_000)).toBe("card_number");
  expect(beside("4929", 1_000)).toBe("other");
  expect(beside("92912", 1_000)).toBe("other");
  const long = run("1".repeat(25), 100_000);
  expect(beside("1".repeat(19), 1_000, undefined, long)).toBe("card_number");
  expect(beside("1".repeat(20), 1_000, undefined, long)).toBe("other");
  const spaced = { ...complete, tokens: [token("4929-", 100_000), token("12 34", 100_500)] };
  expect(beside("492912", 1_000, undefined, spaced)).toBe("card_number");
});

test("beside a number from which digits are missing, they are these digits, whatever was said", () => {
  for (const distance of [-8_000, 8_000]) {
    expect(beside("1234", distance, "phone", incomplete)).toBe("other");
    expect(beside("1234", distance, "phone", complete)).toBeUndefined();
    expect(beside("12051984", distance, "other", incomplete)).toBeUndefined();
  }
  expect(beside("1234", 8_001, "phone", incomplete)).toBeUndefined();
});

test("months with a year, not with a day", () => {
  const kindOf = (distanceMs: number, said?: Announced, change = {}) => {
    const startMs = 101_000 + distanceMs;
    const month = { ...token("may", startMs), kind: "month" as const };
    const shown = { month, tokens: [month, token("2027", startMs + 1_000)], hasDay: false, year: "2027", ...change };
    return openNearCard([complete], announced(said)).kindOfDate(shown);
  };
  expect([kindOf(45_000, "expiry_date"), kindOf(45_001, "expiry_date")]).toEqual(["expiry_date", undefined]);
  expect([kindOf(15_000), kindOf(15_001)]).toEqual(["other", undefined]);
  for (const said of ["phone", "birth", "other"] as const) expect(kindOf(1_000, said)).toBeUndefined();
  expect(kindOf(1_000, "expiry_date", { hasDay: true })).toBeUndefined();
  expect(kindOf(1_000, "expiry_date", { year: "1984" })).toBeUndefined();
  expect(kindOf(1_000, "expiry_date", { year: undefined })).toBeUndefined();
  // Without tokens, where the month is.
  expect([kindOf(15_000, undefined, { tokens: [] }), kindOf(15_001, undefined, { tokens: [] })]).toEqual([
    "other",
    undefined,
  ]);
  // Before the card number, the end of the date counts.
  expect([kindOf(-2_000 - 2_000 - 15_000), kindOf(-2_000 - 2_000 - 14_000)]).toEqual([undefined, "other"]);
});

test("the nearest of several card numbers counts", () => {
  const near = openNearCard([run("4929123456789012", 0), run("4929123456789012", 200_000)], announced());
  const kinds = [31_000, 31_001, 168_999, 169_000].map((startMs) => near.kindOf(run("123", startMs)));
  expect(kinds).toEqual(["other", undefined, undefined, "other"]);
});
