import { type Logger, pino } from "pino";
import { once } from "./async/single-flight.ts";
import type { Config } from "./config.ts";
import { type Db, openDatabase, openPool } from "./database/database.ts";
import { type Mail, openMail } from "./mail/mail.ts";
import { openScratch, type Scratch } from "./media/ffmpeg/scratch.ts";
import { type Metrics, openMetrics } from "./metrics.ts";
import { openSecretBox, type SecretBox } from "./secret-box.ts";
import { openStorage } from "./storage/storage.ts";
import type { Storage } from "./storage/types.ts";

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
  /** Scratch directory for media processing. Opened on first use; only workers use it. */
  readonly scratch: () => Promise<Scratch>;
}

/** Opens all parts. Tests can replace any of them. */
export function openApp(config: Config, parts: Partial<App> = {}): App {
  const log = parts.log ?? pino({ level: config.logLevel, base: null, serializers: { err: describeError } });
  const openDefaultDatabase = () =>
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
    db: parts.db ?? openDefaultDatabase(),
    storage: parts.storage ?? openStorage(config.storage),
    mail: parts.mail ?? (config.mail && openMail(config.mail)),
    metrics: parts.metrics ?? openMetrics(),
    secretBox: parts.secretBox ?? openSecretBox(config.encryptionKeys),
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
