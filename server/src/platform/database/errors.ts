import { errorCode, hasErrorCode } from "../error-code.ts";

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
  /^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/,
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
