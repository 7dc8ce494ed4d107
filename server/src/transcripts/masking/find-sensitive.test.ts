import { makeCard, makeCardExample, makeNearMiss, type SpokenLine } from "@hearback/portable/testing/spoken-corpus";
import { describe, expect, test } from "vitest";
import { customer, type Hear, makeRandom, mask, wordsOf } from "../../testing/spoken-words.ts";
import { findSensitive } from "./find-sensitive.ts";

const examples = 600;

/** Number of examples in which a card number was not found, or a number that could be a part of it remains. */
async function countMissed(hear?: Hear): Promise<number> {
  const random = makeRandom(7);
  let missed = 0;
  for (let index = 0; index < examples; index++) {
    const example = makeCardExample(random, index);
    const words = wordsOf(example.lines, hear);
    const parts = await findSensitive(words, example);
    const masked = new Set(parts.flatMap((part) => part.words));
    const remaining = words.filter((_, at) => !masked.has(at));
    const left = await findSensitive(remaining, { language: example.language, phoneNumbers: true });
    if (left.length > 0 || !parts.some(({ kind }) => kind === "card_number")) missed++;
  }
  return missed;
}

describe("card numbers", () => {
  test(`${examples} in English and French, as people read them out`, async () => {
    expect(await countMissed()).toBe(0);
  });

  test("as recognisers hear them: one word in twelve is lost, digits are heard as other words", async () => {
    const random = makeRandom(11);
    const heardAs: Readonly<Record<string, string>> = { four: "for", two: "to", eight: "ate", zero: "oh", one: "won" };
    const hear = (text: string) => {
      if (random() < 1 / 12) return [];
      return [random() < 0.5 ? (heardAs[text] ?? text) : text];
    };
    expect(await countMissed(hear)).toBeLessThanOrEqual(examples * 0.02);
  });

  test(`${examples} telephone numbers, orders, dates and prices are not masked`, async () => {
    const random = makeRandom(13);
    let masked = 0;
    for (let index = 0; index < examples; index++) {
      const example = makeNearMiss(random, index);
      if ((await findSensitive(wordsOf(example.lines), example)).length > 0) masked++;
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
  ])("%s", async (text, expected) => {
    expect(await mask(customer(text))).toBe(expected);
  });

  test(`of ${examples} that both sides interrupt with other matters, at most 4 % keep more than four digits`, async () => {
    const random = makeRandom(31);
    const matters = [
      ...["hold on", "one moment", "what card is it", "order", "may", "it is a visa card", "call you back", "valid"],
      ...["is that the card", "let me look at the card", "is it 12 June", "two", "got it", "I think", "um", "sorry"],
    ];
    let kept = 0;
    for (let index = 0; index < examples; index++) {
      const groups: readonly string[] = makeCard(random).match(/.{1,4}/g) ?? [];
      const lines = groups.flatMap((text): SpokenLine[] => {
        const matter = matters[Math.floor(random() * matters.length)] as string;
        const side = random() < 0.5 ? "agent" : "customer";
        return [{ side: "customer", text }, ...(random() < 0.5 ? [{ side, text: matter } as const] : [])];
      });
      const words = wordsOf([{ side: "agent", text: "your card number please" }, ...lines]);
      const masked = new Set((await findSensitive(words, { language: "en" })).flatMap((part) => part.words));
      const left = words.filter(({ text }, at) => groups.includes(text) && !masked.has(at));
      if (left.length > 1) kept++;
    }
    expect(kept).toBeLessThanOrEqual(examples * 0.04);
  });

  test("both sides are read together", async () => {
    const words = wordsOf([
      { side: "customer", text: "four nine two nine one two" },
      { side: "agent", text: "and it ends with seven seven eight one nine oh?" },
      { side: "customer", text: "yes" },
    ]);
    expect(await mask(words)).toBe("[card_number] and it ends with [card_number] yes");
  });

  test("an announced number of which the recogniser lost groups, so that the rest is far apart", async () => {
    const asked = wordsOf([{ side: "agent", text: "could you read me your card number please" }]);
    const later = (ms: number, text: string) =>
      customer(text).map((word) => ({ ...word, startMs: word.startMs + ms, endMs: word.endMs + ms }));
    const words = [...asked, ...later(3_000, "sure five to nine for."), ...later(15_000, "Eight, one, two, nine.")];
    expect(await mask(words)).toBe("could you read me your card number please sure [card_number]");
    expect(await mask(words.slice(asked.length))).not.toContain("[card_number]");
  });

  test("with the security code and the expiry date", async () => {
    const words = wordsOf([
      { side: "customer", text: "4929 1234 5678 9012" },
      { side: "agent", text: "and the expiry date" },
      { side: "customer", text: "zero four twenty seven" },
      { side: "agent", text: "thank you and the three digits on the back" },
      { side: "customer", text: "one two three" },
      { side: "agent", text: "lovely that will take two days" },
    ]);
    expect(await mask(words)).toBe(
      "[card_number] and the expiry date [expiry_date] thank you and the three digits on the back [security_code] lovely that will take two days",
    );
  });

  test("telephone numbers in which a digit too many was heard are not card numbers", async () => {
    const heard = "you can call me on 0790 760 769 764";
    expect(await mask(customer(heard))).toBe(heard);
    expect(await mask(customer(heard), { language: "en", phoneNumbers: true })).toBe(
      "you can call me on [phone_number]",
    );
    expect(await mask(customer(`my card is 0790 760 769 764`))).toBe("my card is [card_number]");
    expect(await mask(customer("you can call me on 4929 1234 5678"))).toBe("you can call me on [card_number]");
  });

  test("a price with its pence and a year after a month do not lengthen a number", async () => {
    const prices = "That is 37 lbs 99 for the first month then 19 pounds 49 and 16 lbs 9 off after 27 days";
    expect(await mask(customer(prices))).toBe(prices);
    const order = wordsOf([
      { side: "customer", text: "My order is 64950321" },
      { side: "agent", text: "it was sent on the 5th of May 2024." },
    ]);
    expect(await mask(order)).toBe("My order is 64950321 it was sent on the 5th of May 2024.");
    const paid = "My order is 738-926-78 and I paid 41-67.";
    expect(await mask(customer(paid))).toBe(paid);
    expect(await mask(customer("my balance is 5 pounds 4 9 2 9 1 2 3 4 5 6 7 8"))).toContain("[card_number]");
  });

  test("in a language without number words of its own", async () => {
    const text = "4 9 2 9 1 2 3 4 5 6 7 8 9 0 1 2 danke";
    expect(await mask(customer(text), { language: "de" })).toBe("[card_number] danke");
  });
});

test("IBANs, written and spelled", async () => {
  expect(await mask(customer("it is GB29 NWBK 6016 1331 9268 19 thanks"))).toBe("it is [iban] thanks");
  expect(
    await mask(customer("G B two nine N W B K six zero one six one three three one nine two six eight one nine")),
  ).toBe("[iban]");
});

test("telephone numbers, email addresses and own words on request", async () => {
  const text =
    "call me on oh seven seven double oh nine hundred one two three or write to jane dot doe at example dot com";
  expect(await mask(customer(text))).toBe(text);
  expect(await mask(customer(text), { language: "en", phoneNumbers: true, emails: true })).toBe(
    "call me on [phone_number] or write to [email]",
  );
  expect(
    await mask(customer("The Opération Étoile is secret"), { language: "en", ownWords: ["operation etoile"] }),
  ).toBe("The [word] is secret");
});

test("ordinary words that sound like digits remain", async () => {
  const text = "I want to pay for two and I would like to know what to do for one of them";
  expect(await mask(customer(text))).toBe(text);
});

const number = "4929 1234 5678 9012";

test.each([
  // Announced as something else: a card number all the same if it begins like one.
  ["my order is 1234 5678 9012 3456", "my order is [other]"],
  [`my order is ${number}`, "my order is [card_number]"],
  ["you can call me on 1234 5678 9012 3456", "you can call me on [other]"],
  ["my date of birth is 1234 5678 9012 3456", "my date of birth is [other]"],
  ["it is 1234 5678 9012 3456", "it is [card_number]"],
  // Telephone numbers begin with 0 and have at most 13 digits.
  ["you can call me on 5790 1234 5678", "you can call me on [card_number]"],
  ["you can call me on 0790 760 769 76412", "you can call me on [other]"],
  // Up to four years.
  ["in 2019 2020 2021 2022", "in 2019 2020 2021 2022"],
  ["in 2018 2019 2020 2021 2022", "in [card_number]"],
  // Up to four words between digits.
  ["4929 1234 then there is then 5678 9012", "[card_number]"],
  ["4929 1234 then there is then also 5678 9012", "[card_number] then there is then also [card_number]"],
  [`${number} and then the other one is ${number}`, "[card_number] and then the other one is [card_number]"],
  // Few digits after the mention of a card.
  ["my card and my house 305", "my card and my house 305"],
])("%s", async (text, expected) => {
  expect(await mask(customer(text))).toBe(expected);
});

test("words of the other side between the digits remain", async () => {
  const words = wordsOf([
    { side: "customer", text: "4929 1234" },
    { side: "agent", text: "okay then" },
    { side: "customer", text: "5678 9012" },
  ]);
  expect(await mask(words)).toBe("[card_number] okay then");
});

test("groups that are more than half a minute apart are not one announced number", async () => {
  const later = (ms: number) =>
    customer("my card 1234").map((word) => ({ ...word, startMs: word.startMs + ms, endMs: word.endMs + ms }));
  expect(await mask([...later(0), ...later(25_000)])).toBe("my card [card_number] my card [card_number]");
  expect(await mask([...later(0), ...later(45_000)])).toBe("my card 1234 my card 1234");
});

test("telephone numbers have at least seven digits", async () => {
  const options = { language: "en", phoneNumbers: true };
  expect(await mask(customer("call 555123 now"), options)).toBe("call 555123 now");
  expect(await mask(customer("call 5551234 now"), options)).toBe("call [phone_number] now");
});
