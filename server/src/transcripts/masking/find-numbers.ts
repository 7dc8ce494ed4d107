import type { TimeSlices } from "../../platform/async/time-slices.ts";
import type { Announcements } from "./announcements.ts";
import { isDateOfDigits } from "./dates.ts";
import { isRepetition } from "./is-repetition.ts";
import type { Token } from "./token.ts";

/** Digits that belong to one number, as they were spoken: in groups, with hesitations, by one side or both. */
export interface DigitRun {
  /** In order of time, all of kind `number` or `letter`. */
  readonly tokens: readonly Token[];
  readonly startMs: number;
  readonly endMs: number;
  /** Digits, not counting what was said again; counted up to `mostCounted`. */
  readonly digits: number;
  /** Whether it begins like an IBAN: two letters and two digits. */
  readonly iban: boolean;
  /** Whether it was announced as something else, or is a date, and the mention of a card followed. */
  readonly isOther: boolean;
}

/** Any number of at least so many digits is masked: recognisers make too many mistakes for a checksum to be of use. */
export const leastCardDigits = 12;
/** Longest pause between two digits of one number. */
export const longestPauseMs = 8_000;
/** Most words between two digits of one number, by the side that speaks the digits. Hesitations do not count. */
const mostWordsBetween = 8;
/** So many words after a complete number lead to another one. */
const leastAnswer = 3;
/** Longest pause between a number and a word beside it that is a digit only there. */
const besideMs = 2_500;
/** Longer numbers are masked all the same. */
const mostCounted = 20;
/** So often the sides take turns within a number that is read out and repeated. */
const mostParts = 100;
const pauseMs = (a: Token, b: Token) => Math.max(a.startMs, b.startMs) - Math.min(a.endMs, b.endMs);

/** Splits the numbers of a call into runs. Tokens are in order of time, without lone weak numbers. */
export async function findRuns(
  tokens: readonly Token[],
  announcements: Announcements,
  slices: TimeSlices,
): Promise<DigitRun[]> {
  const runs: DigitRun[] = [];
  const repeatsBefore = new Set<Token>();
  let run: Token[] = [];
  let between = 0;
  // Words of both sides since the last digit.
  let spoken = 0;
  let repeat = false;
  const end = (isOther = false) => {
    if (run.length > 0) runs.push(toRun(run, repeatsBefore, isOther));
    run = [];
    between = 0;
    repeat = false;
  };
  for (const { token, before, after } of withNeighbours(tokens)) {
    if (slices.isUsedUp()) await slices.yield();
    const last = run.at(-1);
    if (last && token.startMs - last.endMs > longestPauseMs) end();
    if (token.kind === "number" || isSpelled(token, before, after)) {
      if (repeat) repeatsBefore.add(token);
      run.push(token);
      between = 0;
      spoken = 0;
      repeat = false;
    } else if (last && endsRun(run, token, announcements)) {
      end(token.kind === "card");
    } else if (token.kind === "repeat") {
      repeat = true;
    } else if (last && token.kind !== "filler") {
      spoken++;
      if (token.side === last.side) between++;
      if (between > mostWordsBetween || (spoken >= leastAnswer && isComplete(run))) end();
    }
  }
  end();
  return runs;
}

function endsRun(run: readonly Token[], { kind, side }: Token, announcements: Announcements): boolean {
  if (kind === "cue") return true;
  if (kind === "card") return isOtherNumber(run, announcements);
  if (kind === "label" && countUpTo(run, leastCardDigits) >= leastCardDigits) return true;
  return ["amount", "label", "month", "date"].includes(kind) && side === run.at(-1)?.side;
}

/** A date of birth, an order: what comes after the mention of a card is another number. */
function isOtherNumber(run: readonly Token[], announcements: Announcements): boolean {
  const announced = announcements.at(run[0]?.startMs ?? 0);
  if (announced === "phone" || announced === "birth" || announced === "other") return true;
  return countUpTo(run, leastCardDigits) < leastCardDigits && isDateOfDigits(textOf(run));
}

/** As long as a card number. */
export const isComplete = (run: readonly Token[]) => countUpTo(run, 16) >= (run[0]?.value.startsWith("3") ? 15 : 16);

function countUpTo(run: readonly Token[], most: number): number {
  let digits = 0;
  for (const { value } of run) {
    digits += value.length;
    if (digits >= most) break;
  }
  return digits;
}

