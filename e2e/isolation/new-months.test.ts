import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importCall, postUser, type Service } from "../support/http/service.ts";
import { KB, makeRecording, tryImport } from "../support/recordings/recordings.ts";
import { isRelease, scale } from "../support/run-scale.ts";
import { openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { percentile, say, until } from "../support/waiting.ts";

/*
 * One workspace imports history: every call belongs to a month without partitions. Another imports today's calls at a fixed
 * rate while an autovacuum processes this month's partition. Alternates with windows in which the first workspace imports
 * the same number of calls into existing months.
 */
const pairs = 3;
const monthsEach = scale(4, 4, 12);
const everyMs = scale(50, 50, 25);
const fewestSamples = scale(80, 80, 400);
/** Maximum growth of the other workspace's p95. */
const limit = 1.5;
const monthSeconds = 30.4375 * 24 * 3600;
const now = () => Math.floor(Date.now() / 1000);
const suffix = new Date().toISOString().slice(0, 7).replace("-", "_");

let stack: Stack;
let history: Service;
let steady: Service;

beforeAll(async () => {
  stack = await openStack();
  const api = await stack.startApi({ env: unlimited });
  history = { ...stack, baseUrl: api.baseUrl };
  const other = await stack.command<{ id: string }>("workspace", "create", "--name", "Other", "--json");
  await stack.command("campaign", "create", "--workspace", other.id, "--id", stack.campaignId, "--name", "Calls");
  const { key } = await stack.command<{ key: string }>(
    ...["key", "create", "--workspace", other.id, "--name", "import", "--scope", "import", "--json"],
  );
  steady = { ...history, apiKey: key };
  await postUser(steady, { email: stack.agentEmail, name: "Ann Lee", role: "agent", send_invite_email: false });
  await importCall(steady, { conversation_timestamp: String(now()) });
  await startAutovacuum();
}, 120_000);
afterAll(async () => {
  await stack?.adminDb.query("alter system reset autovacuum_naptime");
  await stack?.adminDb.query("select pg_reload_conf()");
  await stack?.stop();
});

const vacuums = async () =>
  (
    await stack.adminDb.query<{ pid: number }>(
      "select pid from pg_stat_progress_vacuum join pg_stat_activity using (pid) where relid = $1::regclass and query ~ '^autovacuum'",
      [`call_${suffix}`],
    )
  ).rows.map(({ pid }) => pid);

/** Starts a real autovacuum, throttled so that it takes minutes. */
async function startAutovacuum(): Promise<void> {
  const table = `call_${suffix}`;
  await stack.adminDb.query(`alter table ${table} set (autovacuum_vacuum_threshold = 1, autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1, autovacuum_analyze_threshold = 1000000)`);
  await stack.adminDb.query(
    `insert into ${table} (workspace_id, id, campaign_id, agent_id, happened_at, metadata, recording_key, recording_bytes, sha256, format)
      select workspace_id, (left(id::text, 18) || '-9000-' || lpad(n::text, 12, '0'))::uuid, campaign_id, agent_id, happened_at,
        metadata, recording_key || n, recording_bytes, sha256, format
      from ${table}, generate_series(1, 30000) as n`,
  );
  await stack.adminDb.query(`delete from ${table} where id::text like '%-9000-%'`);
  await stack.adminDb.query("alter system set autovacuum_naptime = '1s'");
  await stack.adminDb.query("select pg_reload_conf()");
  await until("an autovacuum processes this month's calls", 60_000, async () => (await vacuums()).length > 0);
}

/** Imports at a fixed rate until the other workspace's calls are imported; returns the p95. */
async function windowBeside(timestamps: readonly number[]): Promise<number> {
  const running: Promise<number>[] = [];
  const wrong: string[] = [];
  let done = false;
  const look = (answer: Awaited<ReturnType<typeof tryImport>>) => {
    if (answer instanceof Error) wrong.push(answer.message);
    else if (answer.status !== 200) wrong.push(answer.text);
  };
  const others = (async () => {
    const waiting = [...timestamps];
    const lane = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        look(await tryImport(history, makeRecording(16 * KB, String(next))));
      }
    };
    await Promise.all([lane(), lane()]);
    // Long enough for a p95.
    await sleep(Math.max(0, fewestSamples - running.length) * everyMs);
    done = true;
  })();
  for (let next = Date.now(); !done; next += everyMs) {
    await sleep(Math.max(0, next - Date.now()));
    const begun = performance.now();
    running.push(
      tryImport(steady, makeRecording(60 * KB, String(now()))).then((answer) => {
        look(answer);
        return performance.now() - begun;
      }),
    );
  }
  await others;
  const times = await Promise.all(running);
  expect(wrong).toEqual([]);
  return percentile(times, 0.95);
}

test("importing history during an autovacuum does not slow down another workspace", { timeout: 300_000 }, async () => {
  const [vacuum] = await vacuums();
  const quiet: number[] = [];
  const busy: number[] = [];
  const first = now() - (pairs * monthsEach + 6) * monthSeconds;
  const months = (pair: number) =>
    Array.from({ length: monthsEach }, (_, n) => Math.floor(first + (pair * monthsEach + n) * monthSeconds));
  // Warm-up.
  await windowBeside(months(0).map(now));
  for (let pair = 0; pair < pairs; pair++) {
    quiet.push(await windowBeside(months(pair).map(now)));
    busy.push(await windowBeside(months(pair)));
  }
  const { rows } = await stack.adminDb.query<{ months: number }>(
    "select count(distinct tableoid)::int as months from call where workspace_id = $1",
    [stack.workspaceId],
  );
  const list = (values: readonly number[]) => values.map((ms) => ms.toFixed(1)).join(", ");
  const ratio = percentile(busy, 0.5) / percentile(quiet, 0.5);
  say(
    `p95 of the other's imports: ${list(quiet)} ms; beside ${rows[0]?.months} new months: ${list(busy)} ms; ratio ${ratio.toFixed(2)}`,
  );
  expect(rows[0]?.months).toBeGreaterThanOrEqual(pairs * monthsEach);
  // PostgreSQL cancels an autovacuum that blocks other work; this one was not cancelled.
  expect(await vacuums()).toContain(vacuum);
  // Single windows of a CI run are too short for a p95 on shared cores.
  if (isRelease) expect(ratio).toBeLessThanOrEqual(limit);
});
