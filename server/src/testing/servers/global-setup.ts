import { execFileSync } from "node:child_process";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "../../platform/database/migrate.ts";
import { migrateQueue } from "../../platform/queue/queue-engine.ts";
import { jobs } from "../../worker.ts";
import { inDatabase, type TestEngines, templateDatabase } from "./engines.ts";

const root = join(import.meta.dirname, "../../../..");
const dir = join(root, ".data/test");
// Lets several clones on one machine run their tests at the same time.
const offset = Number(process.env.PORT_OFFSET ?? 0);
const env = {
  ...process.env,
  PG_ENGINE_DIR: join(dir, "postgres"),
  PG_ENGINE_PORT: String(15341 + offset),
  S3_ENGINE_DIR: join(dir, "s3"),
  S3_ENGINE_PORT: String(9120 + offset),
};

function start(script: string): Record<string, string> {
  const printed = execFileSync(join(root, script), ["start"], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return Object.fromEntries(
    printed
      .trim()
      .split("\n")
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
}

const stop = (script: string) => execFileSync(join(root, script), ["stop", "--wipe"], { env });

declare module "vitest" {
  interface ProvidedContext {
    engines: TestEngines;
  }
}

/** Starts the engines and migrates a template database, which every test file copies. */
export async function setup(project: TestProject): Promise<void> {
  execFileSync(join(root, "dev/setup"), ["--missing"], { stdio: "inherit" });
  const engines = { ...start("dev/postgres"), ...start("dev/s3"), dir } as unknown as TestEngines;
  const admin = new pg.Client({ connectionString: engines.DATABASE_ADMIN_URL });
  await admin.connect();
  await admin.query(`drop database if exists ${templateDatabase}`);
  await admin.query(`create database ${templateDatabase} owner hearback_owner`);
  await admin.end();
  const ownerUrl = inDatabase(engines.DATABASE_OWNER_URL, templateDatabase);
  await migrate(ownerUrl);
  await migrateQueue(ownerUrl, jobs);
  project.provide("engines", engines);
}

export function teardown(): void {
  stop("dev/s3");
  stop("dev/postgres");
}
