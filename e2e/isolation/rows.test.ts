import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTwoWorkspaces, type TwoWorkspaces } from "./workspaces.ts";

/*
 * Isolation at the database level: what the service's role can do in SQL, independent of the service's code.
 */

/** Tables without workspace_id, with the reason. */
const withoutWorkspace: Readonly<Record<string, string>> = {
  workspace: "the list of workspaces, which workers read; contains names and no customer data",
  staged_object: "object keys of uploads that no call has claimed; the workspace is not known yet",
  outgoing_job: "ids only, on their way to the queue",
  set_aside_job: "ids only: jobs that the queue could not take",
  event_epoch: "when the database moved to another cluster; the same for all workspaces",
  job_turn: "the order of workspaces in a queue: ids only; the relay reads all of them",
  webhook_follower: "the webhooks that follow the events, and their workspaces: ids only; workers read all of them",
  setup_link: "digest of a link that will create a workspace, which does not exist yet",
  call_month:
    "which months have tables, and the id of the workspace whose import created each; the service cannot read it",
  sign_in_guess: "digests of failed sign-ins, before the user is known",
  provider_sign_in: "digests of sign-ins at the identity provider in progress, before the user is known",
  passkey_challenge: "digests of open WebAuthn challenges, before the user is known",
  migration: "which migrations have run",
};

/** Unique indexes that do not start with workspace_id. */
const uniqueAcross: Readonly<Record<string, string>> = {
  api_key_hash_key: "looked up before the workspace is known; a digest of 256 random bits reveals nothing",
  session_hash_key: "the same",
  access_link_hash_key: "the same",
};

/** SECURITY DEFINER functions. */
const definerFunctions: Readonly<Record<string, string>> = {
  add_delivery_week: "creates a week's table of deliveries, moves rows between partitions; reads and returns no row",
  drop_delivery_week: "drops a week of deliveries older than the retention, never of the last 12 hours; returns no row",
  add_call_month: "creates a month's empty tables; reads and returns no row",
  remove_call_history: "a trigger: deletes the change and playback history of deleted calls; returns no row",
  chain_audit_entry: "a trigger: gives an audit entry its place behind the last one of its own workspace",
  remove_workspace_rows:
    "removes rows of the workspace that the transaction names, held by its forced row-level security; returns a count",
  remove_calls_from_reviews:
    "removes what was written about deleted calls of the workspace that the transaction names; returns no row",
  delete_reviews: "deletes reviews of the workspace that the transaction names, if a trigger allows it; returns no row",
  renew_event_epoch: "begins an epoch if the server has none; takes nothing, reads and returns no row of anybody's",
  begin_event_epoch: "begins an epoch; takes nothing, reads and returns no row of anybody's",
  add_event_month:
    "creates a month's partition of events, and moves rows there that no one can see meanwhile; returns nothing",
  said_calls: "takes the workspace from the transaction and returns ids of its calls only (words.test.ts)",
  drop_event_month: "drops a month of events that has expired; returns the name of the table",
};

interface Table {
  readonly name: string;
  readonly partition: boolean;
  readonly secured: boolean;
  readonly forced: boolean;
  readonly policies: number;
}

let world: TwoWorkspaces;
let service: pg.Client;
let role: string;
/** All tables and partitions with a workspace_id column. */
let tables: Table[];

async function admin<Row extends pg.QueryResultRow>(query: string, values: unknown[] = []): Promise<Row[]> {
  return (await world.stack.adminDb.query<Row>(query, values)).rows;
}

beforeAll(async () => {
  world = await openTwoWorkspaces();
  service = new pg.Client({ connectionString: world.stack.env.DATABASE_URL });
  await service.connect();
  role = (await service.query<{ role: string }>("select current_user as role")).rows[0]?.role ?? "";
  tables = await admin<Table>(
    `
    select c.relname as name, c.relispartition as partition, c.relrowsecurity as secured,
           c.relforcerowsecurity as forced, (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
      from information_schema.columns i
      join pg_class c on c.relname = i.table_name and c.relnamespace = 'public'::regnamespace
     where i.table_schema = 'public' and i.column_name = 'workspace_id' and c.relkind in ('r', 'p')
       and c.relname <> all ($1)
     order by 1`,
    [Object.keys(withoutWorkspace)],
  );
}, 300_000);
afterAll(async () => {
  await service?.end();
  await world?.stack.stop();
});

const DENIED = "42501";

