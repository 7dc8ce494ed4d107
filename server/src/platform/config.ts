import { isIP } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { getuid } from "node:process";
import { z } from "zod";
import { type EncryptionKey, parseEncryptionKeys } from "./secret-box.ts";

export type StorageConfig =
  | { readonly kind: "filesystem"; readonly root: string }
  | {
      readonly kind: "s3";
      readonly bucket: string;
      readonly region: string;
      readonly endpoint: string | undefined;
      /** The store's address for browsers, if it differs from `endpoint`. */
      readonly publicEndpoint: string | undefined;
      readonly pathStyle: boolean;
      /** Undefined: use the AWS default credential chain. */
      readonly credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
      readonly uploadMemoryBytes: number;
    };

export interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: "ipv4" | "ipv6";
}

/** Default limits. Null: no limit. */
export interface Limits {
  /** For unauthenticated requests, per client address. */
  readonly address: { readonly requestsPerSecond: number | null };
  readonly key: {
    readonly requestsPerSecond: number | null;
    readonly uploadsAtOnce: number | null;
    /** Per API key, or per user across all sessions. */
    readonly downloadsAtOnce: number | null;
  };
  readonly workspace: {
    readonly requestsPerSecond: number | null;
    readonly importsPerSecond: number | null;
    readonly uploadsAtOnce: number | null;
    readonly downloadsAtOnce: number | null;
    readonly callsPerDay: number | null;
    readonly storedBytes: number | null;
    readonly invitationMailsPerDay: number | null;
    /** Monthly partitions that imports of one workspace can create per day (UTC). */
    readonly newMonthsPerDay: number | null;
  };
}

/** OpenID Connect identity provider. */
export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Display name. */
  readonly name: string;
}

export interface TracingConfig {
  /** URL of an OpenTelemetry collector (OTLP over HTTP). */
  readonly endpoint: string;
  /** Share of traces that are recorded, unless the client's trace says so. */
  readonly sampleRatio: number;
}

/** Speech recognition: a server in OpenAI's format, or a model on this machine. */
export type TranscriberConfig = {
  /** Longest time for a stretch of 30 s. */
  readonly timeoutMs: number;
  /** Calls that one worker transcribes at a time. */
  readonly concurrency: number;
  /** How long to retry an engine that is unavailable before the call's transcription fails. */
  readonly retryMs: number;
} & (
  | { readonly kind: "server"; readonly url: string; readonly model: string; readonly apiKey: string | undefined }
  | { readonly kind: "local"; readonly modelDir: string }
);

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly logLevel: string;
  /** Public address of the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether PUBLIC_URL is set. If not, requests whose origin matches their Host header are also accepted. */
  readonly publicUrlGiven: boolean;
  readonly trustedProxies: readonly Network[];
  readonly sessions: { readonly idleMs: number; readonly mostMs: number };
  readonly oidc: OidcConfig | undefined;
  /** Keys for secrets at rest. The first one encrypts, all decrypt. Empty: secrets are stored in plain text. */
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly cell: string;
  readonly database: {
    readonly url: string;
    readonly ownerUrl: string | undefined;
    readonly maxConnections: number;
    /** False behind a connection pooler that gives each transaction another server connection. */
    readonly preparedStatements: boolean;
  };
  readonly recordings: {
    readonly maxBytes: number;
    /** How long to retry reading a missing or corrupt recording before the call fails. */
    readonly retryMs: number;
  };
  /** Memory limit for all downloads together: data read from the object store but not yet sent. */
  readonly downloadMemoryBytes: number;
  readonly storage: StorageConfig;
  /** Playback: streamed through this service, or redirected to a presigned URL of the object store. */
  readonly playback: { readonly kind: "stream" } | { readonly kind: "redirect"; readonly linkSeconds: number };
  /** Port of the API for /metrics alone. 0: at the same port as everything else. */
  readonly metricsPort: number;
  readonly worker: { readonly port: number };
  readonly media: {
    readonly scratchDir: string;
    /** Recordings that one worker processes concurrently. */
    readonly concurrency: number;
    readonly maxHours: number;
    /** CPU time limit per recording. Large and long recordings get more. */
    readonly cpuSeconds: number;
    readonly sandboxRequired: boolean;
  };
  /** Undefined: calls are not transcribed. */
  readonly transcriber: TranscriberConfig | undefined;
  readonly mail: { readonly url: string; readonly from: string } | undefined;
  readonly events: { readonly retentionMs: number };
  readonly webhooks: {
    /** Private networks to which webhooks may be sent, also without TLS. */
    readonly allowedNetworks: readonly Network[];
    /** Multiplies the backoff between attempts. */
    readonly retryFactor: number;
  };
  /** Undefined: no traces are recorded. */
  readonly tracing: TracingConfig | undefined;
  /** Defaults, unless a workspace or API key has its own limits. */
  readonly limits: Limits;
  readonly timeouts: {
    readonly headersMs: number;
    readonly requestMs: number;
    readonly bodyGraceMs: number;
    readonly bodyMinBytesPerSecond: number;
    readonly responseGraceMs: number;
    readonly responseMinBytesPerSecond: number;
    /** Between SIGTERM and the end of accepting connections. */
    readonly shutdownDelayMs: number;
  };
}

