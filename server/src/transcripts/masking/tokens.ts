import { type NumberWords, numberWordsOf, readNumber } from "./number-words.ts";

/** A word of a transcript before masking. */
export interface SpokenWord {
  readonly side: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

/**
 * What a word or several words mean for masking.
 *
 * - `number`: digits. Weak ones (`for`, `oh`) are digits only next to another number.
 * - `letter`: one letter that was spelled, or a mix such as `GB29`.
 * - `filler`: hesitation or confirmation, between any two digits.
 * - `amount`: a price, a percentage or a time, which is never part of a longer number.
 * - `label`: announces a number of another kind. The value is `phone` for a telephone number.
 * - `cue`: announces a security code or an expiry date; the value says which.
 * - `month`, `repeat`, `other`.
 */
export interface Token {
  readonly kind: "number" | "letter" | "filler" | "amount" | "label" | "cue" | "month" | "repeat" | "other";
  /** First and last word. */
  readonly first: number;
  readonly last: number;
  readonly side: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Digits of a number; letters and digits of a letter. */
  readonly value: string;
  readonly weak: boolean;
}

const set = (text: string) => new Set(text.trim().split(/\s+/));

const fillers = set(`
  um uh er erm ah hm hmm mm mhm huh eh okay ok yes yeah yep right sure alright sorry wait well so and then and like please go on
  got it euh heu ben bah hein oui ouais voila alors donc et puis pardon attendez daccord bien ensuite dash space tiret espace`);
const currencies = set("pound pounds lb lbs quid dollar dollars euro euros");
const units = new Set([
  ...currencies,
  ...set(`
  pence p cents centime centimes percent per pourcent oclock am pm heure heures
  kilo kilos kilometres miles minute minutes hour hours day days week weeks months year years jour jours semaine semaines mois
  an ans annees digit digits chiffre chiffres`),
]);
const securityCodes = set("security cvv cvv2 cvc cvc2 cvn back verification cryptogramme securite dos");
const expiryDates = set("expiry expiration expires expire expiring valid validite valable");
const phones = set(`
  phone telephone mobile cell landline fax whatsapp reach portable fixe joindre appeler mappeler rappeler`);
const labels = set(`
  order invoice reference ref postcode zip extension booking tracking policy meter paid price cost costs
  commande facture dossier colis siret suivi compteur contrat paye prix coute`);
const months = set(`
  january february march april may june july august september october november december
  janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre`);
const repeats = set("repeat again repeating repete reprends recommence encore redis");
const spelling = set(`
  alpha bravo charlie delta echo foxtrot golf hotel india juliett juliet kilo lima mike november oscar papa quebec romeo sierra
  tango uniform victor whiskey whisky xray yankee zulu`);

const plain = (text: string) =>
  text
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .replaceAll("œ", "oe");
const isPrice = (text: string) => /^[£$€]|[£$€%]$|^\d{1,2}h\d{2}$|^\d+(?:st|nd|rd|th|pm|am|eme|er)$/.test(text);
/** Digits in any grouping: `4929-1234`, `4,9,2,9`. */
const groupedDigits = /^[+(]?\d[\d.,:/()-]*$/;
/** Looks like a price or a time; yet a recogniser may write `forty nine, twenty nine` so. */
const decimal = /^\d{1,3}(?:[.,]\d{3})*[.,]\d{2}$|^(?:[01]?\d|2[0-4]):[0-5]\d$/;

/** A part of a word: `forty-two` has two, because recognisers write numbers with and without hyphens. */
interface Name {
  readonly text: string;
  readonly word: number;
}

/** Reads words of all sides in order of time. */
export function readTokens(words: readonly SpokenWord[], language: string): Token[] {
  const numbers = numberWordsOf(language);
  const tokens: Token[] = [];
  const sides = new Set(words.map(({ side }) => side));
  // A number of several words is read on its own side, whatever the other side says meanwhile.
  for (const side of sides) {
    const names = words.flatMap((word, index) => (word.side === side ? namesOf(word.text, index) : []));
    for (let at = 0; at < names.length; ) {
      const found = readToken(names, at, numbers);
      const first = names[at] as Name;
      const last = names[at + found.length - 1] as Name;
      tokens.push({
        ...found.token,
        side,
        first: first.word,
        last: last.word,
        startMs: words[first.word]?.startMs ?? 0,
        endMs: words[last.word]?.endMs ?? 0,
      });
      at += found.length;
    }
  }
  return tokens.sort((a, b) => a.startMs - b.startMs || a.first - b.first);
}

function namesOf(text: string, word: number): Name[] {
  const bare = plain(text).replace(/^[^\p{L}\p{N}£$€+(]+|[^\p{L}\p{N}£$€%]+$/gu, "");
  const parts = /\d/.test(bare) ? bare.split(/[-–/]/) : bare.replaceAll(/['’.]/g, "").split(/[-/,]/);
  return parts
    .flatMap(splitZero)
    .filter((part) => part !== "")
    .map((part) => ({ text: part, word }));
}

/** `oseven` is `oh seven`. */
const joinedZero = /^oh?(?=(?:one|two|three|four|five|six|seven|eight|nine|double|triple)(?:th)?$)/;

const splitZero = (part: string) => {
  const zero = joinedZero.exec(part)?.[0];
  return zero ? ["oh", part.slice(zero.length)] : [part];
};

interface Found {
  readonly token: Pick<Token, "kind" | "value" | "weak">;
  /** How many names it has. */
  readonly length: number;
}

const found = (kind: Token["kind"], value = "", weak = false, length = 1): Found => ({
  token: { kind, value, weak },
  length,
});

function readToken(names: readonly Name[], at: number, languages: readonly NumberWords[]): Found {
  const name = names[at]?.text ?? "";
  if (isPrice(name)) return found("amount");
  const texts = names.slice(at, at + 12).map(({ text }) => text);
  const number = groupedDigits.test(name)
    ? found("number", name.replaceAll(/\D/g, ""), decimal.test(name))
    : spokenNumber(texts, languages);
  if (number) return readAmount(texts, number, languages) ?? number;
  if (/^(?=.*\d)[a-z\d]+$/.test(name)) return found("letter", name);
  if (months.has(name)) return found("month");
  if (phones.has(name) || (name === "call" && /^(?:me|you|us|him|her|them)$/.test(texts[1] ?? "")))
    return found("label", "phone");
  if (labels.has(name)) return found("label");
  if (securityCodes.has(name)) return found("cue", "security_code");
  if (expiryDates.has(name)) return found("cue", "expiry_date");
  if (repeats.has(name)) return found("repeat");
  if (spelling.has(name)) return found("letter", name.slice(0, 1));
  if (/^[a-z]$/.test(name)) return found("letter", name);
  return found(fillers.has(name) ? "filler" : "other");
}

/** A number with its unit, and the pence after it: `37 pounds 99`. */
function readAmount(texts: readonly string[], { length }: Found, languages: readonly NumberWords[]): Found | undefined {
  const unit = texts[length] ?? "";
  if (!units.has(unit)) return undefined;
  const after = texts.slice(length + 1);
  const pence = /^\d{1,2}$/.test(after[0] ?? "") ? 1 : (spokenNumber(after, languages)?.length ?? 0);
  const isPart = currencies.has(unit) && pence > 0 && !isNumber(after[pence] ?? "", languages);
  return found("amount", "", false, length + 1 + (isPart ? pence : 0));
}

const isNumber = (text: string, languages: readonly NumberWords[]) =>
  groupedDigits.test(text) || spokenNumber([text], languages) !== undefined;

function spokenNumber(texts: readonly string[], languages: readonly NumberWords[]): Found | undefined {
  const read = languages
    .map((words) => readNumber(texts, 0, words))
    .reduce((best, next) => ((next?.length ?? 0) > (best?.length ?? 0) ? next : best));
  if (read) return found("number", read.digits, false, read.length);
  for (const { soundsLike } of languages) {
    const digits = soundsLike[texts[0] ?? ""];
    if (digits) return found("number", digits, true);
  }
  return undefined;
}
