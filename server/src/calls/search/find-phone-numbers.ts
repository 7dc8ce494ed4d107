import type { Db } from "../../platform/database/database.ts";
import { preparedStatement } from "../../platform/database/prepared-statement.ts";

/** A range of phone numbers in the order of their last digits: `from` inclusive, `to` exclusive. */
export interface PhoneRange {
  readonly from: string;
  readonly to: string;
}

/** Numbers that one search reads from the index of phone numbers. */
const maxNumbers = 100;

/** The range of all numbers that end with these digits. */
export function numbersEndingWith(digits: string): PhoneRange {
  const from = [...digits].reverse().join("");
  // ":" follows "9".
  return { from, to: `${from}:` };
}

/**
 * Returns the different numbers of a range, or undefined if there are too many. A loose index scan: each step jumps to the
 * next different number, however many calls a number has.
 */
export async function findPhoneNumbers(
  tx: Db,
  workspaceId: string,
  { from, to }: PhoneRange,
): Promise<string[] | undefined> {
  const rows = await preparedStatement<{ number: string }>(tx, "find-phone-numbers")`
    with recursive found as (
      (
        select phone_digits as number from call_metadata
        where workspace_id = ${workspaceId} and phone_digits >= ${from} and phone_digits < ${to}
        order by phone_digits limit 1
      )
      union all
      select (
        select phone_digits from call_metadata
        where workspace_id = ${workspaceId} and phone_digits > found.number and phone_digits < ${to}
        order by phone_digits limit 1
      )
      from found where found.number is not null
    )
    select number from found where number is not null limit ${maxNumbers + 1}`;
  return rows.length > maxNumbers ? undefined : rows.map(({ number }) => number);
}
