import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { send } from "../support/http/http.ts";
import { openTwoWorkspaces, type TwoWorkspaces } from "./workspaces.ts";

/*
 * What was said is searched by a function that sees the words of all workspaces. Both calls have the word "hello"; each has one
 * that only it has.
 */

let world: TwoWorkspaces;
let service: pg.Client;

beforeAll(async () => {
  world = await openTwoWorkspaces();
  service = new pg.Client({ connectionString: world.stack.env.DATABASE_URL });
  await service.connect();
}, 300_000);
afterAll(async () => {
  await service?.end();
  await world?.stack.stop();
});

const lowest = "00000000-0000-0000-0000-000000000000";
const highest = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Runs a query as the service's role in a transaction that is rolled back. Returns the rows, or the error's code. */
async function asService(workspaceId: string | undefined, query: string, values: unknown[] = []) {
  await service.query("begin");
  try {
    if (workspaceId) await service.query("select set_config('hearback.workspace', $1, true)", [workspaceId]);
    return (await service.query(query, values)).rows as unknown[];
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.code;
    throw error;
  } finally {
    await service.query("rollback");
  }
}

const search = (workspaceId: string | undefined, word: string) =>
  asService(workspaceId, "select said_calls($1::tsquery, $1::tsquery, $2, $3, 1000) as id", [word, lowest, highest]);

describe("the function that searches words", () => {
  test("returns ids of the transaction's workspace only, whatever is searched for", async () => {
    const { ours, theirs } = world;
    for (const [us, them] of [
      [ours, theirs],
      [theirs, ours],
    ] as const) {
      expect(await search(us.workspaceId, "hello")).toEqual([{ id: us.callId }]);
      expect(await search(us.workspaceId, `word${us.letter}`)).toEqual([{ id: us.callId }]);
      expect(await search(us.workspaceId, `word${them.letter}`)).toEqual([]);
      expect(await search(us.workspaceId, "!absent")).toEqual([{ id: us.callId }]);
      expect(await search(undefined, "hello")).toEqual([]);
    }
  });

  test("returns nothing but ids, and its plan shows no words", async () => {
    const { rows } = await world.stack.adminDb.query(
      `select prorettype::regtype::text as returns, prosecdef as definer, proconfig from pg_proc where proname = 'said_calls'`,
    );
    expect(rows).toMatchObject([{ returns: "uuid", definer: true }]);
    expect(rows[0].proconfig).toContain("search_path=pg_catalog, pg_temp");
    const plan = await asService(
      world.ours.workspaceId,
      "explain (analyze, verbose) select said_calls('hello', 'hello & !absent', $1, $2, 9)",
      [lowest, highest],
    );
    expect(JSON.stringify(plan)).not.toMatch(/call_words|tsvector/);
  });

  test("cannot be replaced by the service, nor can its role be taken", async () => {
    for (const statement of [
      "set local role hearback_search",
      "alter function said_calls(tsquery, tsquery, uuid, uuid, integer) set search_path = public",
      "create or replace function said_calls(every tsquery, query tsquery, floor uuid, below uuid, most integer) returns setof uuid language sql as 'select null::uuid'",
      "select give_search_its_role()",
      "create policy mine on call_words using (true)",
      "update call_words set words = ''",
    ])
      expect([statement, await asService(world.ours.workspaceId, statement)]).toEqual([statement, "42501"]);
  });

  test("does not look for tables and functions in the session", async () => {
    const { ours } = world;
    const shadows = `create temp table call_words (workspace_id uuid, call_id uuid, words tsvector, places bigint[]);
      create function pg_temp.current_workspace() returns uuid language sql as $$ select '${world.theirs.workspaceId}'::uuid $$;
      set local search_path = pg_temp, public;
      select set_config('hearback.workspace', '${ours.workspaceId}', true)`;
    await service.query("begin");
    await service.query(shadows);
    const { rows } = await service.query("select public.said_calls('hello', 'hello', $1, $2, 10) as id", [
      lowest,
      highest,
    ]);
    await service.query("rollback");
    expect(rows).toEqual([{ id: ours.callId }]);
  });

  test("the words themselves are under row-level security", async () => {
    const seen = await asService(world.ours.workspaceId, "select call_id as id from call_words where words @@ 'hello'");
    expect(seen).toEqual([{ id: world.ours.callId }]);
  });
});

test("hearback_search reads some columns of call_words, and nothing else", async () => {
  const { adminDb } = world.stack;
  const { rows: role } = await adminDb.query(
    `select rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
        (select count(*)::int from pg_auth_members where member = r.oid) as memberships,
        has_schema_privilege(oid, 'public', 'create') as creates
      from pg_roles r where rolname = 'hearback_search'`,
  );
  expect(role).toEqual([
    {
      rolcanlogin: false,
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      memberships: 0,
      creates: false,
    },
  ]);
  const { rows: tables } = await adminDb.query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
        and has_any_column_privilege('hearback_search', oid, 'select, insert, update')
      union all
      select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
        and has_table_privilege('hearback_search', oid, 'select, insert, update, delete, truncate, references, trigger')`,
  );
  expect(tables).toEqual([{ name: "call_words" }]);
  const { rows: owned } = await adminDb.query(
    "select proname as name from pg_proc where proowner = 'hearback_search'::regrole",
  );
  expect(owned).toEqual([{ name: "said_calls" }]);
});

test("over HTTP, a workspace finds its own words only", async () => {
  const { ours, theirs } = world;
  const find = async (customer: typeof ours, query: string) => {
    const headers = { "x-api-key": customer.manageKey };
    const answer = await send<{ calls: { id: string }[]; next: string | null }>(`${customer.baseUrl}/calls?${query}`, {
      method: "GET",
      headers,
    });
    expect(answer.status, answer.text).toBe(200);
    return [answer.body.calls.map(({ id }) => id), answer.body.next];
  };
  for (const [us, them] of [
    [ours, theirs],
    [theirs, ours],
  ] as const) {
    expect(await find(us, "said=hello")).toEqual([[us.callId], null]);
    expect(await find(us, `said=word${us.letter}`)).toEqual([[us.callId], null]);
    for (const said of [`word${them.letter}`, `"hello word${them.letter}"`, `hello word${them.letter}`])
      expect(await find(us, `said=${encodeURIComponent(said)}&count=estimate`)).toEqual([[], null]);
    const theirCall = await send(`${us.baseUrl}/calls/${them.callId}/transcript/matches?said=hello`, {
      method: "GET",
      headers: { "x-api-key": us.manageKey },
    });
    expect(theirCall.status).toBe(404);
  }
});