/** Runs a query as the service's role, with or without a workspace, in a transaction that is rolled back. */
async function asService<Row extends pg.QueryResultRow>(
  workspaceId: string | undefined,
  query: string,
  values: unknown[] = [],
): Promise<{ rows: Row[]; count: number } | "denied"> {
  await service.query("begin");
  try {
    if (workspaceId) await service.query("select set_config('hearback.workspace', $1, true)", [workspaceId]);
    const { rows, rowCount } = await service.query<Row>(query, values);
    return { rows, count: rowCount ?? 0 };
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === DENIED) return "denied";
    throw error;
  } finally {
    await service.query("rollback");
  }
}

/** Workspaces whose rows of a table are visible to the service's role. */
async function ownersSeen(table: Table, workspaceId: string | undefined): Promise<string[]> {
  const seen = await asService<{ workspace_id: string }>(
    workspaceId,
    `select distinct workspace_id from ${pg.escapeIdentifier(table.name)}`,
  );
  // No privilege on a partition: nothing is visible.
  if (seen === "denied") return table.partition ? [] : ["denied"];
  return seen.rows.map((row) => row.workspace_id);
}

/** A row of that workspace, read as superuser, without generated columns. */
async function sampleRow(table: Table, workspaceId: string): Promise<Record<string, unknown> | undefined> {
  const own = await admin<{ row: Record<string, unknown> }>(
    `select to_jsonb(t) as row from ${pg.escapeIdentifier(table.name)} t where workspace_id = $1 limit 1`,
    [workspaceId],
  );
  const made = await admin<{ column_name: string }>(
    `select column_name from information_schema.columns where table_schema = 'public' and table_name = $1
        and (is_generated = 'ALWAYS' or identity_generation = 'ALWAYS')`,
    [table.name],
  );
  const columns = new Set(made.map(({ column_name }) => column_name));
  return own[0] && Object.fromEntries(Object.entries(own[0].row).filter(([name]) => !columns.has(name)));
}

