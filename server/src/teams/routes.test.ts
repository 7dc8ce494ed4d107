import { expect, test } from "vitest";
import { auditOf, openJsonClient } from "../testing/json-client.ts";
import { openTestApp } from "../testing/test-app.ts";
import { createTestUser, signedIn } from "../testing/users.ts";
import { createTeam as saveTeam } from "./save-team.ts";

const service = await openTestApp();
const { key, app, api, caller } = service;
const ask = openJsonClient(service, await key("manage"));
const unknown = "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d";

const createTeam = async (name: string): Promise<string> => (await ask("POST", "/teams", { name })).body.id;
const createAgent = async (email: string): Promise<string> =>
  (await ask("POST", "/users/invite", { email, name: "Bob", role: "agent", send_invite_email: false })).body.id;

test("a team can be created, renamed and deleted, with audit entries", async () => {
  const entries = await auditOf(service, async () => {
    const created = await ask("POST", "/teams", { name: "  Support Lyon " });
    expect(created).toMatchObject({ status: 201, body: { name: "Support Lyon", members: 0 } });
    const { id } = created.body;
    expect((await ask("PATCH", `/teams/${id}`, { name: "Lyon" })).body).toEqual({ ...created.body, name: "Lyon" });
    expect((await ask("PATCH", `/teams/${id}`, {})).body).toEqual({ ...created.body, name: "Lyon" });
    expect((await ask("DELETE", `/teams/${id}`)).status).toBe(204);
    expect((await ask("DELETE", `/teams/${id}`)).body).toMatchObject({ code: "team_not_found" });
  });
  expect(entries.map(({ action }) => action)).toEqual(["team.created", "team.changed", "team.deleted"]);
});

test("team names are unique regardless of case", async () => {
  const paris = await createTeam("Paris");
  const nantes = await createTeam("Nantes");
  expect(await ask("POST", "/teams", { name: "PARIS" })).toMatchObject({
    status: 409,
    body: { code: "team_exists", team: { id: paris } },
  });
  expect((await ask("PATCH", `/teams/${nantes}`, { name: "paris" })).body).toMatchObject({ code: "team_exists" });
  expect((await ask("PATCH", `/teams/${paris}`, { name: "paris" })).body).toMatchObject({ name: "paris" });
  const names = (await ask("GET", "/teams")).body.teams.map(({ name }: { name: string }) => name);
  expect(names).toEqual(["Nantes", "paris"]);
});

test("users move between teams, and a deleted team has no members", async () => {
  const [north, south] = [await createTeam("North"), await createTeam("South")];
  const bob = await createAgent("bob@example.com");
  expect((await ask("GET", `/users/${bob}`)).body.team_id).toBeNull();
  const [entry] = await auditOf(service, () => ask("PATCH", `/users/${bob}`, { team_id: north }));
  expect(entry).toMatchObject({ action: "user.changed", data: { changed: ["team_id"] } });
  expect((await ask("GET", `/users?team_id=${north}`)).body.users).toMatchObject([{ id: bob, team_id: north }]);
  expect((await ask("PATCH", `/users/${bob}`, { team_id: south })).body.team_id).toBe(south);
  expect((await ask("GET", `/users?team_id=${north}`)).body.users).toEqual([]);
  const teams = (await ask("GET", "/teams")).body.teams;
  expect(teams).toContainEqual(expect.objectContaining({ id: south, members: 1 }));
  expect((await ask("DELETE", `/teams/${south}`)).status).toBe(204);
  expect((await ask("GET", `/users/${bob}`)).body.team_id).toBeNull();
});

test("deleting a team while users join it never fails, and announces each member", async () => {
  const team = await createTeam("Short-lived");
  const ids = await Promise.all(Array.from({ length: 6 }, (_, n) => createAgent(`short${n}@example.com`)));
  const joined = Promise.all(ids.map((id) => ask("PATCH", `/users/${id}`, { team_id: team })));
  const deleted = await Promise.all([ask("DELETE", `/teams/${team}`), ask("DELETE", `/teams/${team}`)]);
  expect(deleted.map(({ status }) => status).sort()).toEqual([204, 404]);
  const statuses = (await joined).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 404)).toEqual([]);
  const { rows } = await service.admin.query(
    `select count(*)::int as changes from event where type = 'user.changed' and data ->> 'user_id' = any ($1)`,
    [ids],
  );
  const members = statuses.filter((status) => status === 200).length;
  expect(rows[0].changes).toBe(2 * members);
});

test("a supervisor manages teams, but nothing else about a user", async () => {
  const { email } = await createTestUser(app, caller.workspaceId, { role: "supervisor" });
  const headers = await signedIn(api, email);
  const send = (method: "POST" | "PATCH", url: string, payload: object) =>
    api.inject({ method, url, headers, payload });
  const team = await send("POST", "/teams", { name: "East" });
  expect(team.statusCode).toBe(201);
  const agent = await createAgent("eve@example.com");
  const change = (payload: object) => send("PATCH", `/users/${agent}`, payload);
  expect((await change({ team_id: team.json().id })).json()).toMatchObject({ team_id: team.json().id });
  expect((await change({ team_id: null, name: "Eve" })).json()).toMatchObject({ code: "role_missing" });
  expect((await change({ deactivated: true })).statusCode).toBe(403);
});

test.each([
  ["POST", "/teams", {}, 400, "member_missing"],
  ["POST", "/teams", { name: "  " }, 422, "fields_invalid"],
  ["POST", "/teams", { name: "a".repeat(101) }, 422, "fields_invalid"],
  ["POST", "/teams", { name: "a", more: 1 }, 422, "fields_invalid"],
  ["PATCH", `/teams/${unknown}`, { name: "a" }, 404, "team_not_found"],
  ["PATCH", "/teams/nowhere", { name: "a" }, 404, "team_not_found"],
  ["DELETE", `/teams/${unknown}`, undefined, 404, "team_not_found"],
  ["GET", "/users?team_id=nowhere", undefined, 422, "fields_invalid"],
] as const)("%s %s with %j returns %s %s", async (method, url, body, status, code) => {
  expect(await ask(method, url, body)).toMatchObject({ status, body: { code } });
});

test("a user cannot be moved to an unknown team or a team of another workspace", async () => {
  const agent = await createAgent("mia@example.com");
  const other = await service.anotherWorkspace();
  const { rows } = await service.admin.query(
    "insert into team (workspace_id, id, name, name_key) values ($1, gen_random_uuid(), 'x', 'x') returning id",
    [other.workspaceId],
  );
  for (const id of [unknown, rows[0].id]) {
    expect(await ask("PATCH", `/users/${agent}`, { team_id: id })).toMatchObject({
      status: 404,
      body: { code: "team_not_found" },
    });
  }
});

test("a workspace has at most 500 teams", async () => {
  const by = await service.anotherWorkspace();
  await service.admin.query(
    `insert into team (workspace_id, id, name, name_key)
     select $1, gen_random_uuid(), 'team ' || n, 'team ' || n from generate_series(1, 500) as n`,
    [by.workspaceId],
  );
  await expect(saveTeam(app, by, "One more")).rejects.toMatchObject({ code: "team_limit_reached" });
});
