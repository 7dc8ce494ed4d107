import { createHash } from "node:crypto";
import { once } from "node:events";
import { rename, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { expectProblem } from "../support/expect-problem.ts";
import { kept, storedObjects, storedSha256, tablesHolding } from "../support/kept.ts";
import { anUnknownKey } from "../support/keys.ts";
import { anEmail, callParts, fileFirst, importCall, postCall, postUser, type Service } from "../support/service.ts";
import { aWav } from "../support/sounds.ts";
import { local, target, testLocally } from "../support/target.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("interface: What a 200 promises", () => {
  testLocally("The recording is in the object store", async () => {
    const before = await storedObjects(local());
    const file = aWav({ seconds: 3 });
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

  testLocally("no crash of any process loses it", async () => {
    const api = await local().startApi();
    const file = aWav({ seconds: 3 });
    const service = { ...target, baseUrl: api.baseUrl };
    const call = await importCall(service, { file });
    await api.kill();
    const reborn = await local().startApi({ port: api.port });
    expect(await importCall(service, { file })).toMatchObject({ id: call.id, duplicate: true });
    await reborn.stop();
  });
});

describe("interface: POST /calls/audio, States: received → ready or failed (with failure {code, detail})", () => {
  /** The call as it stands when its preparation has ended. */
  async function settled(id: string): Promise<{ status: string; failure?: { code: string; detail: string } }> {
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
    const call = await importCall(target, { file: aWav({ seconds: 2 }) });
    expect(call.status).toBe("received");
    const worker = await local().startWorker();
    expect(await settled(call.id)).toMatchObject({ status: "ready" });
    await worker.stop();
  });

  testLocally("received → failed (with failure {code, detail})", async () => {
    const call = await importCall(target, { file: aWav({ seconds: 2 }) });
    // As if the recording had been lost: there is nothing to prepare.
    await local().adminDb.query("update call set recording_key = 'recordings/lost' where id = $1", [call.id]);
    const worker = await local().startWorker();
    expect(await settled(call.id)).toMatchObject({
      status: "failed",
      failure: { code: "recording_missing", detail: expect.stringMatching(/\w/) },
    });
    await worker.stop();
  });
});

/** Shuts PostgreSQL to the service, and to nobody else, while `work` runs. */
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

/** A door before the S3 store that can be shut. */
async function openDoor(endpoint: string) {
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
  if (typeof address !== "object" || !address) throw new Error("no port to be had");
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

describe("interface: Which status, 503: PostgreSQL or the object store cannot answer now; Retry-After; nothing was imported, send it again", () => {
  testLocally("PostgreSQL", async () => {
    const before = await kept(local());
    const parts = callParts(target);
    await withoutDatabase(async () => {
      await expectUnavailable(target, parts);
      await expectUnavailable(target, fileFirst(target));
      const user = await postUser(target, { email: anEmail(), name: "Ann Lee", role: "agent" });
      expectProblem(user, 503);
      expect(user.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    });
    expect(await kept(local())).toEqual(before);
    await again(target, parts);
    expect((await postCall(target, parts)).body.duplicate).toBe(true);
  });

  testLocally("lets us refuse junk without asking the database (Authentication)", async () => {
    await withoutDatabase(async () => {
      expectProblem(await postUser({ ...target, apiKey: "junk" }, {}), 401, "unauthenticated");
      const key = anUnknownKey();
      expectProblem(await postUser({ ...target, apiKey: `${key.slice(0, -1)}!` }, {}), 401, "unauthenticated");
      // Only the database can tell that this one is unknown.
      expectProblem(await postUser({ ...target, apiKey: key }, {}), 503);
    });
    await again(target);
  });

  test.skipIf(target.local?.engine !== "filesystem")("the object store: a folder that is gone", async () => {
    const folder = local().env.STORAGE_DIR ?? "";
    await importCall(target);
    const before = await kept(local());
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
    expect(await kept(local())).toEqual(before);
    await again(target, parts);
  });

  test.skipIf(target.local?.engine !== "s3")("the object store: S3 that cannot be reached", async () => {
    const door = await openDoor(local().env.S3_ENDPOINT ?? "");
    const api = await local().startApi({ env: { S3_ENDPOINT: door.endpoint } });
    const service = { ...target, baseUrl: api.baseUrl };
    await importCall(service);
    const before = await kept(local());
    const parts = callParts(service);
    door.set(false);
    await expectUnavailable(service, parts);
    await expectUnavailable(service, fileFirst(service));
    door.set(true);
    expect(await kept(local())).toEqual(before);
    await again(service, parts);
    await api.stop();
    door.close();
  });
});

describe("interface: Which status, 500: a defect of ours; the body holds the request id and nothing else", () => {
  testLocally("a table that is missing", async () => {
    const { adminDb } = local();
    const before = await kept(local());
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
    await expect.poll(() => kept(local()), { timeout: 10_000 }).toEqual(before);
    await again(target);
  });
});
