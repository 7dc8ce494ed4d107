import type { EventEmitter } from "node:events";
import pg from "pg";

/** The comment that makes a statement a prepared one, with its name. */
export const preparedComment = /^\s*\/\* prepared: ([\w-]+) \*\//;

/** SQLSTATEs after which a connection must not be reused, even if it is still open. */
const fatalCodes = [
  /^25006$/, // read-only: the server became a standby
  /^57P0/, // the server is shutting down, crashed, or is not accepting connections
  /^26000$/, // the prepared statement does not exist: a proxy switched the server connection
];

interface ErrorMessage {
  readonly code?: string;
  readonly routine?: string;
}

/** PostgreSQL stopped waiting for the synchronous standby and reports the commit as successful, with a warning. */
class NotReplicated extends Error {
  override name = "NotReplicated";
  /** SQLSTATE transaction_resolution_unknown: a failover can undo the commit. */
  readonly code = "08007";
}

/** Members of pg.Client that its types do not declare. */
interface ClientInternals {
  readonly connection: EventEmitter;
  readonly readyForQuery: boolean;
  /** False when the connection is lost. */
  readonly _queryable: boolean;
}

/** A commit of a failed transaction. PostgreSQL rolls it back without reporting an error. */
class RolledBack extends Error {
  override name = "RolledBack";
  readonly code = "25P02";
}

const requireCommit = (result: pg.QueryResult) => {
  if (result.command !== "COMMIT") {
    throw new RolledBack("The transaction was rolled back, because the error of a failed statement was ignored.");
  }
  return result;
};

/**
 * Prepares statements that start with a comment such as "prepared: insert-calls". PostgreSQL then parses and plans them
 * once per connection instead of once per execution, which saves a third of the database cost of an import.
 */
export class PreparedStatementClient extends pg.Client {
  #broken = false;
  #isReplicated = true;
  readonly #prepares: boolean;

  constructor(config: pg.ClientConfig & { readonly preparedStatements?: boolean } = {}) {
    super(config);
    this.#prepares = config.preparedStatements ?? true;
    // The message is localised; the name of the routine is not.
    this.on("notice", ({ routine }) => {
      if (routine === "SyncRepWaitForLSN") this.#isReplicated = false;
    });
    (this as unknown as ClientInternals).connection.on("errorMessage", ({ code = "", routine }: ErrorMessage) => {
      // RevalidateCachedQuery: a migration changed the result columns; a new connection prepares the statement again.
      this.#broken ||= routine === "RevalidateCachedQuery" || fatalCodes.some((pattern) => pattern.test(code));
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares nine overloads; only the one that Kysely calls is changed.
  override query(...args: any[]): any {
    const [text, values] = args;
    const name = this.#prepares && typeof text === "string" ? preparedComment.exec(text)?.[1] : undefined;
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const query = super.query as (...args: any[]) => any;
    const result = name ? query.call(this, { name, text, values }) : query.apply(this, args);
    if (!(result instanceof Promise)) return result;
    return result.then((answer) => {
      this.#requireReplicated();
      return text === "commit" ? requireCommit(answer) : answer;
    });
  }

  #requireReplicated(): void {
    if (this.#isReplicated) return;
    this.#isReplicated = true;
    throw new NotReplicated("The transaction is committed, but the synchronous standby has not confirmed it.");
  }

  /** Whether the server still has statements to finish. */
  isWaiting(): boolean {
    const { readyForQuery, _queryable: connected } = this as unknown as ClientInternals;
    return connected && !readyForQuery;
  }

  /** Whether the server has finished every statement and is outside a transaction. */
  isIdle(): boolean {
    return (this as unknown as ClientInternals).readyForQuery && this.getTransactionStatus() === "I";
  }

  /** Whether an error requires closing this connection. */
  isBroken(): boolean {
    return this.#broken;
  }
}
