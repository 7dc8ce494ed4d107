import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { PreparingClient } from "./preparing-client.ts";
import type { DB } from "./tables.ts";

/** The database, or a transaction on it: a function that takes one takes part in its caller's transaction. */
export type Db = Kysely<DB>;

// Sizes and counts of ours stay far below 2^53.
const int8 = 20;
pg.types.setTypeParser(int8, Number);

export interface PoolOptions {
  readonly url: string;
  readonly maxConnections: number;
  readonly onError: (error: Error) => void;
}

export function openPool({ url, maxConnections, onError }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    Client: PreparingClient,
    connectionString: url,
    application_name: "hearback",
    max: maxConnections,
    // Also what makes pg give up a connection on which a query timed out, instead of using it again mid-transaction.
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    query_timeout: 20_000,
    idle_in_transaction_session_timeout: 30_000,
  } as pg.PoolConfig);
  // A connection that breaks is replaced by the pool, and whoever uses it gets the error of their own query. Without
  // listeners, on the idle ones and on those in use, it would end the process.
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
