import type { TimeSlices } from "../../platform/async/time-slices.ts";
import type { Token } from "./token.ts";

const writtenDate =
  /^(?:(?:0?[1-9]|[12]\d|3[01])[-./](?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])[-./](?:0?[1-9]|[12]\d|3[01]))[-./](?:(?:19|20)\d\d|\d\d)$|^(?:19|20)\d\d[-./](?:0?[1-9]|1[0-2])[-./](?:0?[1-9]|[12]\d|3[01])$/;
const spokenDate =
  /^(?:(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|(?:[1-9]|[12]\d|3[01])(?:[1-9]|1[0-2]))(?:19|20)\d\d$|^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$|^(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d\d$/;

/** `12/05/1984`, `5-12-84`, `1984-05-12`. */
export const isWrittenDate = (text: string) => writtenDate.test(text);
/** `12051984`, as said digit by digit. */
export const isDateOfDigits = (digits: string) => spokenDate.test(digits);

/** A month with what is said beside it. */
export interface SpokenDate {
  readonly month: Token;
  readonly tokens: readonly Token[];
  readonly hasDay: boolean;
  /** Two or four digits. */
  readonly year: string | undefined;
}

/** Longest pause between a month and its day or year. */
const besideMs = 1_500;

/**
 * Finds dates with a month. Their days and years get the kind `date`: they are never part of a longer number. A month alone, such as
 * `may` and `march`, is an ordinary word.
 */
export async function findSpokenDates(
  tokens: readonly Token[],
  slices: TimeSlices,
): Promise<{ readonly tokens: Token[]; readonly dates: SpokenDate[] }> {
  const dates: SpokenDate[] = [];
  const kinds = new Map<Token, Token["kind"]>();
  for (const side of new Set(tokens.map((token) => token.side))) {
    const own = tokens.filter((token) => token.side === side && token.kind !== "filler");
    for (const [at, month] of own.entries()) {
      if (slices.isUsedUp()) await slices.yield();
      if (month.kind !== "month") continue;
      const date = readDate(own, at);
      if (!date.hasDay && date.year === undefined) kinds.set(month, "other");
      else dates.push(date);
      for (const token of date.tokens) if (token !== month) kinds.set(token, "date");
    }
  }
  const marked = tokens.map((token) => {
    const kind = kinds.get(token);
    return kind ? { ...token, kind } : token;
  });
  return { tokens: marked, dates };
}

function readDate(own: readonly Token[], at: number): SpokenDate {
  const month = own[at] as Token;
  const before = findDayBefore(own, at);
  const next = own[at + 1];
  const dayAfter =
    !before && isDay(next) && isClose(month, next) && fullYear(own, at + 2).length > 0 ? next : undefined;
  const day = before ?? dayAfter;
  const from = dayAfter ? at + 2 : at + 1;
  const full = fullYear(own, from);
  const year = isClose(month, own[from]) ? (full.length > 0 ? full : shortYear(own, from)) : [];
  return {
    month,
    tokens: [...(before ? [before] : []), month, ...(dayAfter ? [dayAfter] : []), ...year],
    hasDay: day !== undefined,
    year: year.length > 0 ? year.map(({ value }) => value).join("") : undefined,
  };
}

/** `the 5th of June`, but not the last digit of a longer number. */
function findDayBefore(own: readonly Token[], at: number): Token | undefined {
  const place = own[at - 1]?.kind === "other" ? at - 2 : at - 1;
  const [day, month, earlier] = [own[place], own[at] as Token, own[place - 1]];
  if (!isDay(day) || month.startMs - day.endMs > besideMs) return undefined;
  const isDigit = earlier?.kind === "number" && !earlier.weak && day.startMs - earlier.endMs <= besideMs;
  return isDigit ? undefined : day;
}

const isDay = (token: Token | undefined): token is Token =>
  (token?.kind === "number" || token?.kind === "amount") &&
  token.value.length <= 2 &&
  Number(token.value) >= 1 &&
  Number(token.value) <= 31;

const isClose = (month: Token, token: Token | undefined): token is Token =>
  token !== undefined && token.startMs - month.endMs <= 2 * besideMs;

/** `1984`, and `nineteen eighty four`. */
function fullYear(own: readonly Token[], at: number): Token[] {
  const [first, second] = [own[at], own[at + 1]];
  if (first?.kind !== "number") return [];
  if (/^(?:19|20)\d\d$/.test(first.value)) return [first];
  const isPair = /^(?:19|20)$/.test(first.value) && second?.kind === "number" && /^\d\d$/.test(second.value);
  return isPair ? [first, second] : [];
}

/** `27`, and `two seven`, but not the beginning of a longer number. */
function shortYear(own: readonly Token[], at: number): Token[] {
  const year = own.slice(at, /^\d\d$/.test(own[at]?.value ?? "") ? at + 1 : at + 2);
  const isYear = year.every(({ kind }) => kind === "number") && /^\d\d$/.test(year.map(({ value }) => value).join(""));
  return isYear && own[at + year.length]?.kind !== "number" ? year : [];
}
