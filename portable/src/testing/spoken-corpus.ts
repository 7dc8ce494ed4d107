/** Sentences of two people, for tests of masking. */
export interface SpokenLine {
  readonly side: "agent" | "customer";
  readonly text: string;
}

export interface SpokenExample {
  readonly language: "en" | "fr";
  /** How it is spoken, such as `pairs`. */
  readonly style: string;
  /** The card number; empty in a near miss. */
  readonly card: string;
  readonly lines: readonly SpokenLine[];
}

type Random = () => number;

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
const digits = (random: Random, count: number) =>
  Array.from({ length: count }, () => Math.floor(random() * 10)).join("");

/** A card number with a valid check digit: 15 digits beginning with 3, 16 or 19 otherwise. */
export function makeCard(random: Random): string {
  const [start, length] = pick(random, [
    ["4", 16],
    ["4", 16],
    ["5", 16],
    ["37", 15],
    ["6", 19],
  ] as const);
  const body = start + digits(random, length - start.length - 1);
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
}

const englishUnits = "zero one two three four five six seven eight nine".split(" ");
const englishTeens = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const englishTens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const frenchSmall =
  "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf".split(
    " ",
  );
const frenchTens = "vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt".split(" ");

function englishPair(value: number): string {
  if (value < 10) return `oh ${englishUnits[value]}`;
  if (value < 20) return englishTeens[value - 10] as string;
  const tens = englishTens[Math.floor(value / 10) - 2] as string;
  return value % 10 === 0 ? tens : `${tens} ${englishUnits[value % 10]}`;
}

function frenchPair(value: number): string {
  if (value < 10) return `zéro ${frenchSmall[value]}`;
  if (value < 20) return frenchSmall[value] as string;
  const tens = Math.floor(value / 10);
  const base = frenchTens[tens - 2] as string;
  const rest = value - (tens === 7 ? 60 : tens === 9 ? 80 : tens * 10);
  if (rest === 0) return tens === 8 ? "quatre-vingts" : base;
  if ((rest === 1 || rest === 11) && tens < 8) return `${base} et ${frenchSmall[rest]}`;
  return `${base}-${frenchSmall[rest]}`;
}

interface Language {
  readonly units: readonly string[];
  pair(value: number): string;
  readonly hesitations: readonly string[];
  readonly interruptions: readonly string[];
  readonly again: readonly string[];
  readonly openings: readonly string[];
  readonly asks: readonly string[];
}

const spoken: Readonly<Record<"en" | "fr", Language>> = {
  en: {
    units: englishUnits,
    pair: englishPair,
    hesitations: ["um", "uh", "er let me see", "hold on", "sorry", "where was I", "the light is bad in here"],
    interruptions: [
      "yes",
      "okay go on",
      "mm-hmm",
      "sorry could you say that a bit slower please",
      "right",
      "I am typing",
    ],
    again: ["sorry let me repeat", "no wait let me start again", "I'll repeat that"],
    openings: ["yes it is", "so my card number is", "sure", "the long number is", "okay it's"],
    asks: [
      "Could you read me your card number please?",
      "What is the long number on the front?",
      "And the card number?",
    ],
  },
  fr: {
    units: frenchSmall.slice(0, 10),
    pair: frenchPair,
    hesitations: ["euh", "attendez", "pardon", "je ne vois pas bien", "alors", "où j'en étais"],
    interruptions: ["oui", "d'accord allez-y", "je note", "pardon pouvez-vous parler plus lentement", "très bien"],
    again: ["pardon je répète", "non attendez je recommence", "je reprends"],
    openings: ["oui c'est le", "alors mon numéro de carte c'est", "bien sûr", "le numéro est"],
    asks: ["Pouvez-vous me donner le numéro de votre carte ?", "Quel est le numéro de la carte s'il vous plaît ?"],
  },
};

const groupsOf = (text: string, size: number) => text.match(new RegExp(`.{1,${size}}`, "g")) ?? [];

/** A few digits in words. */
function speak(text: string, style: string, { units, pair }: Language): string {
  const single = (part: string) => [...part].map((digit) => units[Number(digit)]).join(" ");
  if (style !== "pairs") return single(text);
  return groupsOf(text, 2)
    .map((part) => (part.length === 2 ? pair(Number(part)) : single(part)))
    .join(" ");
}

const styles = ["single digits", "pairs", "groups", "hesitation", "interrupted", "repeated", "written"] as const;

