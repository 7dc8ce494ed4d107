/** Number words of one language, without accents. */
interface NumberWords {
  /** Words of one number below 100, such as `forty` or `seize`. */
  readonly small: Readonly<Record<string, number>>;
  /** Numbers to which a smaller one can be added (`forty two`, `soixante dix sept`), and the largest such addition. */
  readonly tens: Readonly<Record<number, number>>;
  readonly hundred: readonly string[];
  readonly thousand: readonly string[];
  /** Joins the parts of a number: `four hundred and two`, `vingt et un`. */
  readonly and: string;
  readonly repeats: Readonly<Record<string, number>>;
  /** Words that sound like a digit. They are digits only next to another one. */
  readonly soundsLike: Readonly<Record<string, string>>;
}

const english: NumberWords = {
  small: {
    ...count(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"], 0, 1),
    ...count(["twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"], 12, 1),
    ...count(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 20, 10),
    nought: 0,
    naught: 0,
    fourty: 40,
  },
  tens: { 20: 9, 30: 9, 40: 9, 50: 9, 60: 9, 70: 9, 80: 9, 90: 9 },
  hundred: ["hundred"],
  thousand: ["thousand"],
  and: "and",
  repeats: { double: 2, triple: 3, treble: 3, quadruple: 4 },
  soundsLike: {
    ...{ oh: "0", o: "0", ow: "0", owe: "0", won: "1", want: "1", to: "2", too: "2", tu: "2", tree: "3", free: "3" },
    ...{ for: "4", fore: "4", far: "4", fall: "4", fife: "5", hive: "5", sex: "6", sick: "6", sicks: "6", ate: "8" },
    ...{ hate: "8", eighth: "8", nein: "9", mine: "9", nigh: "9", night: "9", nigher: "9", line: "9", none: "9" },
    ...{ fourth: "4", fifth: "5", sixth: "6", seventh: "7", ninth: "9" },
  },
};

const french: NumberWords = {
  small: {
    ...count(["zero", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze"], 0, 1),
    ...count(["douze", "treize", "quatorze", "quinze", "seize"], 12, 1),
    ...count(["vingt", "trente", "quarante", "cinquante", "soixante", "septante", "octante", "nonante"], 20, 10),
    une: 1,
    vingts: 20,
    huitante: 80,
  },
  tens: { 10: 9, 20: 9, 30: 9, 40: 9, 50: 9, 60: 19, 70: 9, 80: 19, 90: 9 },
  hundred: ["cent", "cents"],
  thousand: ["mille"],
  and: "et",
  repeats: { double: 2, triple: 3 },
  soundsLike: { cette: "7", set: "7", sink: "5", saint: "5", cis: "6", disent: "10", oeuf: "9", catre: "4", troi: "3" },
};

function count(names: readonly string[], first: number, step: number): Record<string, number> {
  return Object.fromEntries(names.map((name, index) => [name, first + index * step]));
}

/** A number that begins at a word. */
export interface ReadNumber {
  readonly digits: string;
  /** How many words it has. */
  readonly length: number;
}

/** Numbers of a language; both languages for any other one, because to mask too much is better than too little. */
export const numberWordsOf = (language: string): readonly NumberWords[] =>
  language.startsWith("en") ? [english] : language.startsWith("fr") ? [french] : [english, french];

export type { NumberWords };

/** Reads the longest number that begins at `start`: `four`, `quatre vingt dix sept`, `double oh`. */
export function readNumber(names: readonly string[], start: number, words: NumberWords): ReadNumber | undefined {
  const repeat = words.repeats[names[start] ?? ""];
  if (repeat) {
    const next = names[start + 1] ?? "";
    const digits = words.soundsLike[next] ?? String(words.small[next] ?? "");
    return digits.length === 1 ? { digits: digits.repeat(repeat), length: 2 } : undefined;
  }
  const thousands = readBelowThousand(names, start, words);
  const at = start + (thousands?.length ?? 0);
  if (!words.thousand.includes(names[at] ?? "")) return thousands && asText(thousands);
  const rest = readAddition(names, at + 1, words, readBelowThousand);
  const value = (thousands?.value ?? 1) * 1000 + (rest?.value ?? 0);
  return asText({ value, length: at + 1 - start + (rest?.length ?? 0) });
}

interface ReadValue {
  readonly value: number;
  readonly length: number;
}

const asText = ({ value, length }: ReadValue): ReadNumber => ({ digits: String(value), length });

type Read = (names: readonly string[], start: number, words: NumberWords) => ReadValue | undefined;

/** Reads a number after a larger unit, with or without `and`. */
function readAddition(names: readonly string[], start: number, words: NumberWords, read: Read): ReadValue | undefined {
  const joined = names[start] === words.and ? 1 : 0;
  const found = read(names, start + joined, words);
  return found && found.value > 0 ? { value: found.value, length: found.length + joined } : undefined;
}

function readBelowThousand(names: readonly string[], start: number, words: NumberWords): ReadValue | undefined {
  const hundreds = readBelowHundred(names, start, words);
  const at = start + (hundreds?.length ?? 0);
  if (!words.hundred.includes(names[at] ?? "") || hundreds?.value === 0) return hundreds;
  const rest = readAddition(names, at + 1, words, readBelowHundred);
  return {
    value: (hundreds?.value ?? 1) * 100 + (rest?.value ?? 0),
    length: at + 1 - start + (rest?.length ?? 0),
  };
}

function readBelowHundred(names: readonly string[], start: number, words: NumberWords): ReadValue | undefined {
  const first = words.small[names[start] ?? ""];
  if (first === undefined) return undefined;
  // Quatre-vingts.
  const isEighty = words === french && first === 4 && /^vingts?$/.test(names[start + 1] ?? "");
  const base = isEighty ? 80 : first;
  const length = isEighty ? 2 : 1;
  const most = words.tens[base];
  if (most === undefined) return { value: base, length };
  const joined = words.and === "et" && names[start + length] === words.and ? 1 : 0;
  // Dix-sept, but not dix-deux.
  const least = base === 10 ? 7 : 1;
  const added = readAddend([least, most], names, start + length + joined, words);
  return added ? { value: base + added.value, length: length + joined + added.length } : { value: base, length };
}

/** Reads a number within a range: `two`, or `dix sept` after `soixante`. */
function readAddend(
  [least, most]: readonly [number, number],
  names: readonly string[],
  start: number,
  words: NumberWords,
): ReadValue | undefined {
  const value = words.small[names[start] ?? ""];
  if (value === undefined || value < least || value > most) return undefined;
  // Quarante, quatre-vingt-dix-huit: not 44.
  if (words === french && value === 4 && /^vingts?$/.test(names[start + 1] ?? "")) return undefined;
  const unit = words.small[names[start + 1] ?? ""];
  if (words === french && value === 10 && most === 19 && unit !== undefined && unit >= 7 && unit <= 9)
    return { value: value + unit, length: 2 };
  return { value, length: 1 };
}
