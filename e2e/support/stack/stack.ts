import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import pg from "pg";
import { baseEnv, type DatabaseUrls, inDatabase, required, sharedPostgres } from "./environment.ts";
import { freePort } from "./free-port.ts";
import { type Release, thisRelease } from "./release.ts";
import { parseOutput } from "./server-command.ts";
import { ensureTemplate, type InitialData, templateOf } from "./template.ts";

export type Engine = "s3" | "filesystem";
export const engine: Engine = process.env.E2E_ENGINE === "filesystem" ? "filesystem" : "s3";

/** Settings without limits, for load tests. */
export const unlimited = {
  LIMIT_ADDRESS_REQUESTS_PER_SECOND: "0",
  LIMIT_KEY_REQUESTS_PER_SECOND: "0",
  LIMIT_KEY_UPLOADS_AT_ONCE: "0",
  LIMIT_WORKSPACE_REQUESTS_PER_SECOND: "0",
  LIMIT_WORKSPACE_IMPORTS_PER_SECOND: "0",
  LIMIT_WORKSPACE_UPLOADS_AT_ONCE: "0",
  LIMIT_KEY_DOWNLOADS_AT_ONCE: "0",
  LIMIT_WORKSPACE_DOWNLOADS_AT_ONCE: "0",
  LIMIT_WORKSPACE_NEW_MONTHS_PER_DAY: "0",
};

/** A process of the service. */
export interface ServerProcess {
  readonly pid: number;
  /** Log output so far. */
  log(): string;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
}

interface ApiOptions {
  readonly env?: Record<string, string>;
  readonly port?: number;
  readonly release?: Release;
}

export interface ApiProcess extends ServerProcess {
  readonly baseUrl: string;
  readonly port: number;
}

/** A workspace with a campaign, an agent and a key, and access to the installation that it is in. */
export interface TestWorkspace extends InitialData {
  readonly engine: Engine;
  readonly env: Readonly<Record<string, string>>;
  /** Superuser connection, which bypasses row-level security. */
  readonly adminDb: pg.Pool;
  /** Runs `hearback-server …` of the release that created the database, and returns its output, parsed if it is JSON. */
  command<T = unknown>(...args: string[]): Promise<T>;
  stop(): Promise<void>;
}

/** An isolated installation: a database, a bucket or folder, and a workspace. */
export interface Stack extends TestWorkspace {
  /** Starts an API process on the given or a free port and waits until it is ready. */
  startApi(options?: ApiOptions): Promise<ApiProcess>;
  /** Starts a worker and waits until it is ready. */
  startWorker(env?: Record<string, string>, release?: Release): Promise<ServerProcess>;
}

/** Superuser connections to the database of an installation. */
export function connectAsAdmin(
  { DATABASE_URL = "" }: Readonly<Record<string, string>>,
  postgres = sharedPostgres(),
): pg.Pool {
  const database = new URL(DATABASE_URL).pathname.slice(1);
  const pool = new pg.Pool({ connectionString: inDatabase(postgres.DATABASE_ADMIN_URL, database), max: 4 });
  // Tests that stop PostgreSQL also close these connections; the pool opens new ones.
  pool.on("error", () => {});
  return pool;
}

export function s3Client(): S3Client {
  return new S3Client({
    endpoint: required("S3_ENDPOINT"),
    region: required("S3_REGION"),
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    credentials: { accessKeyId: required("S3_ACCESS_KEY_ID"), secretAccessKey: required("S3_SECRET_ACCESS_KEY") },
  });
}

async function storageSettings(kind: Engine, name: string): Promise<Record<string, string>> {
  if (kind === "filesystem") return { STORAGE: "filesystem", STORAGE_DIR: join(required("E2E_DIR"), name) };
  const client = s3Client();
  await client.send(new CreateBucketCommand({ Bucket: name }));
  client.destroy();
  return {
    STORAGE: "s3",
    S3_BUCKET: name,
    S3_ENDPOINT: required("S3_ENDPOINT"),
    S3_REGION: required("S3_REGION"),
    S3_ACCESS_KEY_ID: required("S3_ACCESS_KEY_ID"),
    S3_SECRET_ACCESS_KEY: required("S3_SECRET_ACCESS_KEY"),
  };
}

async function exited(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

/** Errors in the log that each process prints. */
const maxPrintedErrors = 3;

interface StackOptions {
  /** Default: the PostgreSQL that all tests share. */
  readonly postgres?: DatabaseUrls;
  /** The release that creates the database. */
  readonly release?: Release;
}

export async function openStack(
  kind: Engine = engine,
  settings: Record<string, string> = {},
  { postgres = sharedPostgres(), release = thisRelease }: StackOptions = {},
): Promise<Stack> {
  const name = `e2e-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;
  const database = name.replaceAll("-", "_");
  const admin = new pg.Pool({ connectionString: postgres.DATABASE_ADMIN_URL, max: 1 });
  const begun = await ensureTemplate(admin, { postgres, release });
  await admin.query(`create database ${database} owner hearback_owner template ${templateOf(release)}`);
  await admin.end();

  const env = {
    ...baseEnv(database, postgres),
    // Outside the clone: the media tools run as the user nobody, who may lack access to it.
    SCRATCH_DIR: join(tmpdir(), name),
    ...(await storageSettings(kind, name)),
    ...settings,
  };
  const adminDb = connectAsAdmin(env, postgres);
  const children = new Set<ChildProcess>();

  function start(name: string, more: Record<string, string>, { main }: Release = thisRelease) {
    const child = spawn(process.execPath, [main, name], {
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.add(child);
    let log = "";
    let printed = 0;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        log += text;
        // The response of an internal error says nothing about its cause.
        for (const line of text.split("\n"))
          if (line.includes('"level":50') && printed++ < maxPrintedErrors) process.stderr.write(`${name}: ${line}\n`);
      });
    child.on("exit", () => children.delete(child));
    return {
      child,
      pid: child.pid ?? 0,
      log: () => log,
      async kill() {
        child.kill("SIGKILL");
        await exited(child);
      },
      async stop() {
        child.kill("SIGTERM");
        return exited(child);
      },
    };
  }

  async function startApi(options: ApiOptions = {}): Promise<ApiProcess> {
    const port = options.port ?? (await freePort());
    const baseUrl = `http://127.0.0.1:${port}`;
    const { child, ...process } = start("api", { ...options.env, PORT: String(port) }, options.release);
    const deadline = Date.now() + 120_000;
    while (
      !(await fetch(`${baseUrl}/readyz`).then(
        (answer) => answer.ok,
        () => false,
      ))
    ) {
      if (child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`the API did not start:\n${process.log()}`);
      }
      await sleep(50);
    }
    return { baseUrl, port, ...process };
  }

  async function startWorker(more: Record<string, string> = {}, release?: Release): Promise<ServerProcess> {
    const { child, ...process } = start("worker", more, release);
    while (!process.log().includes("worker ready")) {
      if (child.exitCode !== null) throw new Error(`the worker did not start:\n${process.log()}`);
      await sleep(50);
    }
    return process;
  }

  return {
    engine: kind,
    env,
    ...begun,
    adminDb,
    startApi,
    startWorker,
    command: async <T>(...args: string[]) => parseOutput<T>(await release.runCommand(env, args)),
    async stop() {
      for (const child of children) child.kill("SIGKILL");
      await Promise.all([...children].map(exited));
      await adminDb.end();
      await rm(env.SCRATCH_DIR, { recursive: true, force: true });
    },
  };
}