/** Someone reads out a card number. */
export function makeCardExample(random: Random, index: number): SpokenExample {
  const language = index % 2 === 0 ? "en" : "fr";
  const style = styles[Math.floor(index / 2) % styles.length] as (typeof styles)[number];
  const words = spoken[language];
  const card = makeCard(random);
  const lines: SpokenLine[] = [{ side: "agent", text: pick(random, words.asks) }];
  const say = (text: string) => lines.push({ side: "customer", text });
  const opening = pick(random, words.openings);
  const groups = groupsOf(card, 4);
  if (style === "written") say(`${opening} ${groups.join(" ")}.`);
  else if (style === "single digits" || style === "pairs") say(`${opening} ${speak(card, style, words)}`);
  else if (style === "groups") say(`${opening} ${groups.map((group) => speak(group, "pairs", words)).join(", ")}`);
  else if (style === "hesitation")
    say(`${opening} ${groups.map((group) => speak(group, style, words)).join(` ${pick(random, words.hesitations)} `)}`);
  else if (style === "interrupted") {
    say(opening);
    for (const group of groups) {
      say(speak(group, style, words));
      lines.push({ side: "agent", text: pick(random, words.interruptions) });
    }
  } else {
    const begun = card.slice(0, 4 + Math.floor(random() * 6));
    say(`${opening} ${speak(begun, style, words)} ${pick(random, words.again)} ${speak(card, style, words)}`);
  }
  return { language, style, card, lines };
}

/** Numbers that are not of a card: telephones, orders, dates, prices. */
export function makeNearMiss(random: Random, index: number): SpokenExample {
  const language = index % 2 === 0 ? "en" : "fr";
  const words = spoken[language];
  const number = (count: number) => speak(digits(random, count), pick(random, ["single digits", "pairs"]), words);
  const small = () => String(1 + Math.floor(random() * 89));
  const kinds: Readonly<Record<"en" | "fr", Readonly<Record<string, () => readonly SpokenLine[]>>>> = {
    en: {
      phone: () => [
        { side: "agent", text: "What is the best number to reach you?" },
        { side: "customer", text: `It's ${pick(random, ["oh", "zero"])} seven ${number(9)}` },
      ],
      "phone read back": () => {
        const own = `oh seven ${number(9)}`;
        return [
          { side: "customer", text: `you can call me on ${own}` },
          { side: "agent", text: `okay so that is ${own}` },
          { side: "customer", text: "yes that's right" },
        ];
      },
      order: () => [
        { side: "customer", text: `My order number is ${number(8)} and I paid ${small()} pounds ${small()}.` },
        {
          side: "agent",
          text: `Thank you, I see it, it was sent on the ${small()} of May two thousand and twenty four`,
        },
      ],
      "order and phone": () => [
        { side: "customer", text: `the order is ${number(8)} and my phone number is oh seven ${number(9)}` },
      ],
      date: () => [
        { side: "agent", text: "And your date of birth?" },
        { side: "customer", text: `the twelfth of June nineteen ${speak(digits(random, 2), "pairs", words)}` },
      ],
      prices: () => [
        {
          side: "agent",
          text: `That is £${small()}.99 for the first month, then £${small()}.49, and ${small()} percent off after ${small()} days`,
        },
      ],
    },
    fr: {
      phone: () => [
        { side: "agent", text: "À quel numéro peut-on vous joindre ?" },
        { side: "customer", text: `c'est le zéro six ${speak(digits(random, 8), "pairs", words)}` },
      ],
      "phone read back": () => {
        const own = `zéro six ${speak(digits(random, 8), "pairs", words)}`;
        return [
          { side: "customer", text: `vous pouvez m'appeler au ${own}` },
          { side: "agent", text: `d'accord donc ${own}` },
          { side: "customer", text: "oui c'est ça" },
        ];
      },
      order: () => [
        { side: "customer", text: `ma commande c'est le ${number(8)} et j'ai payé ${small()} euros ${small()}` },
        { side: "agent", text: `merci, elle est partie le ${small()} mai deux mille vingt-quatre` },
      ],
      "order and phone": () => [
        {
          side: "customer",
          text: `la commande est ${number(8)} et mon téléphone le zéro six ${speak(digits(random, 8), "pairs", words)}`,
        },
      ],
      date: () => [
        { side: "agent", text: "Et votre date de naissance ?" },
        { side: "customer", text: `le douze juin mille neuf cent ${speak(digits(random, 2), "pairs", words)}` },
      ],
      prices: () => [
        {
          side: "agent",
          text: `Cela fait ${small()} euros le premier mois puis ${small()},49 € et ${small()} pour cent après ${small()} jours`,
        },
      ],
    },
  };
  const styleNames = Object.keys(kinds[language]);
  const style = styleNames[Math.floor(index / 2) % styleNames.length] as string;
  return { language, style, card: "", lines: kinds[language][style]?.() ?? [] };
}
