import type { MaskKind } from "@hearback/contract";
import type { Announced, Announcements } from "./announcements.ts";
import { isDateOfDigits, type SpokenDate } from "./dates.ts";
import { type DigitRun, isComplete, longestPauseMs } from "./find-numbers.ts";

/** How far from a card number its security code and its expiry date are if they are asked for. */
const askedForMs = 45_000;
/** How far from it numbers are masked of which nothing was said: unfinished attempts, security codes. */
const unaskedMs = 30_000;
/** How far from it a month and a year are that nobody asked for. */
const unaskedDateMs = 15_000;
const expiryDate = /^(?:0?[1-9]|1[0-2])(?:20)?[2-5]\d$/;
const expiryYear = /^(?:20)?[2-5]\d$/;

/** Says what numbers and dates beside card numbers are. `other`: it may be a part of the card, or something else. */
export interface NearCard {
  kindOf(run: DigitRun): MaskKind | undefined;
  kindOfDate(date: SpokenDate): MaskKind | undefined;
}

/** `cards` are in order of time. */
export function openNearCard(cards: readonly DigitRun[], announcements: Announcements): NearCard {
  const distanceMs = openDistances(cards);
  const incompleteMs = openDistances(cards.filter((card) => !isComplete(card.tokens)));
  const attempts = new Set(cards.flatMap((card) => beginningsOf(digitsOf(card))));
  return {
    kindOf(run) {
      const distance = distanceMs(run.startMs, run.endMs);
      const announced = announcements.at(run.startMs);
      if (announced === "security_code" || announced === "expiry_date")
        return distance <= askedForMs && run.digits > 1 ? kindOfAnswer(announced, run) : undefined;
      if (distance > unaskedMs || run.digits < 3) return undefined;
      const digits = digitsOf(run);
      const isDate = isDateOfDigits(digits);
      // Directly beside a number from which digits are missing, they are these digits, whatever was said meanwhile.
      const isMissing = !isDate && incompleteMs(run.startMs, run.endMs) <= longestPauseMs;
      if (!isMissing && (isOther(announced) || (isDate && announced !== "card"))) return undefined;
      return attempts.has(digits) ? "card_number" : "other";
    },
    kindOfDate({ month, tokens, hasDay, year }) {
      const distance = distanceMs(tokens[0]?.startMs ?? month.startMs, tokens.at(-1)?.endMs ?? month.endMs);
      const announced = announcements.at(month.startMs);
      // A card expires at the end of a month.
      if (hasDay || !expiryYear.test(year ?? "")) return undefined;
      if (announced === "expiry_date") return distance <= askedForMs ? "expiry_date" : undefined;
      return distance <= unaskedDateMs && !isOther(announced) ? "other" : undefined;
    },
  };
}

const isOther = (announced: Announced | undefined) =>
  announced === "phone" || announced === "birth" || announced === "other";

const digitsOf = ({ tokens }: DigitRun) =>
  tokens
    .slice(0, 40)
    .map(({ value }) => value.replaceAll(/\D/g, ""))
    .join("");

/** What is said of a number before it is begun again. */
const beginningsOf = (digits: string) =>
  Array.from({ length: Math.max(0, Math.min(digits.length, 19) - 4) }, (_, index) => digits.slice(0, index + 5));

function kindOfAnswer(announced: "security_code" | "expiry_date", run: DigitRun): MaskKind {
  if (announced === "security_code") return run.digits <= 4 ? "security_code" : "other";
  return expiryDate.test(digitsOf(run)) ? "expiry_date" : "other";
}

/** Returns how far a part of the call is from the nearest card number. */
function openDistances(cards: readonly DigitRun[]): (fromMs: number, toMs: number) => number {
  let latest = Number.NEGATIVE_INFINITY;
  const ends = cards.map(({ endMs }) => {
    latest = Math.max(latest, endMs);
    return latest;
  });
  return (fromMs, toMs) => {
    const after = countBefore(cards, toMs);
    const next = cards[after]?.startMs ?? Number.POSITIVE_INFINITY;
    return Math.max(0, Math.min(next - toMs, fromMs - (ends[after - 1] ?? Number.NEGATIVE_INFINITY)));
  };
}

/** Number of cards that begin before a moment. */
function countBefore(cards: readonly DigitRun[], ms: number): number {
  let [low, high] = [0, cards.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cards[middle] as DigitRun).startMs <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
