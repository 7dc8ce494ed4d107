const passing = [
  /^08/, // connection exceptions
  /^53/, // out of disk, memory or connections
  /^57/, // shut down, or cancelled by a timeout
  /^58/, // the operating system under PostgreSQL failed
  /^25006$/, // read-only: a standby, during a failover
  /^40(001|P01)$/, // serialisation failure, deadlock
  /^55P03$/, // a lock was not had in time
  /^XX000$/, // torn down while recovering
  /^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/,
];
const droppedConnection =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|not queryable|connection error/i;

/** Whether the failure is PostgreSQL's state of the moment, so that the same request may succeed later. */
export function databaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(databaseUnavailable);
  if ("code" in error && typeof error.code === "string") return passing.some((code) => code.test(String(error.code)));
  return droppedConnection.test(error.message);
}
