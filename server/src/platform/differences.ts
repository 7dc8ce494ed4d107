import { isDeepStrictEqual } from "node:util";

/** Values to change something to; what is undefined stays as it is. */
export type Given<Row> = { readonly [Name in keyof Row]?: Row[Name] | undefined };

/** The given values that differ from those that are there. */
export function differences<Row extends object>(before: Row, given: Given<Row>): Partial<Row> {
  const names = Object.keys(given) as (keyof Row)[];
  const changed = names.filter((name) => given[name] !== undefined && !isDeepStrictEqual(given[name], before[name]));
  return Object.fromEntries(changed.map((name) => [name, given[name]])) as Partial<Row>;
}
