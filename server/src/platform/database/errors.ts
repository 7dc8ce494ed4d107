import { errorCode, hasErrorCode } from "../error-code.ts";

const networkCode = /^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/;

const transientCodes = [
  /^08/, // connection exceptions
  /^53/, // out of disk, memory or connections
  /^57/, // shutdown, or cancelled by a timeout
  /^58/, // system error, such as an I/O error
  /^25006$/, // read-only: a standby, during a failover
  /^25P0[234]$/, // the transaction had failed, was idle for too long, or took too long
  /^26000$/, // the prepared statement does not exist; its connection is replaced
  /^40/, // serialisation failure, deadlock
  /^55P03$/, // lock timeout
  /^XX000$/, // internal error during crash recovery
  networkCode,
];
const droppedConnection =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|not queryable|connection error/i;

/** Whether the error is transient, so that the same request may succeed later. */
export function databaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(databaseUnavailable);
  // A migration changed the result columns of a prepared statement. The connection is replaced, and the next one
  // prepares it again.
  if (isFromRoutine(error, "RevalidateCachedQuery")) return true;
  const given = errorCode(error);
  return given === undefined ? droppedConnection.test(error.message) : transientCodes.some((code) => code.test(given));
}

const disconnectedCodes = [/^08/, /^57P0[123]$/, /^53300$/, /^25006$/, networkCode];

/**
 * Whether a connection failed, as opposed to a single statement. Takes also what pg-boss reports: copies of errors without their
 * class.
 */
export function isDisconnected(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  if (error instanceof AggregateError) return error.errors.some(isDisconnected);
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === "string") return disconnectedCodes.some((pattern) => pattern.test(code));
  return typeof message === "string" && droppedConnection.test(message);
}

export const isForeignKeyViolation = (error: unknown) => hasErrorCode(error, "23503");
export const isLockTimeout = (error: unknown) => hasErrorCode(error, "55P03");
export const isDeadlock = (error: unknown) => hasErrorCode(error, "40P01");
export const isCancelled = (error: unknown) => hasErrorCode(error, "57014");

/** SQLSTATE of a serialisation failure. An error with this code is retried by `withRetries`. */
export const serializationFailure = "40001";

/** The transaction was rolled back because of a conflict with another one, and a retry may succeed. */
export const isConflict = (error: unknown) =>
  hasErrorCode(error, serializationFailure) || isDeadlock(error) || isLockTimeout(error);

/** PostgreSQL found no partition for the row. */
export const isPartitionMissing = (error: unknown) => isFromRoutine(error, "ExecFindPartition");

/** Errors without a code of their own. Their message is localised; the name of the routine that raised them is not. */
const isFromRoutine = (error: unknown, routine: string) =>
  error instanceof Error && "routine" in error && error.routine === routine;
