import { expect, test } from "vitest";
import { openTestApp } from "../testing/test-app.ts";
import { findPendingMigrations, listMigrations } from "./database/pending-migrations.ts";
import { checkReadiness } from "./readiness.ts";

const { app, admin } = await openTestApp();

test("a process is not ready while migrations of its version are missing", async () => {
  const last = (await listMigrations()).at(-1);
  await admin.query("delete from migration where name = $1", [last]);
  expect(await findPendingMigrations(app.db)).toEqual([last]);
  expect(await checkReadiness(app)).toMatchObject({ status: "waiting", reason: "migrations_missing" });
  await admin.query("insert into migration (name) values ($1)", [last]);
  expect(await checkReadiness(app)).toEqual({ status: "ready" });
});

test("a database that an older version migrated, or nobody, needs all migrations", async () => {
  await admin.query("revoke select on migration from hearback_service");
  expect(await findPendingMigrations(app.db)).toEqual(await listMigrations());
  await admin.query("alter table migration rename to migration_before");
  expect(await findPendingMigrations(app.db)).toEqual(await listMigrations());
});
