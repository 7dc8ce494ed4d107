import pg from "pg";
import { expect, test } from "vitest";
import { toAppError, toProblem } from "../http/problem.ts";
import { isConflict, isPartitionMissing } from "./errors.ts";

const failed = (code: string, routine?: string) =>
  Object.assign(new pg.DatabaseError("failed", 6, "error"), { code, routine });
const statusOf = (error: unknown) => toProblem(toAppError(error), "id").status;

test.each([
  ["25P02", "the transaction had already failed"],
  ["25P03", "the transaction was idle for too long"],
  ["25P04", "the transaction took too long"],
  ["25006", "the server is a standby"],
  ["26000", "the prepared statement does not exist"],
  ["40001", "serialisation failure"],
  ["40003", "statement completion unknown"],
  ["40P01", "deadlock"],
  ["53200", "out of memory"],
  ["53300", "too many connections"],
  ["55P03", "lock timeout"],
  ["57014", "cancelled"],
  ["57P01", "the server is shutting down"],
])("SQLSTATE %s (%s) results in 503", (code) => {
  expect(statusOf(failed(code))).toBe(503);
});

test("a prepared statement whose result columns a migration changed results in 503", () => {
  expect(statusOf(failed("0A000", "RevalidateCachedQuery"))).toBe(503);
  expect(statusOf(failed("0A000"))).toBe(500);
});

test.each(["23505", "42P01", "22012"])("SQLSTATE %s is an internal error", (code) => {
  expect(statusOf(failed(code))).toBe(500);
});

test("a transaction is retried only after a conflict with another one", () => {
  expect(["40001", "40P01", "55P03"].every((code) => isConflict(failed(code)))).toBe(true);
  expect(["23503", "57014", "HB001"].some((code) => isConflict(failed(code)))).toBe(false);
  expect([isConflict(new Error("40001")), isConflict("40001")]).toEqual([false, false]);
});

test("a missing partition is recognised by the routine, whatever the language of the message", () => {
  expect(isPartitionMissing(failed("23514", "ExecFindPartition"))).toBe(true);
  expect(isPartitionMissing(failed("23514", "ExecConstraints"))).toBe(false);
});
