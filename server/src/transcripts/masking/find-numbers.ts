import type { Token } from "./tokens.ts";

/** Digits that belong to one number, as they were spoken: in groups, with hesitations, by one side or both. */
export interface DigitRun {
  /** In order of time, all of kind `number` or `letter`. */
  readonly tokens: readonly Token[];
  /** Digits, not counting what was said again. */
  readonly digits: number;
  /** Whether it begins like an IBAN: two letters and two digits. */
  readonly iban: boolean;
}

/** Longest pause between two digits of one number. */
const longestPauseMs = 8_000;
/** Most words between two digits of one number, by the side that speaks the digits. Hesitations do not count. */
const mostWordsBetween = 8;
/** Longest pause between a number and a word beside it that is a digit only there. */
const besideMs = 2_500;
const pauseMs = (a: Token, b: Token) => Math.max(a.startMs, b.startMs) - Math.min(a.endMs, b.endMs);

/** Splits the numbers of a call into runs. */
export function findRuns(tokens: readonly Token[]): DigitRun[] {
  const runs: Token[][] = [];
  const repeatsBefore = new Set<Token>();
  let run: Token[] = [];
  let between = 0;
  let repeat = false;
  const end = () => {
    if (run.length > 0) runs.push(run);
    run = [];
    between = 0;
    repeat = false;
  };
  const counted = dropLoneWeakNumbers(tokens);
  for (const [index, token] of counted.entries()) {
    const last = run.at(-1);
    if (isYear(counted, index)) {
      runs.push([token]);
      continue;
    }
    if (last && token.startMs - last.endMs > longestPauseMs) end();
    if (token.kind === "number" || isSpelled(counted, index)) {
      if (repeat) repeatsBefore.add(token);
      run.push(token);
      between = 0;
      repeat = false;
    } else if (token.kind === "amount" || token.kind === "label" || token.kind === "month") {
      if (token.side === last?.side) end();
    } else if (token.kind === "cue") {
      end();
    } else if (token.kind === "repeat") {
      repeat = true;
    } else if (token.kind !== "filler" && token.side === last?.side) {
      between++;
      if (between > mostWordsBetween) end();
    }
  }
  end();
  return runs.map((each) => toRun(each, repeatsBefore));
}

/**
 * A weak number (`for`, `to`, `10:30`) counts directly beside a strong one of its side, or beside one that counts. Two in a
 * row that are written with digits count, too.
 */
function dropLoneWeakNumbers(tokens: readonly Token[]): Token[] {
  const strong = new Set<Token>();
  for (const side of new Set(tokens.map((token) => token.side))) {
    const own = tokens.filter((token) => token.side === side && token.kind !== "filler");
    for (const order of [own, own.toReversed()])
      for (const [index, token] of order.entries()) {
        const before = order[index - 1];
        if (token.kind !== "number") continue;
        const isPair = before?.kind === "number" && isLong(before) && isLong(token);
        const isBesideStrong = before && strong.has(before) && pauseMs(before, token) <= besideMs;
        if (!token.weak || isPair || isBesideStrong) strong.add(token);
      }
  }
  return tokens.map((token) => (token.kind === "number" && !strong.has(token) ? { ...token, kind: "other" } : token));
}

/** Directly after a month of the same side: a date, never part of a longer number. */
function isYear(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (token?.kind !== "number" || token.value.length > 4) return false;
  const own = (from: number) => tokens.findLastIndex((each, at) => at < from && each.side === token.side);
  return tokens[own(index)]?.kind === "month";
}

/** A single letter (`I`, `a`) is spelled if the same side says another letter or a number shortly before or after it. */
function isSpelled(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (token?.kind !== "letter") return false;
  if (token.value.length > 1) return true;
  const own = (step: 1 | -1) => {
    for (let at = index + step; at >= 0 && at < tokens.length; at += step)
      if (tokens[at]?.side === token.side) return tokens[at];
    return undefined;
  };
  return [own(-1), own(1)].some(
    (beside) => beside && (beside.kind === "letter" || beside.kind === "number") && pauseMs(beside, token) <= besideMs,
  );
}

const isLong = ({ value }: Token) => value.length > 2;

const textOf = (tokens: readonly Token[]) => tokens.map(({ value }) => value).join("");

function toRun(tokens: readonly Token[], repeatsBefore: ReadonlySet<Token>): DigitRun {
  const parts: Token[][] = [];
  for (const token of tokens) {
    const part = parts.at(-1);
    if (part && part.at(-1)?.side === token.side && !repeatsBefore.has(token)) part.push(token);
    else parts.push([token]);
  }
  const said: string[] = [];
  for (const part of parts) {
    const digits = textOf(part).replaceAll(/\D/g, "");
    const isRepeat = digits.length >= 7 && said.some((earlier) => isSimilar(earlier, digits));
    if (!isRepeat) said.push(digits);
  }
  const longest = Math.max(...parts.map((part) => textOf(part).replaceAll(/\D/g, "").length));
  return {
    tokens,
    digits: Math.max(longest, said.join("").length),
    iban: parts.some((part) => /(?<![a-z])[a-z]{2}\d{2}[a-z\d]{11,}/.test(textOf(part))),
  };
}

/** Whether two sequences of digits are the same number, as a recogniser heard it twice. */
function isSimilar(a: string, b: string): boolean {
  const most = Math.floor(Math.max(a.length, b.length) * 0.3);
  if (Math.abs(a.length - b.length) > most) return false;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (row[j] as number) + 1,
          (next[j - 1] as number) + 1,
          (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return (row[b.length] as number) <= most;
}
