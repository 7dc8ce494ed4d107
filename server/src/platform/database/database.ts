import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
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
  readonly onError: (error: Error) => void;
}

export function openPool({ url, maxConnections, onError }: PoolOptions): pg.Pool {
  const pool = new IdleOnlyPool({
    ...failoverOptions,
    Client: PreparedStatementClient,
    connectionString: url,
    application_name: "hearback",
    max: maxConnections,
    // Also makes pg discard a connection on which a query timed out, instead of reusing it mid-transaction.
    pipeline: true,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    query_timeout: 20_000,
    idle_in_transaction_session_timeout: 30_000,
  } as pg.PoolConfig);
  // The pool replaces broken connections, and a running query fails with its own error. Without these listeners, for
  // idle connections and those in use, the error would terminate the process.
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  return pool;
}

export function openDatabase(pool: pg.Pool): Db {
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}
