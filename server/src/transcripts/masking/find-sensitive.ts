import type { MaskKind } from "@hearback/contract";
import type { TimeSlices } from "../../platform/async/time-slices.ts";
import { type Announcements, readAnnouncements } from "./announcements.ts";
import { findSpokenDates } from "./dates.ts";
import { findEmails } from "./find-emails.ts";
import { type DigitRun, dropLoneWeakNumbers, findRuns, leastCardDigits } from "./find-numbers.ts";
import { findPhrases } from "./find-phrases.ts";
import { openMaskingSlices } from "./masking-slices.ts";
import { openNearCard } from "./near-card.ts";
import { findSplitNumbers } from "./split-numbers.ts";
import type { Token } from "./token.ts";
import { readTokens, type SpokenWord } from "./tokens.ts";
import { findWrittenDigits } from "./written-digits.ts";

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

/** If a card was mentioned shortly before, fewer digits are enough, together, because a recogniser leaves some out. */
const leastAnnouncedDigits = 8;
/** How far the groups of an announced number are from each other at most. */
const announcedMs = 30_000;
/** Eleven, and two that a recogniser heard twice. */
const mostPhoneDigits = 13;
/** Longest text within a number that is masked with it. It may be digits that were not recognised. */
const mostWordsWithin = 4;
/** Longer and shorter sequences of digits may be a card number and something else. */
const cardDigits = { least: 13, most: 19 };

/**
 * Finds card numbers and what belongs to them, IBANs, and what else the options name. Words are in order of time. Takes time in
 * proportion to their number, in slices. Throws `MaskingTimeout` if it takes too long.
 */
export async function findSensitive(
  words: readonly SpokenWord[],
  options: MaskOptions,
  slices = openMaskingSlices(),
): Promise<readonly SensitivePart[]> {
  const found = new Map<number, MaskKind>();
  const add = (kind: MaskKind, indexes: Iterable<number>) => {
    for (const index of indexes) if (!found.has(index)) found.set(index, kind);
  };
  const skip = await addNumbers(words, options, slices, add);
  for (const { digits, words: indexes } of await findWrittenDigits(words, { least: leastCardDigits, skip }, slices))
    add(digits >= cardDigits.least && digits <= cardDigits.most ? "card_number" : "other", indexes);
  if (slices.isUsedUp()) await slices.yield();
  if (options.emails) add("email", findEmails(words));
  if (options.ownWords) add("word", await findPhrases(words, options.ownWords, slices));
  if (slices.isUsedUp()) await slices.yield();
  return toParts(found, words);
}

/** Returns the words of what is known to be something else: a telephone number, a date. */
async function addNumbers(
  words: readonly SpokenWord[],
  options: MaskOptions,
  slices: TimeSlices,
  add: (kind: MaskKind, indexes: Iterable<number>) => void,
): Promise<ReadonlySet<number>> {
  const pause = async () => {
    if (slices.isUsedUp()) await slices.yield();
  };
  const read = await readTokens(words, options.language, slices);
  const { tokens, dates } = await findSpokenDates(await dropLoneWeakNumbers(read, slices), slices);
  await pause();
  const announcements = readAnnouncements(tokens);
  const runs = await findRuns(tokens, announcements, slices);
  await pause();
  const isCard = openCardTest(runs, announcements);
  const cards = runs.filter(isCard);
  await pause();
  for (const run of cards) add(run.iban ? "iban" : kindOfLongNumber(run, announcements), wordsOf(run.tokens, words));
  await pause();
  for (const split of findSplitNumbers(tokens)) add("card_number", wordsOf(split, words));
  await pause();
  const nearCard = openNearCard(
    cards.filter(({ iban }) => !iban),
    announcements,
  );
  await pause();
  const others = new Set(tokens.filter(isWholeDate).map(({ first }) => first));
  for (const run of runs) {
    if (slices.isUsedUp()) await slices.yield();
    if (isCard(run)) continue;
    const kind = nearCard.kindOf(run) ?? (options.phoneNumbers && run.digits >= 7 ? "phone_number" : undefined);
    if (kind) add(kind, wordsOf(run.tokens, words));
    else if (run.isOther || run.digits >= leastCardDigits)
      for (const index of wordsOf(run.tokens, words)) others.add(index);
  }
  for (const date of dates) {
    if (slices.isUsedUp()) await slices.yield();
    const kind = nearCard.kindOfDate(date);
    if (kind) add(kind, wordsOf(date.tokens, words));
    else if (date.hasDay || date.year?.length === 4) for (const index of wordsOf(date.tokens, words)) others.add(index);
  }
  return others;
}

