import type { TimeSlices } from "../../platform/async/time-slices.ts";
import { isWrittenDate } from "./dates.ts";
import { normalizeText } from "./normalize-text.ts";
import { type NumberWords, numberWordsOf, readNumber } from "./number-words.ts";
import type { Token } from "./token.ts";

/** A word of a transcript before masking. */
export interface SpokenWord {
  readonly side: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

const set = (text: string) => new Set(text.trim().normalize("NFKD").split(/\s+/));

const fillers = set(`
  um uh er erm ah hm hmm mm mhm huh eh okay ok yes yeah yep right sure alright sorry wait well so and then and like please go on
  got it euh heu ben bah hein oui ouais voila alors donc et puis pardon attendez daccord bien ensuite dash space tiret espace`);
const currencies = set("pound pounds lb lbs quid dollar dollars euro euros");
const units = new Set([
  ...currencies,
  ...set(`
  pence p cents centime centimes percent per pourcent oclock am pm heure heures
  kilo kilos kilometres miles minute minutes hour hours day days week weeks months year years jour jours semaine semaines mois
  an ans annees digit digits chiffre chiffres 元 円 원 年 月 日`),
]);
const securityCodes = set("security cvv cvv2 cvc cvc2 cvn back verification cryptogramme securite dos");
const expiryDates = set("expiry expiration expires expire expiring validite");
/** `Valid until May`: of a card only beside a word such as `card`. */
const validity = set("valid valable");
const phones = set(`
  phone telephone mobile cell landline fax whatsapp reach portable fixe joindre appeler mappeler rappeler`);
const labels = set(`
  order invoice reference ref postcode postal zip extension booking tracking policy meter paid price cost costs amount balance
  total membership address street house room chambre flat apartment adresse rue appartement montant solde reservation adherent
  commande facture dossier colis siret suivi compteur contrat paye prix coute`);
const births = set("birth birthday born dob naissance anniversaire");
const cards = set("card cards carte cartes visa mastercard amex");
/** Beside them, `security` and `back` are about the code of a card. */
const codes = set("code digit digits number numbers card chiffre chiffres numero carte cvv cvc cryptogramme");
/** They are digits only next to another one. */
const articles = set("one un une");
/** `One moment` is no digit. */
const pauses = set("moment second seconds sec minute instant seconde secondes");
const months = set(`
  january february march april may june july august september october november december
  janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre`);
const repeats = set("repeat again repeating repete reprends recommence encore redis");
const spelling = set(`
  alpha bravo charlie delta echo foxtrot golf hotel india juliett juliet kilo lima mike november oscar papa quebec romeo sierra
  tango uniform victor whiskey whisky xray yankee zulu`);

/** A price, a percentage, a time or a rank. */
const price =
  /^\p{Sc}[\d.,]+$|^[\d.,]+[\p{Sc}%]$|^\d{1,2}h\d{2}$|^\d{1,2}(?:[:.]\d\d)?[ap]m$|^\d{1,3}(?:st|nd|rd|th|eme|er)$/u;
/** A longer number is not an amount, whatever sign or unit is beside it. */
const mostAmountDigits = 9;
const isPrice = (text: string) => price.test(text) && digitsIn(text).length <= mostAmountDigits;
/** Digits in any grouping: `4929.1234`, `4,9,2,9`. */
const groupedDigits = /^\d[\d.,:]*$/;
/** Looks like a price or a time; yet a recogniser may write `forty nine, twenty nine` so. */
const decimal = /^\d{1,3}(?:[.,]\d{3})*[.,]\d{2}$|^(?:[01]?\d|2[0-4]):[0-5]\d$/;

/** A part of a word: `forty-two` has two, because recognisers write numbers with and without hyphens. */
interface Name {
  readonly text: string;
  readonly word: number;
}

/** Reads words of all sides in order of time. */
export async function readTokens(words: readonly SpokenWord[], language: string, slices: TimeSlices): Promise<Token[]> {
  const numbers = numberWordsOf(language);
  const tokens: Token[] = [];
  // A number of several words is read on its own side, whatever the other side says meanwhile.
  for (const names of (await readNames(words, slices)).values()) {
    for (let at = 0; at < names.length; ) {
      if (slices.isUsedUp()) await slices.yield();
      const found = readToken(names, at, numbers);
      const first = (names[at] as Name).word;
      const last = (names[at + found.length - 1] as Name).word;
      const { side, startMs } = words[first] as SpokenWord;
      tokens.push({ ...found.token, side, first, last, startMs, endMs: words[last]?.endMs ?? startMs });
      at += found.length;
    }
  }
  return tokens.sort((a, b) => a.startMs - b.startMs || a.first - b.first);
}

async function readNames(words: readonly SpokenWord[], slices: TimeSlices): Promise<Map<string, Name[]>> {
  const bySide = new Map<string, Name[]>();
  for (const [word, { side, text }] of words.entries()) {
    if (slices.isUsedUp()) await slices.yield();
    const names = bySide.get(side) ?? [];
    bySide.set(side, names);
    for (const name of namesOf(normalizeText(text))) names.push({ text: name, word });
  }
  return bySide;
}

/** `forty-two` is two names, `4929-1234` as well, and `卡号4929谢谢` is three. */
function namesOf(text: string): readonly string[] {
  const written = /\d(?:.*\d)?/u.exec(text)?.[0];
  if (written === undefined)
    return (text.replaceAll(/['’.]/g, "").match(/\p{L}+|[\p{Sc}%]/gu) ?? []).flatMap(splitZero);
  return isWrittenDate(written) ? [written] : (text.match(/[\p{L}\d.,:\p{Sc}%]+/gu) ?? []).flatMap(splitDigits);
}

function splitDigits(text: string): readonly string[] {
  const bare = /[^.,:](?:.*[^.,:])?/u.exec(text)?.[0] ?? "";
  return groupedDigits.test(bare) || isPrice(bare) ? [bare] : (bare.match(/[a-z\d]+|[^a-z\d.,:\p{Sc}%]+/gu) ?? []);
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

const digitsIn = (text: string) => text.replaceAll(/\D/g, "");
const isCurrency = (text: string) => currencies.has(text) || /^\p{Sc}$/u.test(text);
const isUnit = (text: string) => units.has(text) || isCurrency(text) || text === "%";

const found = (kind: Token["kind"], value = "", weak = false, length = 1): Found => ({
  token: { kind, value, weak },
  length,
});

function readToken(names: readonly Name[], at: number, languages: readonly NumberWords[]): Found {
  const name = names[at]?.text ?? "";
  if (isWrittenDate(name)) return found("date", digitsIn(name));
  if (isPrice(name)) return found("amount", digitsIn(name));
  const texts = names.slice(at, at + 12).map(({ text }) => text);
  const number = groupedDigits.test(name)
    ? found("number", digitsIn(name), decimal.test(name))
    : spokenNumber(texts, languages);
  if (number) return readAmount(texts, number, languages) ?? number;
  if (months.has(name)) return found("month");
  return readAnnouncement(names, at) ?? readLetter(name) ?? found(fillers.has(name) ? "filler" : "other");
}

function readAnnouncement(names: readonly Name[], at: number): Found | undefined {
  const name = names[at]?.text ?? "";
  if (cards.has(name)) return found("card");
  if (births.has(name) || (/^nee?$/.test(name) && /^(?:etes|suis|est|es)$/.test(names[at - 1]?.text ?? "")))
    return found("label", "birth");
  if (phones.has(name) || (name === "call" && /^(?:me|you|us|him|her|them)$/.test(names[at + 1]?.text ?? "")))
    return found("label", "phone");
  if (labels.has(name)) return found("label", "other");
  if (securityCodes.has(name)) return found("cue", isAboutCode(names, at) ? "security_code" : "unclear");
  if (expiryDates.has(name) || (validity.has(name) && isAboutCode(names, at))) return found("cue", "expiry_date");
  if (validity.has(name)) return found("cue", "unclear");
  return repeats.has(name) ? found("repeat") : undefined;
}

function readLetter(name: string): Found | undefined {
  if (spelling.has(name)) return found("letter", name.slice(0, 1));
  return /^[a-z]$|^(?=.*\d)[a-z\d]+$/.test(name) ? found("letter", name) : undefined;
}

const isAboutCode = (names: readonly Name[], at: number) =>
  names.slice(Math.max(0, at - 5), at + 6).some(({ text }) => codes.has(text));

/** A number with its unit, and the pence after it: `37 pounds 99`. */
function readAmount(
  texts: readonly string[],
  { length, token: { value } }: Found,
  languages: readonly NumberWords[],
): Found | undefined {
  const unit = texts[length] ?? "";
  if (pauses.has(unit) && /^[12]$/.test(value)) return found("filler", "", false, length + 1);
  if (!isUnit(unit) || value.length > mostAmountDigits) return undefined;
  const after = texts.slice(length + 1);
  const pence = /^\d{1,2}$/.test(after[0] ?? "") ? 1 : (spokenNumber(after, languages)?.length ?? 0);
  const isPart = isCurrency(unit) && pence > 0 && !isNumber(after[pence] ?? "", languages);
  return found("amount", value, false, length + 1 + (isPart ? pence : 0));
}

const isNumber = (text: string, languages: readonly NumberWords[]) =>
  groupedDigits.test(text) || spokenNumber([text], languages) !== undefined;

function spokenNumber(texts: readonly string[], languages: readonly NumberWords[]): Found | undefined {
  const read = languages
    .map((words) => readNumber(texts, 0, words))
    .reduce((best, next) => ((next?.length ?? 0) > (best?.length ?? 0) ? next : best));
  if (read) return found("number", read.digits, read.length === 1 && articles.has(texts[0] ?? ""), read.length);
  for (const { soundsLike } of languages) {
    const digits = soundsLike[texts[0] ?? ""];
    if (digits) return found("number", digits, true);
  }
  return undefined;
}
