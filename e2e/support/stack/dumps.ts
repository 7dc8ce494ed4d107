import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import type { Stack } from "./stack.ts";
import type { Store } from "./store.ts";

const run = promisify(execFile);
const server = join(import.meta.dirname, "../../../server/src/main.ts");
const versions = () => readdirSync("/usr/lib/postgresql").sort((a, b) => Number(a) - Number(b));
const tool = (name: string) => join("/usr/lib/postgresql", versions().at(-1) ?? "", "bin", name);

const inDatabase = (url: string, database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href;
const databaseOf = (url = "") => new URL(url).pathname.slice(1);
/** The same database as a superuser. */
const adminUrl = (url = "") => Object.assign(new URL(url), { username: "postgres", password: "" }).href;

/** Dumps a database as text, including the queue's schema. */
export async function dump(databaseUrl: string | undefined): Promise<string> {
  const { stdout } = await run(tool("pg_dump"), ["--dbname", adminUrl(databaseUrl)], { maxBuffer: 1024 ** 3 });
  return stdout;
}

/** Finds words in a database dump and in the keys and contents of the store: one line per hit. */
export async function placesOf(
  words: readonly string[],
  { store, databaseUrl }: { store?: Store; databaseUrl: string | undefined },
): Promise<string[]> {
  const text = (await dump(databaseUrl)).toLowerCase();
  // bytea is dumped in hexadecimal.
  const formsOf = (word: string) => [word.toLowerCase(), Buffer.from(word).toString("hex")];
  const places = words
    .filter((word) => formsOf(word).some((form) => text.includes(form)))
    .map((word) => `${word}: dump`);
  for (const key of (await store?.keys()) ?? []) {
    const bytes = expand((await store?.read(key)) ?? Buffer.alloc(0));
    places.push(...words.filter((word) => bytes.includes(word) || key.includes(word)).map((word) => `${word}: ${key}`));
  }
  return places;
}

/** Transcripts are compressed. */
export const expand = (bytes: Buffer) => (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes);

export interface Backup {
  /** Restores to a new database and returns the settings of a service that uses it. */
  restore(): Promise<Record<"DATABASE_URL" | "DATABASE_OWNER_URL", string>>;
  remove(): Promise<void>;
}

/** Backs up the database with pg_dump. */
export async function backUp(stack: Stack): Promise<Backup> {
  const folder = await mkdtemp(join(tmpdir(), "hearback-backup-"));
  const file = join(folder, "dump");
  const url = adminUrl(stack.env.DATABASE_URL);
  await run(tool("pg_dump"), ["--format=custom", "--file", file, "--dbname", url]);
  return {
    async restore() {
      const database = `${databaseOf(stack.env.DATABASE_URL)}_${randomBytes(3).toString("hex")}`;
      const admin = new pg.Client({ connectionString: inDatabase(url, "postgres") });
      await admin.connect();
      await admin.query(`create database ${database} owner hearback_owner`);
      await admin.end();
      await run(tool("pg_restore"), ["--exit-on-error", "--dbname", inDatabase(url, database), file]);
      return {
        DATABASE_URL: inDatabase(stack.env.DATABASE_URL ?? "", database),
        DATABASE_OWNER_URL: inDatabase(stack.env.DATABASE_OWNER_URL ?? "", database),
      };
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** Runs `hearback-server …` with overridden settings. */
export async function commandWith<T>(stack: Stack, env: Record<string, string>, ...args: string[]): Promise<T> {
  const { stdout } = await run(process.execPath, [server, ...args], { env: { ...stack.env, ...env } });
  return JSON.parse(stdout) as T;
}
