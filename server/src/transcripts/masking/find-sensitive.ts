import type { MaskKind } from "@hearback/contract";
import { type DigitRun, findRuns } from "./find-numbers.ts";
import { readTokens, type SpokenWord, type Token } from "./tokens.ts";

/** A part of a call that must not be stored: adjacent words of one side. */
export interface SensitivePart {
  readonly kind: MaskKind;
  readonly side: string;
  /** Indexes of its words, ascending; words of the other side may be between them. */
  readonly words: readonly number[];
  readonly startMs: number;
  readonly endMs: number;
}

export interface MaskOptions {
  /** Language of the call, such as `en` or `fr-FR`. */
  readonly language: string;
  readonly phoneNumbers?: boolean;
  readonly emails?: boolean;
  /** Words and phrases that the workspace masks. */
  readonly ownWords?: readonly string[];
}

/** Any number of at least so many digits is masked: recognisers make too many mistakes for a checksum to be of use. */
const leastCardDigits = 12;
/** If a card was mentioned shortly before, fewer digits are enough, together, because a recogniser leaves some out. */
const leastAnnouncedDigits = 8;
const announcedWithinMs = 30_000;
/** Eleven, and two that a recogniser heard twice. */
const mostPhoneDigits = 13;
/** How long after "security code" or "expiry date" its digits begin at most. */
const cueWithinMs = 8_000;
/** How far from a card number its security code, its expiry date and unfinished attempts are. */
const nearCardMs = 45_000;
/** Longest text within a number that is masked with it. It may be digits that were not recognised. */
const mostWordsWithin = 4;

const card = /^(?:card|cards|carte|cartes|visa|mastercard|amex)\b/i;

/** Finds card numbers and what belongs to them, IBANs, and what else the options name. Words are in order of time. */
export function findSensitive(words: readonly SpokenWord[], options: MaskOptions): SensitivePart[] {
  const tokens = readTokens(words, options.language);
  const runs = findRuns(tokens);
  const found = new Map<number, MaskKind>();
  const add = (kind: MaskKind, indexes: Iterable<number>) => {
    for (const index of indexes) if (!found.has(index)) found.set(index, kind);
  };
  const mentions = words.filter(({ text }) => card.test(text)).map(({ startMs }) => startMs);
  const announced = runs.filter((run) => mentions.some((at) => isSoonAfter(at, run)));
  const isCard = (run: DigitRun) =>
    announced.includes(run)
      ? isPartOfCard(run, announced, tokens)
      : run.digits >= leastCardDigits && !isPhoneNumber(run, tokens);
  const cards = runs.filter((run) => run.iban || isCard(run));
  for (const run of cards) add(run.iban ? "iban" : "card_number", wordsOf(run, words));
  for (const run of runs) {
    if (cards.includes(run)) continue;
    const kind = nextToCard(run, cards, tokens);
    if (kind) add(kind, wordsOf(run, words));
    else if (options.phoneNumbers && run.digits >= 7) add("phone_number", wordsOf(run, words));
  }
  for (const token of tokens)
    if (token.kind === "month" && isExpiryMonth(token, cards, tokens)) add("expiry_date", range(token));
  if (options.emails) add("email", findEmails(words));
  for (const phrase of options.ownWords ?? []) add("word", findPhrase(words, phrase));
  return toParts(found, words);
}

const range = ({ first, last }: Token): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** The words of a run, and on each side the few words between its digits. */
function wordsOf(run: DigitRun, words: readonly SpokenWord[]): number[] {
  const indexes = new Set<number>();
  const lastBySide = new Map<string, number>();
  for (const token of run.tokens) {
    const last = lastBySide.get(token.side);
    const between = last === undefined ? [] : ownBetween(words, token.side, last, token.first);
    if (between.length <= mostWordsWithin) for (const index of between) indexes.add(index);
    for (let index = token.first; index <= token.last; index++)
      if (words[index]?.side === token.side) indexes.add(index);
    lastBySide.set(token.side, token.last);
  }
  return [...indexes];
}

function ownBetween(words: readonly SpokenWord[], side: string, after: number, before: number): number[] {
  const between: number[] = [];
  for (let index = after + 1; index < before; index++) if (words[index]?.side === side) between.push(index);
  return between;
}

const startOf = (run: DigitRun) => run.tokens[0]?.startMs ?? 0;
const endOf = (run: DigitRun) => Math.max(...run.tokens.map(({ endMs }) => endMs));
const distanceMs = (from: number, to: number, card: DigitRun) => Math.max(0, startOf(card) - to, from - endOf(card));

/** What a short number next to a card number is: a security code, an expiry date, or a part of the card number itself. */
function nextToCard(run: DigitRun, cards: readonly DigitRun[], tokens: readonly Token[]): MaskKind | undefined {
  if (!cards.some((card) => !card.iban && distanceMs(startOf(run), endOf(run), card) <= nearCardMs)) return undefined;
  const announced = announcedAs(run, tokens);
  if (announced === "expiry_date" || besideMonth(run, tokens)) return "expiry_date";
  if (announced === "security_code" ? run.digits >= 2 : run.digits === 3 || run.digits === 4) return "security_code";
  return run.digits > 4 ? "card_number" : undefined;
}

