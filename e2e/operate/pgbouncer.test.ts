import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { waitForCall, withEveryScope } from "../support/http/call-details.ts";
import { importCall } from "../support/http/service.ts";
import { serviceAt } from "../support/recordings/recordings.ts";
import { runServerCommand } from "../support/stack/server-command.ts";
import { openStack, type Stack } from "../support/stack/stack.ts";
import { type Pgbouncer, type PoolMode, setRoleTimeouts, startPgbouncer } from "./support/pgbouncer.ts";

let stack: Stack;
const started: Pgbouncer[] = [];
beforeAll(async () => {
  stack = await openStack();
});
afterAll(async () => {
  for (const pgbouncer of started) await pgbouncer.stop();
  await stack?.stop();
});

/** Settings of a service behind PgBouncer. */
async function behindPgbouncer(poolMode: PoolMode, preparedStatements: boolean) {
  const pgbouncer = await startPgbouncer(Number(new URL(stack.env.DATABASE_URL ?? "").port), poolMode);
  started.push(pgbouncer);
  return {
    DATABASE_URL: pgbouncer.url(stack.env.DATABASE_URL),
    DATABASE_OWNER_URL: pgbouncer.url(stack.env.DATABASE_OWNER_URL),
    DATABASE_PREPARED_STATEMENTS: String(preparedStatements),
  };
}

interface Report {
  readonly findings: readonly { readonly check: string; readonly ok: boolean; readonly detail: string }[];
}

/** The finding of `doctor` about the pooler. */
async function examine(env: Record<string, string>) {
  const output = await runServerCommand({ ...stack.env, ...env }, ["doctor", "--json"]).catch(
    (error: { stdout: string }) => error.stdout,
  );
  return (JSON.parse(output) as Report).findings.find(({ check }) => check === "connection pooler");
}

test("doctor reports what a pooler loses, and how to correct it", async () => {
  const transaction = await behindPgbouncer("transaction", true);
  const dropped = "a connection pooler drops idle_in_transaction_session_timeout and statement_timeout";
  expect(await examine(transaction)).toMatchObject({ ok: false, detail: expect.stringContaining(dropped) });
  await setRoleTimeouts(stack.adminDb);
  // Its server connections are older than the setting.
  const restarted = await behindPgbouncer("transaction", true);
  const lost = "loses prepared statements";
  expect(await examine(restarted)).toMatchObject({ ok: false, detail: expect.stringContaining(lost) });
  const corrected = { ...restarted, DATABASE_PREPARED_STATEMENTS: "false" };
  expect(await examine(corrected)).toMatchObject({ ok: true, detail: expect.stringContaining("transaction pooling") });
  const own = { ok: true, detail: "every connection has its own session" };
  expect(await examine(await behindPgbouncer("session", true))).toMatchObject(own);
  expect(await examine({})).toMatchObject(own);
});

test("migrate refuses a pooler in transaction mode", async () => {
  const env = await behindPgbouncer("transaction", false);
  await expect(runServerCommand({ ...stack.env, ...env }, ["migrate"])).rejects.toMatchObject({
    stderr: expect.stringContaining("DATABASE_OWNER_URL leads through a connection pooler in transaction mode"),
  });
});

test("API and worker work in session mode with prepared statements", async () => {
  const env = await behindPgbouncer("session", true);
  const api = await stack.startApi({ env });
  const worker = await stack.startWorker(env);
  onTestFinished(async () => {
    await api.stop();
    await worker.stop();
  });
  const service = await withEveryScope(stack, serviceAt(stack, api.port));
  const { id } = await importCall(service);
  expect((await waitForCall(service, id)).status).toBe("ready");
});
