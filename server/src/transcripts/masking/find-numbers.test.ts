import { expect, test } from "vitest";
import { readAnnouncements } from "./announcements.ts";
import { dropLoneWeakNumbers, findRuns } from "./find-numbers.ts";
import { openMaskingSlices } from "./masking-slices.ts";
import type { Token } from "./token.ts";

const kinds = {
  w: "other",
  f: "filler",
  r: "repeat",
  a: "amount",
  m: "month",
  d: "date",
  l: "label",
  c: "card",
  q: "cue",
  n: "number",
  s: "letter",
} as const;

/**
 * Tokens of half a second each: a kind and a value, such as `n1234`, in capitals if the other side says it. `~` is a weak number, `+` so
 * many milliseconds of silence.
 */
function read(text: string): Token[] {
  let at = 0;
  return text.split(" ").flatMap((word, index): Token[] => {
    if (word.startsWith("+")) {
      at += Number(word.slice(1));
      return [];
    }
    at += 500;
    const letter = word.charAt(0);
    const kind = letter === "~" ? "number" : kinds[letter.toLowerCase() as keyof typeof kinds];
    const side = letter === letter.toUpperCase() && letter !== "~" ? "agent" : "customer";
    const times = { startMs: at - 500, endMs: at };
    return [{ kind, first: index, last: index, side, ...times, value: word.slice(1), weak: letter === "~" }];
  });
}

/** Digits of each run; `!` if it is something else than a card number. */
async function runs(text: string): Promise<string> {
  const tokens = read(text);
  const found = await findRuns(tokens, readAnnouncements(tokens), openMaskingSlices());
  return found.map(({ digits, isOther, iban }) => `${iban ? "iban " : ""}${digits}${isOther ? "!" : ""}`).join(" ");
}
const words = (count: number, word = "w") => Array<string>(count).fill(word).join(" ");

test.each([
  ["a pause of 8 s is within a number", "n1234 +8000 n5678", "8"],
  ["a longer one is not", "n1234 +8001 n5678", "4 4"],
  ["eight words of the side are within", `n1234 ${words(8)} n5678`, "8"],
  ["nine are not", `n1234 ${words(9)} n5678`, "4 4"],
  ["words of the other side do not count", `n1234 ${words(12, "W")} n5678`, "8"],
  ["words are counted from the last digit", `n1 ${words(5)} n2 ${words(5)} n3`, "3"],
  ["hesitations do not count", `n1234 ${words(12, "f")} n5678`, "8"],
  ["two words after a complete number", `n12345678 n12345678 ${words(2)} n12345678`, "20"],
  ["three words after a complete number end it", `n4234567812345678 ${words(3)} n99`, "16 2"],
  ["of both sides", "n4234567812345678 w W w n99", "16 2"],
  ["one of 15 digits is not complete", `n423456781234567 ${words(3)} n99`, "17"],
  ["unless it begins with 3", `n342345678123456 ${words(3)} n99`, "15 2"],
  ["an amount of the side ends it", "n1234 a5 n5678", "4 4"],
  ["one of the other side does not", "n1234 A5 n5678", "8"],
  ["a month ends it", "n1234 m5 n5678", "4 4"],
  ["a date ends it", "n1234 d5 n5678", "4 4"],
  ["a cue ends it, whoever says it", "n1234 Qexpiry_date n5678", "4 4"],
  ["a label of the side ends it", "n1234 lphone n5678", "4 4"],
  ["one of the other side after 11 digits does not", "n12345678901 Lphone n5678", "15"],
  ["one of the other side after 12 digits does", "n123456789012 Lphone n5678", "12 4"],
  ["a card does not end it", "n1234 c n5678", "8"],
  ["a card ends a telephone number", "lphone n1234 c n5678", "4! 4"],
  ["a date of birth", "lbirth n1234 c n5678", "4! 4"],
  ["an order", "lother n1234 c n5678", "4! 4"],
  ["not a number that nothing announced", "n1234567890123 c n5678", "17"],
  ["nor a card number", "c n1234 +4001 c n5678", "8"],
  ["a date written with digits", "n12061990 c n5678", "8! 4"],
  ["an IBAN", "sgb29 n60161331926819", "iban 16"],
  ["an IBAN after other digits", "n77 sgb n29 n60161331926819", "iban 18"],
])("%s", async (_, text, expected) => {
  expect(await runs(text)).toBe(expected);
});

