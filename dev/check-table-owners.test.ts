import { expect, test } from "vitest";
import { findForeignWrites, findWrites } from "./check-table-owners.ts";

test("finds writes in Kysely and in SQL", () => {
  expect(findWrites('tx.insertInto("appUser").values(row)')).toEqual(["app_user"]);
  expect(findWrites('await tx\n  .deleteFrom(\n    "apiKey",\n  )')).toEqual(["api_key"]);
  expect(
    findWrites("sql`with moved as (update only review set state = 'draft') delete\n from call where true`"),
  ).toEqual(["call", "review"]);
  expect(findWrites("merge into team using other on true; truncate session")).toEqual(["session", "team"]);
});

test("finds tables whose names come from a list", () => {
  expect(findWrites('const tables = [...(["session", "credential"] as const)];\ntx.deleteFrom(table)')).toEqual([
    "credential",
    "session",
  ]);
  expect(findWrites('const columns = ["session", "team"] as const;')).toEqual([]);
});

test("finds SQL with a computed table", () => {
  expect(findWrites("delete from $" + "{table} where true")).toEqual(["computed"]);
});

test("reading and locking are no writes", () => {
  expect(findWrites("select from review where true for update of review")).toEqual([]);
  expect(findWrites('tx.selectFrom("review").forUpdate()')).toEqual([]);
  expect(findWrites("on conflict do update set state = 'done'")).toEqual([]);
});

test("a folder writes to its own tables only", () => {
  const source = 'tx.updateTable("review")';
  expect(findForeignWrites("reviews/review/update-review.ts", source)).toEqual([]);
  expect(findForeignWrites("plans/draws/adopt-reviews.ts", source)).toEqual(["plans/draws/adopt-reviews.ts: review"]);
});
