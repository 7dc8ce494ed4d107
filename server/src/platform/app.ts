import { type Logger, pino } from "pino";
import { once } from "./async/single-flight.ts";
import type { Config } from "./config.ts";
import { type Db, openDatabase, openPool } from "./database/database.ts";
import { traceQuery } from "./database/trace-queries.ts";
import { type Mail, openMail } from "./mail/mail.ts";
import { openScratch, type Scratch } from "./media/ffmpeg/scratch.ts";
import { type Metrics, openMetrics } from "./metrics.ts";
import { outageLog } from "./outage-log.ts";
import { openSecretBox, type SecretBox } from "./secret-box.ts";
import { openStorage } from "./storage/storage.ts";
import { traceStorage } from "./storage/trace-storage.ts";
import type { Storage } from "./storage/types.ts";
import { traceIds } from "./tracing/spans.ts";

/** The parts of the service. One instance per process, passed as the first argument to most functions. */
export interface App {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Db;
  readonly storage: Storage;
  /** Undefined if no mail server is configured. Invitations then report `not_configured`. */
  readonly mail: Mail | undefined;
  readonly metrics: Metrics;
  readonly secretBox: SecretBox;
  /** `server/src/handlers.ts`, loaded on first use. */
  readonly handlers: () => Promise<readonly Handler[]>;
  /** Scratch directory for media processing. Opened on first use; only workers use it. */
  readonly scratch: () => Promise<Scratch>;
}

/** Changes the tables of one domain when something happens in another one (hooks.ts). */
export interface Handler {
  readonly hook: { readonly name: string };
  readonly handle: (tx: Db, input: never, app: App) => Promise<void>;
}

/** Opens all parts. Tests can replace any of them. The handlers are the caller's: the platform knows no domain. */
export function openApp(config: Config, parts: Partial<App> & Pick<App, "handlers">): App {
  const { tracing } = config;
  const log =
    parts.log ??
    pino({
      level: config.logLevel,
      base: null,
      serializers: { err: describeError },
      hooks: { logMethod: outageLog() },
      ...(tracing && { mixin: traceIds }),
    });
  const openDefaultDatabase = () =>
    openDatabase(
      openPool({
        ...config.database,
        onError: (err) => log.warn({ err }, "database connection lost"),
      }),
      tracing && traceQuery,
    );
  const openDefaultStorage = () => {
    const storage = openStorage(config.storage);
    return tracing ? traceStorage(storage) : storage;
  };
  return {
    config,
    log,
    db: parts.db ?? openDefaultDatabase(),
    storage: parts.storage ?? openDefaultStorage(),
    mail: parts.mail ?? (config.mail && openMail(config.mail)),
    metrics: parts.metrics ?? openMetrics(),
    secretBox: parts.secretBox ?? openSecretBox(config.encryptionKeys),
    handlers: parts.handlers,
    scratch:
      parts.scratch ?? once(() => openScratch(config.media.scratchDir, { required: config.media.sandboxRequired })),
  };
}

/** Serialises an error for the log. Drops other properties, because PostgreSQL errors can contain personal data. */
export function describeError(error: Error & { code?: unknown }): Record<string, unknown> {
  return { type: error.name, code: error.code, message: error.message, stack: error.stack };
}

export async function closeApp(app: App): Promise<void> {
  await app.db.destroy();
  app.storage.close();
  app.mail?.close();
}
