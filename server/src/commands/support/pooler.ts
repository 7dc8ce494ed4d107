import { sql } from "kysely";
import type { App } from "../../platform/app.ts";
import { type Db, openDatabase, openPool, sessionTimeouts } from "../../platform/database/database.ts";
import { preparedStatement } from "../../platform/database/prepared-statement.ts";
import { hasErrorCode } from "../../platform/error-code.ts";
import { bad, good } from "./findings.ts";

const page = "docs/operations/failover.md#pgbouncer";
const rounds = 5;

const serverPid = async (db: Db) => {
  const [row] = await preparedStatement<{ pid: number }>(db, "server-pid")`select pg_backend_pid() as pid`;
  return row?.pid;
};

/**
 * Whether statements of one connection run on different server connections. While another transaction holds the server
 * connection that was used last, a pooler in transaction mode uses a different one.
 */
function isServerChanging(db: Db): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    for (let round = 0; round < rounds; round++) {
      const before = await serverPid(connection);
      const after = await db.transaction().execute(async (tx) => {
        await sql`select 1`.execute(tx);
        return serverPid(connection);
      });
      if (before !== after) return true;
    }
    return false;
  });
}

async function missingTimeouts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_settings where name = any(${Object.keys(sessionTimeouts)}) and setting = '0' order by name`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

/** Examines whether a connection pooler in front of PostgreSQL keeps what the service relies on. */
export async function examinePooler({ config }: App) {
  const pool = openPool({ ...config.database, maxConnections: 2, onError: () => {} });
  const db = openDatabase(pool);
  try {
    const missing = await missingTimeouts(db);
    if (missing.length > 0)
      return bad(`a connection pooler drops ${missing.join(" and ")}. Set them on the role hearback_service (${page})`);
    return (await isServerChanging(db))
      ? good("transaction pooling; every statement works on every server connection")
      : good("every connection has its own session");
  } catch (error) {
    // The statement does not exist on this server connection, or exists on it already.
    if (!hasErrorCode(error, "26000") && !hasErrorCode(error, "42P05")) throw error;
    return bad(
      `a connection pooler in transaction mode loses prepared statements, so requests fail. Use session mode, or set DATABASE_PREPARED_STATEMENTS=false (${page})`,
    );
  } finally {
    await db.destroy();
  }
}