describe("the service's role", () => {
  test("is not a superuser, has no BYPASSRLS or CREATE, and no memberships", async () => {
    const [found] = await admin(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
              (select count(*)::int from pg_auth_members where member = r.oid) as memberships,
              has_schema_privilege(rolname, 'public', 'create') as creates
         from pg_roles r where rolname = $1`,
      [role],
    );
    expect(found).toEqual({
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      memberships: 0,
      creates: false,
    });
  });

  test("owns nothing", async () => {
    const owned = await admin(
      `select 'relation' as kind, relname as name from pg_class where relowner = $1::regrole
       union all select 'function', proname from pg_proc where proowner = $1::regrole
       union all select 'schema', nspname from pg_namespace where nspowner = $1::regrole and nspname !~ '^pg_'`,
      [role],
    );
    expect(owned).toEqual([]);
  });
});

describe("every table with a workspace_id", () => {
  test("is listed: the known ones and their partitions", () => {
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        ...["api_key", "app_user", "call", "call_change", "call_metadata", "campaign"],
        ...["api_key_limit", "workspace_limit", "workspace_usage"],
        ...["event", "event_id_key", "event_removal", "webhook_delivery", "webhook_endpoint"],
        ...["erased_agent", "erased_call", "erasure", "erasure_entry", "legal_hold", "import_refusal"],
        ...["erasure_call", "import_count", "import_delta"],
        ...["call_words", "words_language"],
        ...["audit_entry", "audit_head", "listening"],
        ...["access_link", "credential", "session", "provider_identity", "invitation_mail_count"],
        ...["transcript", "transcript_correction", "transcript_run", "transcript_stretch", "transcription_usage"],
        ...["totp_factor", "passkey", "recovery_code", "pending_sign_in"],
      ]),
    );
    expect(tables.some(({ partition }) => partition)).toBe(true);
  });

  test("has forced row-level security and a policy, including partitions", () => {
    expect(tables.filter(({ secured, forced, policies }) => !secured || !forced || policies === 0)).toEqual([]);
  });

  test("shows nothing without a workspace, even after a transaction with one", async () => {
    for (const table of tables) {
      expect([table.name, await ownersSeen(table, undefined)]).toEqual([table.name, []]);
      await ownersSeen(table, world.ours.workspaceId);
      expect([table.name, await ownersSeen(table, undefined)]).toEqual([table.name, []]);
    }
  });

  test("shows a workspace only its own rows", async () => {
    for (const table of tables) {
      for (const { workspaceId } of [world.ours, world.theirs]) {
        const seen = await ownersSeen(table, workspaceId);
        const there = table.partition ? seen : [workspaceId];
        expect([table.name, seen]).toEqual([table.name, there]);
        expect(seen.filter((owner) => owner !== workspaceId)).toEqual([]);
      }
    }
  });

  test("rejects inserts for another workspace", async () => {
    for (const table of tables) {
      const row = await sampleRow(table, world.theirs.workspaceId);
      if (!row && table.partition) continue;
      expect(row, `${table.name} has a row to try with`).toBeDefined();
      const name = pg.escapeIdentifier(table.name);
      const columns = Object.keys(row ?? {})
        .map(pg.escapeIdentifier)
        .join(", ");
      const inserted = await asService(
        world.ours.workspaceId,
        `insert into ${name} (${columns}) select ${columns} from jsonb_populate_record(null::${name}, $1)`,
        [JSON.stringify(row)],
      );
      expect([table.name, inserted]).toEqual([table.name, "denied"]);
    }
  });

  test("rejects moving a row to, or changing and deleting rows of, another workspace", async () => {
    const [us, them] = [world.ours.workspaceId, world.theirs.workspaceId];
    for (const table of tables) {
      const name = pg.escapeIdentifier(table.name);
      const given = await asService(us, `update ${name} set workspace_id = $1`, [them]);
      if (!table.partition) expect([table.name, given]).toEqual([table.name, "denied"]);
      for (const query of [
        `update ${name} set workspace_id = workspace_id where workspace_id = $1`,
        `delete from ${name} where workspace_id = $1`,
      ]) {
        const changed = await asService(us, query, [them]);
        expect([query, changed === "denied" ? 0 : changed.count]).toEqual([query, 0]);
      }
    }
  });

  test("has unique indexes that start with workspace_id", async () => {
    const indexes = await admin<{ name: string; first: string }>(
      `select i.indexrelid::regclass::text as name, a.attname as first
         from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indisunique and i.indrelid = any ($1::regclass[])`,
      [tables.map(({ name }) => name)],
    );
    const wrong = indexes.filter(({ name, first }) => first !== "workspace_id" && !(name in uniqueAcross));
    expect(wrong).toEqual([]);
  });

  test("has foreign keys that start with workspace_id on both sides", async () => {
    const keys = await admin<{ name: string; from: string; target: string; to: string }>(
      `select c.conrelid::regclass || ' ' || c.conname as name, f.attname as from,
              c.confrelid::regclass::text as target, t.attname as to
         from pg_constraint c
         join pg_attribute f on f.attrelid = c.conrelid and f.attnum = c.conkey[1]
         join pg_attribute t on t.attrelid = c.confrelid and t.attnum = c.confkey[1]
        where c.contype = 'f' and c.conrelid = any ($1::regclass[])`,
      [tables.map(({ name }) => name)],
    );
    expect(keys.length).toBeGreaterThan(0);
    const begins = ({ from, target, to }: (typeof keys)[number]) =>
      from === "workspace_id" && (to === "workspace_id" || (target === "workspace" && to === "id"));
    expect(keys.filter((key) => !begins(key))).toEqual([]);
  });
});

test("a workspace can change only its own entry in the workspace table", async () => {
  const [us, them] = [world.ours.workspaceId, world.theirs.workspaceId];
  const rename = "update workspace set name = 'Ours' where id = $1";
  expect(await asService(us, rename, [us])).toMatchObject({ count: 1 });
  expect(await asService(us, rename, [them])).toMatchObject({ count: 0 });
  expect(await asService(undefined, rename, [us])).toMatchObject({ count: 0 });
  expect(await asService(us, "update workspace set id = gen_random_uuid() where id = $1", [us])).toBe("denied");
});

describe("no bypass", () => {
  test("every table without workspace_id is listed with a reason", async () => {
    const others = await admin<{ name: string }>(
      `select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'f', 'm') and relname <> all ($1)`,
      [tables.map(({ name }) => name)],
    );
    expect(others.map(({ name }) => name).filter((name) => !(name in withoutWorkspace))).toEqual([]);
  });

  test("tables in other schemas belong to the queue and contain only ids", async () => {
    const schemas = await admin<{ name: string }>(
      `select nspname as name from pg_namespace
        where nspname !~ '^pg_' and nspname not in ('information_schema', 'public')`,
    );
    expect(schemas.map(({ name }) => name).filter((name) => name !== "pgboss")).toEqual([]);
  });

  test("every SECURITY DEFINER function is listed", async () => {
    const functions = await admin<{ name: string }>(
      `select proname as name from pg_proc where prosecdef and pronamespace in ('public'::regnamespace)`,
    );
    expect(functions.map(({ name }) => name).filter((name) => !(name in definerFunctions))).toEqual([]);
  });

  test("every view is SECURITY INVOKER", async () => {
    const views = await admin(
      `select relname as name from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace
          and not coalesce(reloptions, '{}') @> array['security_invoker=true']`,
    );
    expect(views).toEqual([]);
  });
});