const MiB = 1024 * 1024;
const whole = (min: number, max: number, fallback: number) =>
  z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .default(fallback);
/** A limit; 0 means no limit. */
const limit = (max: number, fallback: number) => whole(0, max, fallback).transform((value) => value || null);
const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be a URL like ${example}` });
const postgresUrl = url(/^postgres(ql)?$/, "postgres://hearback_service:password@127.0.0.1:5432/hearback");

const hourMs = 3600 * 1000;
const dayMs = 24 * hourMs;

function parseNetwork(text: string): Network | undefined {
  const [, address = "", digits = ""] = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/.exec(text) ?? [];
  const version = isIP(address);
  const prefix = Number(digits);
  if (version === 0 || prefix > (version === 4 ? 32 : 128)) return undefined;
  return { address, prefix, family: version === 4 ? "ipv4" : "ipv6" };
}

/** "10.1.0.0/16, fd00::/8" → networks. */
const networks = z
  .string()
  .default("")
  .transform((text, ctx) => {
    const entries = text.split(",").map((entry) => entry.trim());
    return entries
      .filter((entry) => entry !== "")
      .flatMap((entry) => {
        const network = parseNetwork(entry);
        if (network) return [network];
        ctx.addIssue({
          code: "custom",
          message: `must be a list of networks such as 10.1.0.0/16,fd12::/32; "${entry}" is not a network`,
        });
        return [];
      });
  });

/** The error message does not repeat the value, because it is secret. */
const encryptionKeys = z
  .string()
  .optional()
  .transform((text, ctx) => {
    const keys = text === undefined ? [] : parseEncryptionKeys(text);
    if (keys) return keys;
    const message = "must be ID:KEY[,ID:KEY…] with unique ids; generate a key with `hearback-server secrets new-key`";
    ctx.addIssue({ code: "custom", message });
    return [];
  });

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const Env = z
  .object({
    HOST: z.string().default("127.0.0.1"),
    PORT: whole(0, 65_535, 8080),
    PUBLIC_URL: url(/^https?$/, "https://hearback.example.com")
      .refine(
        (text) => new URL(text).pathname === "/" && !/[?#]/.test(text),
        "must not have a path; the console is always at /console/",
      )
      .optional(),
    TRUSTED_PROXIES: networks,
    SESSION_IDLE_HOURS: whole(1, 24 * 30, 12),
    SESSION_DAYS: whole(1, 90, 7),
    OIDC_ISSUER: url(/^https?$/, "https://login.example.com")
      .refine(
        (text) => text.startsWith("https:") || ["127.0.0.1", "[::1]", "localhost"].includes(new URL(text).hostname),
        "must start with https://, unless it is on this machine",
      )
      .optional(),
    OIDC_CLIENT_ID: z.string().max(500).optional(),
    OIDC_CLIENT_SECRET: z.string().max(1000).optional(),
    OIDC_NAME: z.string().max(60, "must have at most 60 characters").optional(),
    ENCRYPTION_KEYS: encryptionKeys,
    LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).default("info"),
    CELL: z
      .string()
      .regex(/^[a-z0-9]{1,16}$/, "must be 1 to 16 lowercase letters and digits")
      .default("c0"),
    DATABASE_URL: postgresUrl,
    DATABASE_OWNER_URL: postgresUrl.optional(),
    DATABASE_CONNECTIONS: whole(1, 500, 20),
    DATABASE_PREPARED_STATEMENTS: z.stringbool("must be true or false").default(true),
    MAX_RECORDING_BYTES: whole(1, 40 * 1024 * MiB, 512 * MiB),
    RECORDING_RETRY_SECONDS: whole(0, 24 * 3600, 180),
    STORAGE: z.enum(["filesystem", "s3"], "must be filesystem or s3"),
    STORAGE_DIR: z.string().optional(),
    S3_BUCKET: z.string().optional(),
    S3_REGION: z.string().default("us-east-1"),
    S3_ENDPOINT: url(/^https?$/, "https://s3.example.com").optional(),
    S3_PUBLIC_ENDPOINT: url(/^https?$/, "https://s3.example.com").optional(),
    S3_PATH_STYLE: z.stringbool("must be true or false").optional(),
    S3_ACCESS_KEY_ID: z.string().optional(),
    S3_SECRET_ACCESS_KEY: z.string().optional(),
    UPLOAD_MEMORY_BYTES: whole(16 * MiB, 64 * 1024 * MiB, 160 * MiB),
    DOWNLOAD_MEMORY_BYTES: whole(8 * MiB, 64 * 1024 * MiB, 64 * MiB),
    PLAYBACK: z.enum(["stream", "redirect"], "must be stream or redirect").default("stream"),
    PLAYBACK_LINK_SECONDS: whole(1, 300, 300),
    METRICS_PORT: whole(0, 65_535, 0),
    WORKER_PORT: whole(0, 65_535, 8081),
    WORKER_CONCURRENCY: whole(1, 256, availableParallelism()),
    SCRATCH_DIR: z.string().default(join(tmpdir(), `hearback-scratch-${getuid?.() ?? 0}`)),
    MAX_CALL_HOURS: whole(1, 48, 6),
    MEDIA_CPU_SECONDS: whole(1, 3600, 8),
    MEDIA_SANDBOX: z.enum(["auto", "required"], "must be auto or required").default("required"),
    TRANSCRIBER_URL: url(/^https?$/, "http://127.0.0.1:8000").optional(),
    TRANSCRIBER_MODEL: z.string().max(200).default("whisper-1"),
    TRANSCRIBER_API_KEY: z.string().max(1000).optional(),
    TRANSCRIBER_MODEL_DIR: z.string().optional(),
    TRANSCRIBER_TIMEOUT_SECONDS: whole(1, 3600, 120),
    TRANSCRIBER_CONCURRENCY: whole(0, 64, 1),
    TRANSCRIBER_RETRY_SECONDS: whole(0, 30 * 24 * 3600, 3 * 24 * 3600),
    SMTP_URL: url(/^smtps?$/, "smtp://user:password@mail.example.com:587").optional(),
    MAIL_FROM: z.string().max(320).default("Hearback <hearback@localhost>"),
    EVENT_RETENTION_DAYS: whole(7, 3650, 90),
    WEBHOOK_ALLOWED_NETWORKS: networks,
    WEBHOOK_RETRY_FACTOR: z.coerce
      .number("must be a number")
      .min(0.0001, "must be at least 0.0001")
      .max(10, "must be at most 10")
      .default(1),
    LIMIT_ADDRESS_REQUESTS_PER_SECOND: limit(1_000_000, 300),
    LIMIT_KEY_REQUESTS_PER_SECOND: limit(1_000_000, 200),
    LIMIT_KEY_UPLOADS_AT_ONCE: limit(100_000, 100),
    LIMIT_KEY_DOWNLOADS_AT_ONCE: limit(100_000, 50),
    LIMIT_WORKSPACE_REQUESTS_PER_SECOND: limit(1_000_000, 400),
    LIMIT_WORKSPACE_IMPORTS_PER_SECOND: limit(1_000_000, 200),
    LIMIT_WORKSPACE_UPLOADS_AT_ONCE: limit(100_000, 200),
    LIMIT_WORKSPACE_DOWNLOADS_AT_ONCE: limit(100_000, 400),
    LIMIT_WORKSPACE_CALLS_PER_DAY: limit(1e12, 0),
    LIMIT_WORKSPACE_STORED_BYTES: limit(Number.MAX_SAFE_INTEGER, 0),
    LIMIT_WORKSPACE_INVITATION_MAILS_PER_DAY: limit(1_000_000, 500),
    LIMIT_WORKSPACE_NEW_MONTHS_PER_DAY: limit(1_000, 48),
    HEADERS_TIMEOUT_SECONDS: whole(1, 600, 15),
    REQUEST_TIMEOUT_SECONDS: whole(1, 24 * 3600, 3600),
    BODY_GRACE_SECONDS: whole(1, 600, 10),
    BODY_MIN_BYTES_PER_SECOND: whole(1, MiB, 1024),
    RESPONSE_GRACE_SECONDS: whole(1, 600, 30),
    RESPONSE_MIN_BYTES_PER_SECOND: whole(1, MiB, 1024),
    SHUTDOWN_DELAY_SECONDS: whole(0, 300, 0),
    OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/, "http://127.0.0.1:4318").optional(),
    OTEL_TRACES_SAMPLER_ARG: z.coerce
      .number("must be a number")
      .min(0, "must be at least 0")
      .max(1, "must be at most 1")
      .default(1),
  })
  .superRefine((env, ctx) => {
    type Conditional = "STORAGE_DIR" | "S3_BUCKET" | "S3_SECRET_ACCESS_KEY" | "OIDC_CLIENT_ID" | "OIDC_CLIENT_SECRET";
    const requireSetting = (name: Conditional, when: string) => {
      if (!env[name]) ctx.addIssue({ code: "custom", path: [name], message: `is required ${when}` });
    };
    if (env.STORAGE === "filesystem") requireSetting("STORAGE_DIR", "with STORAGE=filesystem");
    if (env.STORAGE === "s3") requireSetting("S3_BUCKET", "with STORAGE=s3");
    if (env.PLAYBACK === "redirect" && env.STORAGE !== "s3") {
      ctx.addIssue({ code: "custom", path: ["PLAYBACK"], message: "can be redirect only with STORAGE=s3" });
    }
    if (env.S3_ACCESS_KEY_ID) requireSetting("S3_SECRET_ACCESS_KEY", "with S3_ACCESS_KEY_ID");
    if (env.TRANSCRIBER_URL && env.TRANSCRIBER_MODEL_DIR)
      ctx.addIssue({ code: "custom", path: ["TRANSCRIBER_MODEL_DIR"], message: "cannot be set with TRANSCRIBER_URL" });
    if (env.OIDC_ISSUER) requireSetting("OIDC_CLIENT_ID", "with OIDC_ISSUER");
    if (env.OIDC_ISSUER) requireSetting("OIDC_CLIENT_SECRET", "with OIDC_ISSUER");
  });
type Env = z.output<typeof Env>;

export const settingNames = Object.keys(Env.shape);

/** Invalid settings. Terminates the process at startup. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

function storageConfig(env: Env): StorageConfig {
  if (env.STORAGE === "filesystem") return { kind: "filesystem", root: env.STORAGE_DIR ?? "" };
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  return {
    kind: "s3",
    bucket: env.S3_BUCKET ?? "",
    region: env.S3_REGION,
    endpoint: env.S3_ENDPOINT?.replace(/\/+$/, ""),
    publicEndpoint: env.S3_PUBLIC_ENDPOINT?.replace(/\/+$/, ""),
    pathStyle: env.S3_PATH_STYLE ?? env.S3_ENDPOINT !== undefined,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    uploadMemoryBytes: env.UPLOAD_MEMORY_BYTES,
  };
}

function oidcConfig(env: Env): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  if (!issuer || !clientId || !clientSecret) return undefined;
  return { issuer, clientId, clientSecret, name: env.OIDC_NAME ?? new URL(issuer).hostname };
}

function transcriberConfig(env: Env): TranscriberConfig | undefined {
  const { TRANSCRIBER_URL: url, TRANSCRIBER_MODEL_DIR: modelDir } = env;
  const common = {
    timeoutMs: env.TRANSCRIBER_TIMEOUT_SECONDS * 1000,
    concurrency: env.TRANSCRIBER_CONCURRENCY,
    retryMs: env.TRANSCRIBER_RETRY_SECONDS * 1000,
  };
  if (modelDir) return { ...common, kind: "local", modelDir };
  if (!url) return undefined;
  return { ...common, kind: "server", url, model: env.TRANSCRIBER_MODEL, apiKey: env.TRANSCRIBER_API_KEY };
}

function limitsConfig(env: Env): Limits {
  return {
    address: { requestsPerSecond: env.LIMIT_ADDRESS_REQUESTS_PER_SECOND },
    key: {
      requestsPerSecond: env.LIMIT_KEY_REQUESTS_PER_SECOND,
      uploadsAtOnce: env.LIMIT_KEY_UPLOADS_AT_ONCE,
      downloadsAtOnce: env.LIMIT_KEY_DOWNLOADS_AT_ONCE,
    },
    workspace: {
      requestsPerSecond: env.LIMIT_WORKSPACE_REQUESTS_PER_SECOND,
      importsPerSecond: env.LIMIT_WORKSPACE_IMPORTS_PER_SECOND,
      uploadsAtOnce: env.LIMIT_WORKSPACE_UPLOADS_AT_ONCE,
      downloadsAtOnce: env.LIMIT_WORKSPACE_DOWNLOADS_AT_ONCE,
      callsPerDay: env.LIMIT_WORKSPACE_CALLS_PER_DAY,
      storedBytes: env.LIMIT_WORKSPACE_STORED_BYTES,
      invitationMailsPerDay: env.LIMIT_WORKSPACE_INVITATION_MAILS_PER_DAY,
      newMonthsPerDay: env.LIMIT_WORKSPACE_NEW_MONTHS_PER_DAY,
    },
  };
}

function parseEnvironment(environment: Record<string, string | undefined>): Env {
  // An empty value means "not set", as for an empty line in an .env file.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = Env.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const name = issue.path.join(".");
    return `  ${name}: ${given[name] === undefined && issue.code === "invalid_type" ? "is not set" : issue.message}`;
  });
  throw new ConfigError(`Invalid settings (deploy/example.env documents all of them):\n${problems.join("\n")}`);
}

/** Reads the settings from the environment variables. Called once, by main.ts. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const env = parseEnvironment(environment);
  return {
    host: env.HOST,
    port: env.PORT,
    logLevel: env.LOG_LEVEL,
    publicUrl: new URL(env.PUBLIC_URL ?? `http://127.0.0.1:${env.PORT}`).origin,
    publicUrlGiven: env.PUBLIC_URL !== undefined,
    trustedProxies: env.TRUSTED_PROXIES,
    sessions: { idleMs: env.SESSION_IDLE_HOURS * hourMs, mostMs: env.SESSION_DAYS * dayMs },
    oidc: oidcConfig(env),
    encryptionKeys: env.ENCRYPTION_KEYS,
    cell: env.CELL,
    database: {
      url: env.DATABASE_URL,
      ownerUrl: env.DATABASE_OWNER_URL,
      maxConnections: env.DATABASE_CONNECTIONS,
      preparedStatements: env.DATABASE_PREPARED_STATEMENTS,
    },
    recordings: { maxBytes: env.MAX_RECORDING_BYTES, retryMs: env.RECORDING_RETRY_SECONDS * 1000 },
    downloadMemoryBytes: env.DOWNLOAD_MEMORY_BYTES,
    storage: storageConfig(env),
    playback:
      env.PLAYBACK === "redirect" ? { kind: "redirect", linkSeconds: env.PLAYBACK_LINK_SECONDS } : { kind: "stream" },
    metricsPort: env.METRICS_PORT,
    worker: { port: env.WORKER_PORT },
    media: {
      scratchDir: env.SCRATCH_DIR,
      concurrency: env.WORKER_CONCURRENCY,
      maxHours: env.MAX_CALL_HOURS,
      cpuSeconds: env.MEDIA_CPU_SECONDS,
      sandboxRequired: env.MEDIA_SANDBOX === "required",
    },
    transcriber: transcriberConfig(env),
    mail: env.SMTP_URL ? { url: env.SMTP_URL, from: env.MAIL_FROM } : undefined,
    events: { retentionMs: env.EVENT_RETENTION_DAYS * dayMs },
    webhooks: { allowedNetworks: env.WEBHOOK_ALLOWED_NETWORKS, retryFactor: env.WEBHOOK_RETRY_FACTOR },
    tracing: env.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT, sampleRatio: env.OTEL_TRACES_SAMPLER_ARG }
      : undefined,
    limits: limitsConfig(env),
    timeouts: {
      headersMs: env.HEADERS_TIMEOUT_SECONDS * 1000,
      requestMs: env.REQUEST_TIMEOUT_SECONDS * 1000,
      bodyGraceMs: env.BODY_GRACE_SECONDS * 1000,
      bodyMinBytesPerSecond: env.BODY_MIN_BYTES_PER_SECOND,
      responseGraceMs: env.RESPONSE_GRACE_SECONDS * 1000,
      responseMinBytesPerSecond: env.RESPONSE_MIN_BYTES_PER_SECOND,
      shutdownDelayMs: env.SHUTDOWN_DELAY_SECONDS * 1000,
    },
  };
}
