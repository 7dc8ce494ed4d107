import type pg from "pg";

export interface ServerState {
  readonly recovering: boolean;
  readonly readOnly: boolean;
}

export const serverState = `
  select pg_is_in_recovery() as recovering, current_setting('transaction_read_only') = 'on' as "readOnly"`;

/** The server responds but accepts no writes. Has the SQLSTATE of a failed write. */
export class ReadOnlyDatabase extends Error {
  override name = "ReadOnlyDatabase";
  readonly code = "25006";
}

export const isStandby = () =>
  new ReadOnlyDatabase(
    "The database server is a standby and accepts no writes until it is promoted. Check that DATABASE_URL points to the primary.",
  );

/** Throws unless the server accepts writes. */
export function requireWritable(state: ServerState | undefined): void {
  if (state?.recovering) throw isStandby();
  if (state?.readOnly) {
    throw new ReadOnlyDatabase(
      "The database accepts no writes: default_transaction_read_only is on. Check whether its disk is full or maintenance is in progress.",
    );
  }
}

/** Rejects a new connection to a standby, as libpq does with target_session_attrs=primary. */
async function rejectStandby(client: pg.ClientBase): Promise<void> {
  const query = { text: serverState, query_timeout: 5_000 };
  const { rows } = await client.query<ServerState>(query);
  if (rows[0]?.recovering) throw isStandby();
}

/** Pool options that move all connections to the current primary after a failover. */
export const failoverOptions = {
  onConnect: rejectStandby,
  // Replaces connections to a server that silently left the cluster or changed its role.
  maxLifetimeSeconds: 600,
  // Detects a dead peer within seconds instead of the kernel's default of two hours.
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  // The type of onConnect does not allow a promise, but the pool awaits it.
} as Pick<pg.PoolConfig, "onConnect" | "maxLifetimeSeconds" | "keepAlive" | "keepAliveInitialDelayMillis">;