interface Neighbours {
  readonly token: Token;
  /** What the same side says before and after it. */
  readonly before: Token | undefined;
  after?: Token;
}

function withNeighbours(tokens: readonly Token[]): Neighbours[] {
  const last = new Map<string, Neighbours>();
  return tokens.map((token) => {
    const before = last.get(token.side);
    const entry: Neighbours = { token, before: before?.token };
    if (before) before.after = token;
    last.set(token.side, entry);
    return entry;
  });
}

/**
 * A weak number (`for`, `to`, `10:30`) or a date counts directly beside a strong one of its side, or beside one that counts. Two
 * weak ones in a row that are written with digits count, too.
 */
export async function dropLoneWeakNumbers(tokens: readonly Token[], slices: TimeSlices): Promise<Token[]> {
  const strong = new Set<Token>();
  for (const side of new Set(tokens.map((token) => token.side))) {
    const own = tokens.filter((token) => token.side === side && token.kind !== "filler");
    for (const order of [own, own.toReversed()])
      for (const [index, token] of order.entries()) {
        if (slices.isUsedUp()) await slices.yield();
        const before = order[index - 1];
        if (token.kind !== "number" && token.kind !== "date") continue;
        const isPair = before?.kind === "number" && token.kind === "number" && isLong(before) && isLong(token);
        const isBesideStrong = before && strong.has(before) && pauseMs(before, token) <= besideMs;
        if (isPair || isBesideStrong || (token.kind === "number" && !token.weak)) strong.add(token);
      }
  }
  return tokens.map((token) => {
    if (strong.has(token)) return { ...token, kind: "number" };
    return token.kind === "number" ? { ...token, kind: "other" } : token;
  });
}

/** A single letter (`I`, `a`) is spelled if the same side says another letter or a number shortly before or after it. */
function isSpelled(token: Token, before: Token | undefined, after: Token | undefined): boolean {
  if (token.kind !== "letter") return false;
  if (token.value.length > 1) return true;
  return [before, after].some(
    (beside) => beside && (beside.kind === "letter" || beside.kind === "number") && pauseMs(beside, token) <= besideMs,
  );
}

const isLong = ({ value }: Token) => value.length > 2;

const textOf = (tokens: readonly Token[]) => tokens.map(({ value }) => value).join("");

function toRun(tokens: readonly Token[], repeatsBefore: ReadonlySet<Token>, isOther: boolean): DigitRun {
  const parts = splitParts(tokens, repeatsBefore);
  return {
    tokens,
    startMs: tokens[0]?.startMs ?? 0,
    endMs: tokens.reduce((latest, { endMs }) => Math.max(latest, endMs), 0),
    digits: countDigits(parts.map((part) => textOf(part).replaceAll(/\D/g, ""))),
    iban: parts.some(hasIban),
    isOther,
  };
}

/** Whether an IBAN begins with one of the tokens. */
function hasIban(part: readonly Token[]): boolean {
  const text = textOf(part);
  const iban = /[a-z]{2}\d{2}[a-z\d]{11}/y;
  let at = 0;
  return part.some(({ value }) => {
    iban.lastIndex = at;
    at += value.length;
    return iban.test(text);
  });
}

/** The parts that another side says, or that are said again. */
function splitParts(tokens: readonly Token[], repeatsBefore: ReadonlySet<Token>): Token[][] {
  const parts: Token[][] = [];
  for (const token of tokens) {
    const part = parts.at(-1);
    if (part && part.at(-1)?.side === token.side && !repeatsBefore.has(token)) part.push(token);
    else parts.push([token]);
  }
  return parts;
}

/** Stops counting at `mostCounted`, so that only short parts are compared with each other, and few of them. */
function countDigits(parts: readonly string[]): number {
  if (parts.length > mostParts) return mostCounted;
  const said: string[] = [];
  let total = 0;
  let longest = 0;
  for (const digits of parts) {
    longest = Math.max(longest, digits.length);
    if (longest >= mostCounted || total >= mostCounted) return mostCounted;
    if (said.some((earlier) => isRepetition(earlier, digits))) continue;
    said.push(digits);
    total += digits.length;
  }
  return Math.min(Math.max(longest, total), mostCounted);
}