/** A day, a month and a year in one word. */
const isWholeDate = ({ kind, value }: Token) => kind === "date" && value.length > 4;

/** Returns whether a run is a card number or an IBAN. */
function openCardTest(runs: readonly DigitRun[], announcements: Announcements): (run: DigitRun) => boolean {
  const announced = runs.filter(({ startMs }) => announcements.mentioned("card", startMs));
  const groups = announced.filter((run) => {
    const last = announcements.at(run.startMs);
    return run.digits >= 3 && last !== "security_code" && last !== "expiry_date";
  });
  const lost = new Set(groupsOfNumber(groups));
  const ofAnnounced = new Set(
    announced.filter((run) => !run.isOther && (run.digits >= leastAnnouncedDigits || lost.has(run))),
  );
  const mentioned = new Set(announced);
  const cards = new Set(
    runs.filter((run) => {
      if (run.iban || ofAnnounced.has(run)) return true;
      const isLong = run.digits >= leastCardDigits && !isYears(run);
      return isLong && (mentioned.has(run) || !isPhoneNumber(run, announcements));
    }),
  );
  return (run) => cards.has(run);
}

/** A recogniser may lose groups of an announced number, so that the others are far from each other. */
function groupsOfNumber(groups: readonly DigitRun[]): DigitRun[] {
  let [first, last, digits] = [0, 0, 0];
  return groups.filter((run) => {
    for (; (groups[last]?.startMs ?? Number.POSITIVE_INFINITY) <= run.startMs + announcedMs; last++)
      digits += groups[last]?.digits ?? 0;
    for (; (groups[first] as DigitRun).startMs < run.startMs - announcedMs; first++)
      digits -= groups[first]?.digits ?? 0;
    return digits >= leastAnnouncedDigits;
  });
}

/** What is announced as something else and begins with another digit than cards do may be something else. */
function kindOfLongNumber({ tokens, startMs }: DigitRun, announcements: Announcements): MaskKind {
  const announced = announcements.at(startMs);
  const isOther = announced === "phone" || announced === "birth" || announced === "other";
  return isOther && !/^[2-6]/.test(tokens[0]?.value ?? "") ? "other" : "card_number";
}

const year = /^(?:19|20)\d\d$/;
const mostYears = 4;
/** "In 2019, 2020 and 2021." */
const isYears = ({ tokens }: DigitRun) => tokens.length <= mostYears && tokens.every(({ value }) => year.test(value));

/** The words of a number, and on each side the few words between its digits. */
function wordsOf(tokens: readonly Token[], words: readonly SpokenWord[]): number[] {
  const indexes = new Set<number>();
  const lastBySide = new Map<string, number>();
  for (const { side, first, last: end } of tokens) {
    const last = lastBySide.get(side);
    const between = last === undefined ? [] : ownBetween(words, side, last, first);
    if (between.length <= mostWordsWithin) for (const index of between) indexes.add(index);
    for (let index = first; index <= end; index++) if (words[index]?.side === side) indexes.add(index);
    lastBySide.set(side, end);
  }
  return [...indexes];
}

function ownBetween(words: readonly SpokenWord[], side: string, after: number, before: number): number[] {
  const between: number[] = [];
  for (let index = after + 1; index < before; index++) if (words[index]?.side === side) between.push(index);
  return between;
}

/** Telephone numbers in which a recogniser heard a digit too many; a card number never begins with a zero. */
const isPhoneNumber = ({ digits, tokens, startMs }: DigitRun, announcements: Announcements) =>
  digits <= mostPhoneDigits && tokens[0]?.value.startsWith("0") === true && announcements.mentioned("phone", startMs);

/** Joins masked words of a side that follow each other, of one kind. */
function toParts(found: ReadonlyMap<number, MaskKind>, words: readonly SpokenWord[]): readonly SensitivePart[] {
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