test.each([
  ["beside a number", "sg n1234", "g 1234"],
  ["after a number", "n1234 sg", "1234 g"],
  ["beside another letter", "sg sb w n1234", "g b 1234"],
  ["2.5 s from a number", "n1234 +2500 sg", "1234 g"],
  ["further away", "n1234 +2501 sg n5678", "1234 g 5678"],
  ["between words", "n1234 w si w n5678", "1234 5678"],
  ["beside a number of the other side", "n1234 w Si w n5678", "1234 5678"],
  ["as a mix of letters and digits", "n1234 w sgb29 w n5678", "1234 gb29 5678"],
])("a letter %s", async (_, text, expected) => {
  const [run] = await findRuns(read(text), readAnnouncements([]), openMaskingSlices());
  expect(run?.tokens.map(({ value }) => value).join(" ")).toBe(expected);
});

test("a run lasts from its first token to the end of that which ends last", async () => {
  const [one, two] = read("n1234 n5678");
  if (!one || !two) throw new Error("no tokens");
  const spanOf = async (...tokens: Token[]) => {
    const [run] = await findRuns(tokens, readAnnouncements([]), openMaskingSlices());
    return [run?.startMs, run?.endMs];
  };
  expect(await spanOf(one, two)).toEqual([0, 1000]);
  expect(await spanOf({ ...one, startMs: 100, endMs: 3000 }, { ...two, side: "agent" })).toEqual([100, 3000]);
});

test("what is said again is counted once, also by the other side", async () => {
  expect(await runs("n12345678 N12345678")).toBe("8");
  expect(await runs("n12345678 r n12345678")).toBe("8");
  expect(await runs("n12345678 n12345678")).toBe("16");
  expect(await runs("n12345678 N90817263")).toBe("16");
});

test("digits are counted up to 20, in at most 100 parts", async () => {
  expect(await runs(words(5, "n12345"))).toBe("20");
  expect(await runs("n12345678901234567890123 N1")).toBe("20");
  expect(await runs(words(50, "n1234567 N1234567"))).toBe("7");
  expect(await runs(words(51, "n1234567 N1234567"))).toBe("20");
});

test("weak numbers that do not count are ordinary words", async () => {
  const tokens = await dropLoneWeakNumbers(read("w ~2 a5"), openMaskingSlices());
  expect(tokens.map(({ kind, value }) => [kind, value])).toEqual([
    ["other", ""],
    ["other", "2"],
    ["amount", "5"],
  ]);
});

/** The digits that remain numbers. */
async function kept(text: string): Promise<string> {
  const tokens = await dropLoneWeakNumbers(read(text), openMaskingSlices());
  return tokens.flatMap(({ kind, value }) => (kind === "number" ? [value] : [])).join(" ");
}

test.each([
  ["a weak number beside a strong one", "n49 ~2", "49 2"],
  ["before a strong one", "~2 n49", "2 49"],
  ["beside one that counts", "n49 ~2 ~4", "49 2 4"],
  ["2.5 s from it", "n49 +2500 ~2", "49 2"],
  ["further from it", "n49 +2501 ~2", "49"],
  ["with a hesitation between", "n49 f ~2", "49 2"],
  ["with a word between", "n49 w ~2", "49"],
  ["with a word of the other side between", "n49 W ~2", "49 2"],
  ["of the other side", "N49 w ~2", "49"],
  ["alone", "~2 w ~4", ""],
  ["two short ones", "~10 ~30", ""],
  ["two long ones", "~4078 ~3339", "4078 3339"],
  ["a long and a short one", "~4078 ~33", ""],
  ["a date beside a strong number", "n49 d12", "49 12"],
  ["a date alone", "d12 w", ""],
  ["a weak number beside a long date", "d2024 ~4078", ""],
])("weak numbers: %s", async (_, text, expected) => {
  expect(await kept(text)).toBe(expected);
});
