import { isDeepStrictEqual } from "node:util";

/** New values for a row. Undefined members stay unchanged. */
export type Given<Row> = { readonly [Name in keyof Row]?: Row[Name] | undefined };

/** Returns the given values that differ from the current ones. */
export function changedFields<Row extends object>(before: Row, given: Given<Row>): Partial<Row> {
  const names = Object.keys(given) as (keyof Row)[];
  const changed = names.filter((name) => given[name] !== undefined && !isDeepStrictEqual(given[name], before[name]));
  return Object.fromEntries(changed.map((name) => [name, given[name]])) as Partial<Row>;
}
