import { expect, onTestFinished, test } from "vitest";
import { aForm } from "../../testing/forms.ts";
import { startSlowVacuum } from "../../testing/servers/slow-vacuum.ts";
import { aRecording } from "../../testing/sounds.ts";
import { openTestApp } from "../../testing/test-app.ts";

const service = await openTestApp();
const { api, admin, key, campaignId, agentEmail, ownerUrl } = service;
const apiKey = await key("import");
const month = 31 * 24 * 3600;

function importAt(seconds: number, seed: number, { by = apiKey, at = api } = {}) {
  const form = aForm(
    ["campaign_id", campaignId],
    ["conversation_timestamp", String(seconds)],
    ["agent_email", agentEmail],
    ["metadata", '[{"key":"site","value":"Lyon"}]'],
    ["file", aRecording({ seed, seconds: 0.1 })],
  );
  return at.inject({ method: "POST", url: "/calls/audio", ...form, headers: { ...form.headers, "x-api-key": by } });
}

test("100 concurrent imports into 40 months without partitions all succeed", async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => importAt(1_000_000_000 + (index % 40) * month, index)),
  );
  expect(answers.map((answer) => answer.statusCode).filter((status) => status !== 200)).toEqual([]);
  const { rows } = await admin.query(
    "select count(distinct tableoid)::int as months, count(*)::int as calls from call",
  );
  expect(rows).toEqual([{ months: 40, calls: 100 }]);
});

test("a process that waited while another one created the same month finds it", async () => {
  const [first, second] = [await admin.connect(), await admin.connect()];
  onTestFinished(() => {
    first.release();
    second.release();
  });
  const create = "select add_call_month('2001-02-03T00:00:00Z')";
  await first.query("begin");
  await first.query(create);
  const waiting = second.query(create);
  const waitingCreators = `select from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and locktype = 'advisory' and not granted`;
  const isWaiting = async () => (await first.query(waitingCreators)).rowCount;
  await expect.poll(isWaiting, { timeout: 5_000 }).toBe(1);
  await first.query("commit");
  await waiting;
});

test("a month that a failover removed after its creation is created again", async () => {
  const at = 1_300_000_000 + 60 * month;
  const suffix = new Date(at * 1000).toISOString().slice(0, 7).replace("-", "_");
  // Removes the first month at the end of the transaction that created it.
  await admin.query(`
    create sequence removal;
    create function remove_month() returns trigger language plpgsql security definer as $$ begin
      if nextval('removal') = 1 then
        drop table call_${suffix}, call_metadata_${suffix}, call_step_${suffix}, call_words_${suffix}, transcript_${suffix};
        delete from call_month where month = new.month;
      end if;
      return null;
    end $$;
    create constraint trigger remove_month after insert on call_month deferrable initially deferred
      for each row execute function remove_month()`);
  onTestFinished(() => admin.query("drop trigger remove_month on call_month").then(() => {}));
  expect((await importAt(at, 4000)).statusCode).toBe(200);
  expect((await admin.query("select last_value::int as times from removal")).rows).toEqual([{ times: 2 }]);
});

async function slowVacuum(table: string): Promise<void> {
  const { pid, stop } = await startSlowVacuum(ownerUrl, table);
  onTestFinished(() => stop(admin));
  const isRunning = async () =>
    (await admin.query("select 1 from pg_stat_progress_vacuum where pid = $1", [pid])).rowCount;
  await expect.poll(isRunning, { timeout: 5_000 }).toBe(1);
}

test("creating partitions during a vacuum makes no session wait for a table lock", async () => {
  const now = Math.floor(Date.now() / 1000);
  expect((await importAt(now, 5000)).statusCode).toBe(200);
  const suffix = new Date().toISOString().slice(0, 7).replace("-", "_");
  await admin.query(
    `insert into call (workspace_id, id, campaign_id, agent_id, happened_at, metadata, recording_key, recording_bytes, sha256, format)
      select workspace_id, (left(id::text, 18) || '-9000-' || lpad(n::text, 12, '0'))::uuid, campaign_id, agent_id, happened_at,
        metadata, recording_key || n, recording_bytes, sha256, format
      from call_${suffix}, generate_series(1, 2000) as n`,
  );
  await admin.query(`insert into call_metadata select workspace_id, 'k', repeat('v', 100), id from call_${suffix}`);
  await admin.query(`delete from call_metadata_${suffix} where key = 'k'`);
  await admin.query(`delete from call_${suffix} where recording_bytes > 0 and id::text like '%-9000-%'`);
  await slowVacuum(`call_${suffix}`);
  await slowVacuum(`call_metadata_${suffix}`);

  const waiting: string[] = [];
  let done = false;
  const watch = (async () => {
    while (!done) {
      const { rows } = await admin.query(
        "select left(query, 60) as query from pg_stat_activity where wait_event_type = 'Lock' and wait_event = 'relation' and datname = current_database()",
      );
      waiting.push(...rows.map(({ query }) => query));
    }
  })();
  const live = (async () => {
    const statuses: number[] = [];
    for (let seed = 6000; !done; seed++) statuses.push((await importAt(now, seed)).statusCode);
    return statuses;
  })();
  const history = await Promise.all(
    Array.from({ length: 24 }, (_, index) => importAt(1_200_000_000 + index * month, 5100 + index)),
  );
  done = true;
  await watch;
  expect(history.map(({ statusCode }) => statusCode).filter((status) => status !== 200)).toEqual([]);
  expect((await live).filter((status) => status !== 200)).toEqual([]);
  expect(waiting).toEqual([]);
  const { rows } = await admin.query("select count(*)::int as running from pg_stat_progress_vacuum");
  expect(rows).toEqual([{ running: 2 }]);
}, 60_000);

test("a workspace over its daily limit of new months is rejected; imports into existing months are not", async () => {
  const limited = await openTestApp({ LIMIT_WORKSPACE_NEW_MONTHS_PER_DAY: "2" });
  const [at, by] = [limited.api, await limited.key("import")];
  const [first = 0, second = 0, third = 0] = [1, 2, 3].map((n) => 1_400_000_000 + n * month);
  for (const seconds of [first, second, first + 60]) {
    expect((await importAt(seconds, seconds, { at, by })).statusCode).toBe(200);
  }
  const rejected = await importAt(third, 3, { at, by });
  expect([rejected.statusCode, rejected.json()]).toMatchObject([
    429,
    { code: "quota_exceeded", limit: "workspace_new_months", detail: expect.stringContaining("2 new months per day") },
  ]);
  expect(Number(rejected.headers["retry-after"])).toBeGreaterThan(0);
  await limited.admin.query("select add_call_month($1)", [new Date(third * 1000)]);
  expect((await importAt(third, 3, { at, by })).statusCode).toBe(200);
  // Months created yesterday do not count.
  await limited.admin.query("update call_month set opened_at = opened_at - interval '1 day'");
  expect((await importAt(third + 3 * month, 4, { at, by })).statusCode).toBe(200);
});

test("no table has a foreign key to call, because attaching a partition would lock that table", async () => {
  const { rows } = await admin.query(
    "select conrelid::regclass::text as name from pg_constraint where contype = 'f' and confrelid = 'call'::regclass",
  );
  expect(rows).toEqual([]);
});
