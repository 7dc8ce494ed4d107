import { type Logger, pino } from "pino";
import type { Config } from "./config.ts";
import { type Db, openDatabase, openPool } from "./database/database.ts";
import { type Mail, openMail } from "./mail/mail.ts";
import { openScratch, type Scratch } from "./media/scratch.ts";
import { type Metrics, openMetrics } from "./metrics.ts";
import { openStorage } from "./storage/storage.ts";
import type { Storage } from "./storage/types.ts";

/** Everything the service is made of. One per process, passed first to every verb. */
export interface App {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  readonly storage: Storage;
  /** Absent where no mail server is set: invitations then say `not_configured`. */
  readonly mail: Mail | undefined;
  readonly metrics: Metrics;
  /** Where recordings are unpacked; opened when it is first asked for, which only a worker does. */
  readonly scratch: () => Promise<Scratch>;
}

/** Opens the parts in order. A test may replace any of them. */
export function openApp(config: Config, parts: Partial<App> = {}): App {
  const log = parts.log ?? pino({ level: config.logLevel, base: null, serializers: { err: describeError } });
  const openOwnDatabase = () =>
    openDatabase(
      openPool({
        url: config.database.url,
        maxConnections: config.database.maxConnections,
        onError: (err) => log.warn({ err }, "database connection lost"),
      }),
    );
  return {
    config,
    log,
    db: parts.db ?? openOwnDatabase(),
    storage: parts.storage ?? openStorage(config.storage),
    mail: parts.mail ?? (config.mail && openMail(config.mail)),
    metrics: parts.metrics ?? openMetrics(),
    scratch: parts.scratch ?? once(() => openScratch(config.media.scratchDir)),
  };
}

/** The same promise to all who ask. A failure is forgotten, so that the next one tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** An error as it is logged. What PostgreSQL and others attach to theirs may be somebody's data. */
export function describeError(error: Error & { code?: unknown }): Record<string, unknown> {
  return { type: error.name, code: error.code, message: error.message, stack: error.stack };
}

export async function closeApp(app: App): Promise<void> {
  await app.db.destroy();
  app.storage.close();
  app.mail?.close();
}
