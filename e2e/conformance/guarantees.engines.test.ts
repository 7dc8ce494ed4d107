import { createHash } from "node:crypto";
import { once } from "node:events";
import { rename, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { storedObjects, storedRows, storedSha256, tablesHolding } from "../support/data/stored-rows.ts";
import { expectProblem } from "../support/http/expect-problem.ts";
import { makeUnknownKey } from "../support/http/keys.ts";
import {
  callParts,
  fileFirst,
  importCall,
  postCall,
  postUser,
  type Service,
  uniqueEmail,
} from "../support/http/service.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { local, target, testLocally } from "../support/stack/target.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("docs/integrating.md: what you get back with a 200", () => {
  testLocally("the recording is in the object store", async () => {
    const before = await storedObjects(local());
    const file = makeWav({ seconds: 3 });
    await importCall(target, { file });
    const added = (await storedObjects(local())).filter((name) => !before.includes(name));
    expect(await Promise.all(added.map((name) => storedSha256(local(), name)))).toContain(sha256(file));
  });

  testLocally("the call is committed in PostgreSQL with its first job", async () => {
    const { id } = await importCall(target);
    const tables = await tablesHolding(local(), id);
    expect(tables.filter((name) => /\bcall/.test(name))).not.toEqual([]);
    expect(tables.filter((name) => /job/.test(name))).not.toEqual([]);
  });

  testLocally("a crash of any process does not lose it", async () => {
    const api = await local().startApi();
    const file = makeWav({ seconds: 3 });
    const service = { ...target, baseUrl: api.baseUrl };
    const call = await importCall(service, { file });
    await api.kill();
    const reborn = await local().startApi({ port: api.port });
    expect(await importCall(service, { file })).toMatchObject({ id: call.id, duplicate: true });
    await reborn.stop();
  });
});

describe("docs/calls.md: received → ready or failed", () => {
  /** Waits until the preparation ends and returns the call. */
  async function waitForCall(id: string): Promise<{ status: string; failure?: { code: string; detail: string } }> {
    const key = await local().command<{ key: string }>(
      ...["key", "create", "--workspace", local().workspaceId, "--name", "reader", "--scope", "read", "--json"],
    );
    for (;;) {
      const answer = await fetch(`${target.baseUrl}/calls/${id}`, { headers: { "x-api-key": key.key } });
      const call = (await answer.json()) as { status: string };
      if (call.status !== "received") return call;
      await sleep(100);
    }
  }

  testLocally("received → ready", async () => {
    const call = await importCall(target, { file: makeWav({ seconds: 2 }) });
    expect(call.status).toBe("received");
    const worker = await local().startWorker();
    expect(await waitForCall(call.id)).toMatchObject({ status: "ready" });
    await worker.stop();
  });

  testLocally("received → failed (with failure {code, detail})", async () => {
    const call = await importCall(target, { file: makeWav({ seconds: 2 }) });
    // Simulates a lost recording.
    await local().adminDb.query("update call set recording_key = 'recordings/lost' where id = $1", [call.id]);
    const worker = await local().startWorker({ RECORDING_RETRY_SECONDS: "0" });
    expect(await waitForCall(call.id)).toMatchObject({
      status: "failed",
      failure: { code: "recording_missing", detail: expect.stringMatching(/\w/) },
    });
    await worker.stop();
  });
});

/** Blocks the service's connections to PostgreSQL while `work` runs. */
async function withoutDatabase(work: () => Promise<void>) {
  const { adminDb } = local();
  const { rows } = await adminDb.query<{ name: string }>("select current_database() as name");
  const limit = (connections: number) =>
    adminDb.query(`alter database ${rows[0]?.name} connection limit ${connections}`);
  await limit(0);
  await adminDb.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename <> current_user`,
  );
  try {
    await work();
  } finally {
    await limit(-1);
  }
}

/** A TCP proxy in front of the S3 store that can be closed. */
async function openClosableProxy(endpoint: string) {
  const { hostname, port } = new URL(endpoint);
  const sockets = new Set<Socket>();
  let shut = false;
  const door = createServer((incoming) => {
    if (shut) return void incoming.destroy();
    const outgoing = connect(Number(port), hostname);
    for (const socket of [incoming, outgoing]) sockets.add(socket.on("error", () => socket.destroy()));
    incoming.pipe(outgoing).pipe(incoming);
  }).listen(0, "127.0.0.1");
  await once(door, "listening");
  const address = door.address();
  if (typeof address !== "object" || !address) throw new Error("no free port");
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    set(open: boolean) {
      shut = !open;
      if (shut) for (const socket of sockets) socket.destroy();
    },
    close: () => door.close(),
  };
}

async function expectUnavailable(service: Service, parts = callParts(service)) {
  const answer = await postCall(service, parts);
  expectProblem(answer, 503);
  expect(answer.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
}

const again = (service: Service, parts = callParts(service)) =>
  expect.poll(async () => (await postCall(service, parts)).status, { timeout: 30_000, interval: 500 }).toBe(200);

describe("docs/errors.md: 503 with Retry-After if the database or the object store is unavailable", () => {
  testLocally("PostgreSQL", async () => {
    const before = await storedRows(local());
    const parts = callParts(target);
    await withoutDatabase(async () => {
      await expectUnavailable(target, parts);
      await expectUnavailable(target, fileFirst(target));
      const user = await postUser(target, { email: uniqueEmail(), name: "Ann Lee", role: "agent" });
      expectProblem(user, 503);
      expect(user.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    });
    expect(await storedRows(local())).toEqual(before);
    await again(target, parts);
    expect((await postCall(target, parts)).body.duplicate).toBe(true);
  });

  testLocally("malformed keys are rejected without the database", async () => {
    await withoutDatabase(async () => {
      expectProblem(await postUser({ ...target, apiKey: "junk" }, {}), 401, "unauthenticated");
      const key = makeUnknownKey();
      expectProblem(await postUser({ ...target, apiKey: `${key.slice(0, -1)}!` }, {}), 401, "unauthenticated");
      // Only the database knows that this agent is unknown.
      expectProblem(await postUser({ ...target, apiKey: key }, {}), 503);
    });
    await again(target);
  });

  test.skipIf(target.local?.engine !== "filesystem")("object store: a missing folder", async () => {
    const folder = local().env.STORAGE_DIR ?? "";
    await importCall(target);
    const before = await storedRows(local());
    const parts = callParts(target);
    await rename(folder, `${folder}.away`);
    await writeFile(folder, "no folder");
    try {
      await expectUnavailable(target, parts);
      await expectUnavailable(target, fileFirst(target));
    } finally {
      await rm(folder);
      await rename(`${folder}.away`, folder);
    }
    expect(await storedRows(local())).toEqual(before);
    await again(target, parts);
  });

  test.skipIf(target.local?.engine !== "s3")("object store: unreachable S3", async () => {
    const door = await openClosableProxy(local().env.S3_ENDPOINT ?? "");
    const api = await local().startApi({ env: { S3_ENDPOINT: door.endpoint } });
    const service = { ...target, baseUrl: api.baseUrl };
    await importCall(service);
    const before = await storedRows(local());
    const parts = callParts(service);
    door.set(false);
    await expectUnavailable(service, parts);
    await expectUnavailable(service, fileFirst(service));
    door.set(true);
    expect(await storedRows(local())).toEqual(before);
    await again(service, parts);
    await api.stop();
    door.close();
  });
});

describe("docs/errors.md: 500 contains only the request id", () => {
  testLocally("a missing table", async () => {
    const { adminDb } = local();
    const before = await storedRows(local());
    await adminDb.query("alter table campaign rename to campaign_renamed_by_the_test");
    try {
      const answer = await postCall(target, callParts(target));
      expect(answer.status, answer.text).toBe(500);
      expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json\b/);
      const problem = answer.body as unknown as Record<string, unknown>;
      expect(problem.request_id).toBe(answer.headers["x-request-id"]);
      const formal = ["type", "title", "status", "code", "detail", "request_id"];
      expect(Object.keys(problem).filter((member) => !formal.includes(member))).toEqual([]);
      expect(answer.text).not.toMatch(/campaign|relation|select|node_modules|\.ts\b|42P01/i);
    } finally {
      await adminDb.query("alter table campaign_renamed_by_the_test rename to campaign");
    }
    await expect.poll(() => storedRows(local()), { timeout: 10_000 }).toEqual(before);
    await again(target);
  });
});
