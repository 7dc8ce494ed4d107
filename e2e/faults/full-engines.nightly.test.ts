// Nightly, and for changes in: server/src/platform/database/, server/src/platform/storage/
import { join } from "node:path";
import { expect, test } from "vitest";
import { startLoad } from "../support/load/load.ts";
import { KB, serviceAt } from "../support/recordings/recordings.ts";
import { isRelease } from "../support/run-scale.ts";
import { setStoreFull, startPostgres, wipePostgres } from "../support/stack/engines.ts";
import { freePort } from "../support/stack/free-port.ts";
import { engine } from "../support/stack/stack.ts";
import { until } from "../support/waiting.ts";
import { ending, expectRecovery, firstRefusal, mount, open } from "./support/full-disk.ts";

test("PostgreSQL without disk space: 503 until there is some, and no acknowledged call is lost", async () => {
  const disk = await mount(500);
  const cluster = { PG_ENGINE_DIR: join(disk.folder, "postgres"), PG_ENGINE_PORT: String(await freePort()) };
  ending(() => wipePostgres(cluster));
  const usual = { ...process.env };
  Object.assign(process.env, await startPostgres(cluster));
  const stack = await open().finally(() => Object.assign(process.env, usual));
  const api = await stack.startApi();
  const load = startLoad(serviceAt(stack, api.port), { clients: 4, size: () => 60 * KB });
  try {
    await until("calls are imported", 30_000, () => load.acknowledged.size > 20);
    await disk.fill(0);
    await firstRefusal(load);
    // Tables cannot grow. Without a new file for its log, PostgreSQL stops altogether.
    await until("PostgreSQL stops", 60_000, () =>
      stack.adminDb.query("select pg_switch_wal()").then(
        () => false,
        () => true,
      ),
    );
    const before = load.refusals.length;
    await until("imports are refused", 10_000, () => load.refusals.length > before + 8);
    await disk.free();
    // A service manager restarts it.
    await startPostgres(cluster);
    await expectRecovery(stack, api, load);
  } finally {
    load.abandon();
  }
  // SQLSTATE disk_full.
  expect(api.log()).toContain("53100");
});

// Ceph does not answer while it is full: the imports wait for their time limit, which is too long for CI. The matrix of
// misbehaving-engines.test.ts has the same fault.
test.runIf(isRelease && engine === "s3")("a full S3 store: 503 until it has space, no call is lost", async () => {
  const stack = await open();
  const api = await stack.startApi();
  const load = startLoad(serviceAt(stack, api.port), { clients: 4, size: () => 60 * KB });
  try {
    await until("calls are imported", 30_000, () => load.acknowledged.size > 20);
    await setStoreFull(true);
    await firstRefusal(load, 60_000);
    await setStoreFull(false);
    await expectRecovery(stack, api, load);
  } finally {
    load.abandon();
    await setStoreFull(false);
  }
});
