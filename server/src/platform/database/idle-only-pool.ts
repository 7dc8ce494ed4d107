import pg from "pg";
import type { PreparedStatementClient } from "./prepared-statement-client.ts";

/** How long a released client may take to report its state before its connection is closed. */
const settleMs = 5_000;

/** Resolves when all statements are finished, the connection is closed, or the timeout has passed. */
function settled(client: PreparedStatementClient): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      client.off("drain", done).off("end", done);
      resolve();
    };
    const timer = setTimeout(done, settleMs);
    client.once("drain", done).once("end", done);
  });
}

/**
 * A pool that reuses a connection only if the server reports it idle: no transaction and no pending statement. In any
 * other state it closes the connection, because the next user would otherwise run inside the previous user's
 * transaction.
 */
export class IdleOnlyPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(
    callback: (
      error: Error | undefined,
      client: pg.PoolClient | undefined,
      done: (release?: Error | boolean) => void,
    ) => void,
  ): void;
  override connect(callback?: Parameters<pg.Pool["connect"]>[0]): Promise<pg.PoolClient> | undefined {
    if (!callback) return super.connect().then(checkOnRelease);
    super.connect((error, client, done) => {
      if (client) checkOnRelease(client);
      callback(error, client, client ? client.release : done);
    });
    return undefined;
  }
}

/** Overrides `release` for this checkout; the pool sets it again at the next one. */
function checkOnRelease(client: pg.PoolClient): pg.PoolClient {
  const release = client.release;
  const finish = (pgClient: PreparedStatementClient) => release(!pgClient.isIdle() || pgClient.isBroken());
  client.release = (destroy) => {
    const pgClient = client as unknown as PreparedStatementClient;
    if (destroy) release(destroy);
    // pg throws an error when its message arrives; the server's transaction state follows in the next message.
    else if (pgClient.isWaiting() && !pgClient.isBroken()) void settled(pgClient).then(() => finish(pgClient));
    else finish(pgClient);
  };
  return client;
}
