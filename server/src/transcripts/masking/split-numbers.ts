import { longestPauseMs } from "./find-numbers.ts";
import type { Token } from "./token.ts";

const leastDigits = 14;
const leastGroups = 3;
const mostDigitsOfGroup = 6;
/** A smaller amount is one. */
const leastDigitsOfAmount = 4;

interface Groups {
  readonly tokens: Token[];
  count: number;
  digits: number;
  /** Digits of the last group. */
  last: number;
  /** Words since the last digit. */
  between: number;
}

/** Finds numbers that are said in short groups with a word between each two: `4929 order 1234 order 5678 order 9012`. */
export function findSplitNumbers(tokens: readonly Token[]): (readonly Token[])[] {
  const found: (readonly Token[])[] = [];
  const open = new Map<string, Groups>();
  const end = (side: string) => {
    const groups = open.get(side);
    open.delete(side);
    if (groups && groups.count >= leastGroups && groups.digits >= leastDigits) found.push(groups.tokens);
  };
  for (const token of tokens) {
    const { side, kind, value, startMs } = token;
    const groups = open.get(side);
    if (kind === "filler") continue;
    const isAmount = kind === "amount" && value.length >= leastDigitsOfAmount;
    if (kind !== "number" && kind !== "date" && !isAmount) {
      if (groups && ++groups.between > 1) end(side);
      continue;
    }
    const last = groups?.tokens.at(-1);
    if (last && startMs - last.endMs > longestPauseMs) end(side);
    add(open, token, isAmount || last?.kind === "amount");
    if ((open.get(side)?.last ?? 0) > mostDigitsOfGroup) open.delete(side);
  }
  for (const side of [...open.keys()]) end(side);
  return found;
}

function add(open: Map<string, Groups>, token: Token, beginsGroup: boolean): void {
  const { side, value } = token;
  const groups = open.get(side) ?? { tokens: [], count: 0, digits: 0, last: 0, between: 0 };
  open.set(side, groups);
  const begins = beginsGroup || groups.between > 0 || groups.count === 0;
  groups.last = begins ? value.length : groups.last + value.length;
  groups.count += begins ? 1 : 0;
  groups.digits += value.length;
  groups.between = 0;
  groups.tokens.push(token);
}
