import { randomUUID } from "node:crypto";
import { PgBoss as NewerPgBoss } from "pg-boss-next";
import { expect, test } from "vitest";
import { prepareCall } from "../../calls/prepare/prepare-call.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { openQueue } from "./queue-engine.ts";

const { app, admin, ownerUrl } = await openTestApp();

test("workers of this release run on, and restart, after a newer pg-boss has migrated its tables", async () => {
  const running = openQueue(app.config.database.url);
  await running.start();
  const before = await running.schemaVersion();

  const newer = new NewerPgBoss({ connectionString: ownerUrl, supervise: false, schedule: false, max: 1 });
  await newer.start();
  await newer.stop({ graceful: false });
  const { rows } = await admin.query("select version from pgboss.version");
  expect(rows[0].version).toBeGreaterThan(before ?? 0);

  const restarted = openQueue(app.config.database.url);
  await restarted.start();
  for (const worker of [running, restarted]) {
    const id = await worker.send(prepareCall.name, { workspaceId: randomUUID(), callId: randomUUID() });
    const [job] = await worker.fetch(prepareCall.name);
    expect(job?.id).toBe(id);
    await worker.complete(prepareCall.name, id ?? "");
    await worker.stop({ graceful: false });
  }
});
