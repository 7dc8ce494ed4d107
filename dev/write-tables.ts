// Migrates an empty database and writes server/src/platform/database/tables.ts from it.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "../server/src/platform/database/migrate.ts";
import { describeTables } from "../server/src/testing/describe-tables.ts";

const root = join(import.meta.dirname, "..");
const started = execFileSync(join(root, "dev/postgres"), ["start"], { encoding: "utf8" });
const url = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(started)?.[1] ?? "";
const database = "hearback_types";
const admin = new pg.Client({ connectionString: url("DATABASE_ADMIN_URL") });
await admin.connect();
await admin.query(`drop database if exists ${database}`);
await admin.query(`create database ${database} owner hearback_owner`);
const ownerUrl = Object.assign(new URL(url("DATABASE_OWNER_URL")), { pathname: `/${database}` }).href;
await migrate(ownerUrl);
const client = new pg.Client({ connectionString: ownerUrl });
await client.connect();
writeFileSync(join(root, "server/src/platform/database/tables.ts"), await describeTables(client));
await client.end();
await admin.query(`drop database ${database}`);
await admin.end();
