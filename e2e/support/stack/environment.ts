import { join } from "node:path";

export const server = join(import.meta.dirname, "../../../server/src/main.ts");

export function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: start the suites with "npm run e2e", which starts the engines`);
  return value;
}

/** Compile cache, filled by run.ts: the tests start hundreds of processes. */
export const compileCache = () => ({ NODE_COMPILE_CACHE: join(required("E2E_DIR"), "compiled") });

export const inDatabase = (url: string, database: string) =>
  Object.assign(new URL(url), { pathname: `/${database}` }).href;

/** Addresses of a PostgreSQL, as dev/postgres prints them. */
export type DatabaseUrls = Readonly<Record<"DATABASE_URL" | "DATABASE_OWNER_URL" | "DATABASE_ADMIN_URL", string>>;

/** The PostgreSQL that run.ts started. */
export const sharedPostgres = (): DatabaseUrls => ({
  DATABASE_URL: required("DATABASE_URL"),
  DATABASE_OWNER_URL: required("DATABASE_OWNER_URL"),
  DATABASE_ADMIN_URL: required("DATABASE_ADMIN_URL"),
});

/** Settings of every process, independent of the storage engine. */
export const baseEnv = (database: string, postgres: DatabaseUrls) => ({
  PATH: required("PATH"),
  ...compileCache(),
  LOG_LEVEL: "info",
  // The same in every process, so that each can decrypt the others' data.
  ENCRYPTION_KEYS: `e2e:${Buffer.alloc(32, "e2e").toString("base64")}`,
  HOST: "127.0.0.1",
  WORKER_PORT: "0",
  DATABASE_URL: inDatabase(postgres.DATABASE_URL, database),
  DATABASE_OWNER_URL: inDatabase(postgres.DATABASE_OWNER_URL, database),
});
