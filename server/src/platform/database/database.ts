import { CamelCasePlugin, Kysely, type LogEvent, PostgresDialect } from "kysely";
import pg from "pg";
import { IdleOnlyPool } from "./idle-only-pool.ts";
import { PreparedStatementClient } from "./prepared-statement-client.ts";
import type { DB } from "./tables.ts";
import { failoverOptions } from "./writable.ts";

/** The database or a transaction. A function that takes a Db runs in its caller's transaction. */
export type Db = Kysely<DB>;

// Parse int8 as a number: our values stay far below 2^53.
const int8 = 20;
pg.types.setTypeParser(int8, Number);

export interface PoolOptions {
  readonly url: string;
  readonly maxConnections: number;
  readonly preparedStatements: boolean;
  readonly onError: (error: Error) => void;
}

/** Milliseconds. A pooler does not pass them on: docs/operations/failover.md sets them on the role. */
export const sessionTimeouts = { statement_timeout: 15_000, idle_in_transaction_session_timeout: 30_000 };

/**
 * A network that drops packets silently would otherwise block a query, and its connection, forever. The server ends a
 * statement before the client gives up on it.
 */
export const timeoutOptions = { ...sessionTimeouts, connectionTimeoutMillis: 5_000, query_timeout: 20_000 };

export function openPool({ url, maxConnections, preparedStatements, onError }: PoolOptions): pg.Pool {
  const pool = new IdleOnlyPool({
    ...failoverOptions,
    ...timeoutOptions,
    Client: PreparedStatementClient,
    preparedStatements,
    connectionString: url,
    application_name: "hearback",
    max: maxConnections,
    // Also makes pg discard a connection on which a query timed out, instead of reusing it mid-transaction.
    pipeline: true,
  } as pg.PoolConfig);
  // The pool replaces broken connections, and a running query fails with its own error. Without these listeners, for
  // idle connections and those in use, the error would terminate the process.
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  return pool;
}

/** Calls `onQuery` after each statement, if it is given. */
export function openDatabase(pool: pg.Pool, onQuery?: (event: LogEvent) => void): Db {
  return new Kysely<DB>({
    ...(onQuery && { log: onQuery }),
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}
