import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTwoWorkspaces, type TwoWorkspaces } from "./workspaces.ts";

/*
 * The same promise one floor below: what the service's role can do in SQL, whatever the service's code asks for.
 */

/** Tables whose rows belong to a workspace without saying so, or to nobody. */
const withoutWorkspace: Readonly<Record<string, string>> = {
  workspace: "the directory of workspaces itself: a worker goes through it; holds a name and no customer's data",
  staged_object: "object keys of uploads that no call has claimed; whose they are is not known yet",
  outgoing_job: "ids only, on their way to the queue",
  event_epoch: "when the database moved to another cluster; the same for all",
  job_turn: "whose turn is when in a queue: ids only; the relay goes through all of them",
  webhook_follower: "which endpoints follow the events, and of which workspace: ids only; a worker goes through it",
  setup_link: "a digest of a link by which a workspace will be made; of nobody yet",
  sign_in_guess: "digests of who tried to sign in and from where, before anybody knows whose they are",
  provider_sign_in: "digests of journeys to the sign-in provider; of nobody in particular",
  migration: "which migrations have run",
};

/** Unique indexes that do not begin with workspace_id. */
const uniqueAcross: Readonly<Record<string, string>> = {
  api_key_hash_key: "looked up before the workspace is known; a digest of 256 random bits reveals nothing",
  session_hash_key: "the same",
  access_link_hash_key: "the same",
};

/** Functions that run with their owner's rights. */
const definerFunctions: Readonly<Record<string, string>> = {
  add_call_month: "creates a month's empty tables; reads and returns no row",
  chain_audit_entry: "a trigger: gives an audit entry its place behind the last one of its own workspace",
  remove_workspace_rows:
    "removes rows of the workspace that the transaction names, held by its forced row-level security; returns a count",
  renew_event_epoch:
    "begins an epoch if the cluster is another one; takes nothing, reads and returns no row of anybody's",
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
/** Every table and partition with a column workspace_id. */
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

/** Runs a query as the service's role, in a transaction that is rolled back, as one workspace or as none. */
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

/** Whose rows of a table the service's role sees. */
async function ownersSeen(table: Table, workspaceId: string | undefined): Promise<string[]> {
  const seen = await asService<{ workspace_id: string }>(
    workspaceId,
    `select distinct workspace_id from ${pg.escapeIdentifier(table.name)}`,
  );
  // A partition that the role may not even name shows nothing.
  if (seen === "denied") return table.partition ? [] : ["denied"];
  return seen.rows.map((row) => row.workspace_id);
}

/** A row of that workspace as the administrator sees it, without what PostgreSQL makes by itself. */
async function aRowOf(table: Table, workspaceId: string): Promise<Record<string, unknown> | undefined> {
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
  test("is no superuser, bypasses nothing, creates nothing, and is a member of no other role", async () => {
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
  test("is found: the known ones and their partitions", () => {
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        ...["api_key", "app_user", "call", "call_change", "call_metadata", "campaign"],
        ...["api_key_limit", "workspace_limit", "workspace_usage"],
        ...["event", "event_removal", "webhook_delivery", "webhook_endpoint"],
        ...["erased_agent", "erased_call", "erasure", "erasure_entry", "legal_hold", "import_refusal"],
        ...["audit_entry", "audit_head", "listening"],
        ...["access_link", "credential", "session"],
      ]),
    );
    expect(tables.some(({ partition }) => partition)).toBe(true);
  });

  test("has row-level security, forced, and a policy; so have its partitions", () => {
    expect(tables.filter(({ secured, forced, policies }) => !secured || !forced || policies === 0)).toEqual([]);
  });

  test("shows nothing without a workspace, before and after another transaction had one", async () => {
    for (const table of tables) {
      expect([table.name, await ownersSeen(table, undefined)]).toEqual([table.name, []]);
      await ownersSeen(table, world.ours.workspaceId);
      expect([table.name, await ownersSeen(table, undefined)]).toEqual([table.name, []]);
    }
  });

  test("shows a workspace its own rows and no other's", async () => {
    for (const table of tables) {
      for (const { workspaceId } of [world.ours, world.theirs]) {
        const seen = await ownersSeen(table, workspaceId);
        const there = table.partition ? seen : [workspaceId];
        expect([table.name, seen]).toEqual([table.name, there]);
        expect(seen.filter((owner) => owner !== workspaceId)).toEqual([]);
      }
    }
  });

  test("takes no row for another workspace", async () => {
    for (const table of tables) {
      const row = await aRowOf(table, world.theirs.workspaceId);
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

  test("lets nobody give a row away, change or delete another's", async () => {
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

  test("has unique indexes that begin with the workspace", async () => {
    const indexes = await admin<{ name: string; first: string }>(
      `select i.indexrelid::regclass::text as name, a.attname as first
         from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indisunique and i.indrelid = any ($1::regclass[])`,
      [tables.map(({ name }) => name)],
    );
    const wrong = indexes.filter(({ name, first }) => first !== "workspace_id" && !(name in uniqueAcross));
    expect(wrong).toEqual([]);
  });

  test("has foreign keys that begin with the workspace, on both sides", async () => {
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

test("the directory of workspaces lets each change its own entry and no other's", async () => {
  const [us, them] = [world.ours.workspaceId, world.theirs.workspaceId];
  const rename = "update workspace set name = 'Ours' where id = $1";
  expect(await asService(us, rename, [us])).toMatchObject({ count: 1 });
  expect(await asService(us, rename, [them])).toMatchObject({ count: 0 });
  expect(await asService(undefined, rename, [us])).toMatchObject({ count: 0 });
  expect(await asService(us, "update workspace set id = gen_random_uuid() where id = $1", [us])).toBe("denied");
});

describe("nothing goes around it", () => {
  test("every other table is known by name, with the reason why it has no workspace", async () => {
    const others = await admin<{ name: string }>(
      `select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'f', 'm') and relname <> all ($1)`,
      [tables.map(({ name }) => name)],
    );
    expect(others.map(({ name }) => name).filter((name) => !(name in withoutWorkspace))).toEqual([]);
  });

  test("tables in other schemas are the queue's, which hold ids only", async () => {
    const schemas = await admin<{ name: string }>(
      `select nspname as name from pg_namespace
        where nspname !~ '^pg_' and nspname not in ('information_schema', 'public')`,
    );
    expect(schemas.map(({ name }) => name).filter((name) => name !== "pgboss")).toEqual([]);
  });

  test("no function runs with its owner's rights, but those known by name", async () => {
    const functions = await admin<{ name: string }>(
      `select proname as name from pg_proc where prosecdef and pronamespace in ('public'::regnamespace)`,
    );
    expect(functions.map(({ name }) => name).filter((name) => !(name in definerFunctions))).toEqual([]);
  });

  test("every view asks with the rights of who reads it", async () => {
    const views = await admin(
      `select relname as name from pg_class where relkind = 'v' and relnamespace = 'public'::regnamespace
          and not coalesce(reloptions, '{}') @> array['security_invoker=true']`,
    );
    expect(views).toEqual([]);
  });
});
