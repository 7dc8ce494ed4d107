/** Ways to say a displayed word, as words of the aligner's dictionary. `4929` may be four digits or two numbers. */
export type SpokenForms = readonly (readonly string[])[];

const digits = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const teens = ["ten", "eleven", "twelve", "thirteen", "fourteen"].concat([
  "fifteen",
  "sixteen",
  "seventeen",
  "eighteen",
  "nineteen",
]);
const tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const symbols: Readonly<Record<string, string>> = {
  "£": "pounds",
  $: "dollars",
  "€": "euros",
  "%": "percent",
  "&": "and",
};
/** More digits than this are said one by one or in pairs. */
const longestNumber = 6;

/** The ways to say one displayed word in English. Empty if there is nothing to say, such as a dash. */
export function spokenForms(displayed: string): SpokenForms {
  const text = displayed.toLowerCase().replaceAll("’", "'");
  const unit = [...text].map((char) => symbols[char]).find((word) => word !== undefined);
  const groups = text.match(/\d+|[\p{L}']+/gu) ?? [];
  const words = groups.map((group) => group.replaceAll(/^'+|'+$/g, "")).filter((group) => group !== "");
  if (words.length === 0) return unit ? [[unit]] : [];
  const forms = words.map((word) => (/\d/.test(word) ? numberForms(word) : [[word]]));
  // Groups of one word are said in the same way: all by digits, or all in pairs.
  const most = Math.max(...forms.map((each) => each.length));
  const said = Array.from({ length: most }, (_, way) =>
    forms.flatMap((each) => each[Math.min(way, each.length - 1)] ?? []),
  );
  return unit ? said.map((form) => [...form, unit]) : said;
}

function numberForms(text: string): string[][] {
  const single = [...text].map((digit) => digits[Number(digit)] as string);
  const forms = [single];
  if (text.includes("0")) forms.push(single.map((word) => (word === "zero" ? "oh" : word)));
  if (text.length > 1 && text.length % 2 === 0) forms.push((text.match(/../g) ?? []).flatMap(pair));
  if (text.length <= longestNumber && !text.startsWith("0")) forms.push(cardinal(Number(text)));
  return forms;
}

function pair(text: string): string[] {
  const value = Number(text);
  return value < 10 ? ["oh", digits[value] as string] : cardinal(value);
}

function cardinal(value: number): string[] {
  if (value < 10) return [digits[value] as string];
  if (value < 20) return [teens[value - 10] as string];
  if (value < 100) return [tens[Math.floor(value / 10) - 2] as string, ...rest(value % 10)];
  if (value < 1000) return [...cardinal(Math.floor(value / 100)), "hundred", ...rest(value % 100)];
  return [...cardinal(Math.floor(value / 1000)), "thousand", ...rest(value % 1000)];
}

const rest = (value: number) => (value === 0 ? [] : cardinal(value));