const isSoonAfter = (at: number, run: DigitRun) => at <= startOf(run) && startOf(run) - at <= announcedWithinMs;

/** A recogniser may lose groups of an announced number, so that the others are far from each other. */
function isPartOfCard(run: DigitRun, announced: readonly DigitRun[], tokens: readonly Token[]): boolean {
  if (run.digits >= leastAnnouncedDigits) return true;
  const isGroup = (each: DigitRun) => each.digits >= 3 && announcedAs(each, tokens) === undefined;
  const total = announced.filter(isGroup).reduce((sum, { digits }) => sum + digits, 0);
  return isGroup(run) && total >= leastAnnouncedDigits;
}

/** Telephone numbers in which a recogniser heard a digit too many; a card number never begins with a zero. */
function isPhoneNumber(run: DigitRun, tokens: readonly Token[]): boolean {
  if (run.digits > mostPhoneDigits || !run.tokens[0]?.value.startsWith("0")) return false;
  const since = startOf(run) - announcedWithinMs;
  return tokens.some(
    ({ kind, value, startMs }) => kind === "label" && value === "phone" && startMs >= since && startMs <= startOf(run),
  );
}

/** What was announced shortly before a number. */
const announcedAs = (run: DigitRun, tokens: readonly Token[]) =>
  tokens.findLast(
    ({ kind, startMs }) => kind === "cue" && startMs <= startOf(run) && startOf(run) - startMs <= cueWithinMs,
  )?.value;

const besideMonth = (run: DigitRun, tokens: readonly Token[]) =>
  tokens.some(
    (token) =>
      token.kind === "month" &&
      distanceMs(token.startMs, token.endMs, run) <= 1_500 &&
      run.tokens[0]?.side === token.side,
  );

function isExpiryMonth(month: Token, cards: readonly DigitRun[], tokens: readonly Token[]): boolean {
  if (!cards.some((card) => !card.iban && distanceMs(month.startMs, month.endMs, card) <= nearCardMs)) return false;
  return tokens.some(
    (token) => token.kind === "number" && token.side === month.side && Math.abs(token.startMs - month.endMs) <= 1_500,
  );
}

const written = /^[^\s@]{1,64}@[^\s@]{1,190}\.[a-z]{2,24}[.,;:]?$/i;

/** `jane@example.com`, and `jane dot doe at example dot com`. */
function findEmails(words: readonly SpokenWord[]): number[] {
  const texts = words.map(({ text }) => text.toLowerCase().replace(/[.,;:?!]+$/, ""));
  const found = new Set<number>();
  for (const [index, word] of words.entries()) {
    if (written.test(word.text)) found.add(index);
    if (!/^(?:at|arobase|@)$/.test(texts[index] ?? "")) continue;
    const dot = texts.findIndex((text, at) => at > index && at <= index + 6 && /^(?:dot|point)$/.test(text));
    if (dot < 0) continue;
    // The name: spelled letters, or words joined by dots, hyphens and underscores.
    let first = index - 1;
    while (first > 0 && index - first < 24 && isPartOfName(texts, first)) first--;
    for (let at = Math.max(0, first); at <= Math.min(words.length - 1, dot + 1); at++)
      if (words[at]?.side === word.side) found.add(at);
  }
  return [...found];
}

const joins = /^(?:dot|point|dash|hyphen|tiret|underscore)$/;
const isPartOfName = (texts: readonly string[], at: number) =>
  joins.test(texts[at] ?? "") ||
  joins.test(texts[at - 1] ?? "") ||
  ((texts[at] ?? "").length === 1 && (texts[at - 1] ?? "").length === 1);

const folded = (text: string) =>
  text
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

function findPhrase(words: readonly SpokenWord[], phrase: string): number[] {
  const wanted = folded(phrase).split(" ");
  if (wanted[0] === "") return [];
  const found: number[] = [];
  for (const side of new Set(words.map((word) => word.side))) {
    const own = words.flatMap((word, index) =>
      word.side === side
        ? folded(word.text)
            .split(" ")
            .map((text) => ({ text, index }))
        : [],
    );
    for (let at = 0; at + wanted.length <= own.length; at++)
      if (wanted.every((text, offset) => own[at + offset]?.text === text))
        found.push(...own.slice(at, at + wanted.length).map(({ index }) => index));
  }
  return found;
}

/** Joins masked words of a side that follow each other, of one kind. */
function toParts(found: ReadonlyMap<number, MaskKind>, words: readonly SpokenWord[]): SensitivePart[] {
  const parts: { kind: MaskKind; side: string; words: number[]; startMs: number; endMs: number }[] = [];
  const open = new Map<string, (typeof parts)[number]>();
  for (const [index, word] of words.entries()) {
    const kind = found.get(index);
    const part = open.get(word.side);
    if (!kind) {
      open.delete(word.side);
    } else if (part?.kind === kind) {
      part.words.push(index);
      part.endMs = Math.max(part.endMs, word.endMs);
    } else {
      const begun = { kind, side: word.side, words: [index], startMs: word.startMs, endMs: word.endMs };
      open.set(word.side, begun);
      parts.push(begun);
    }
  }
  return parts;
}
