import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { auditOf, openJsonClient } from "../testing/json-client.ts";
import { openTestApp } from "../testing/test-app.ts";
import { createTestUser, signedIn } from "../testing/users.ts";
import { sendInvitation } from "./mail/send-invitation.ts";

const service = await openTestApp();
const { app, api, key, caller, admin } = service;
const ask = openJsonClient(service, await key("import", "read", "manage"));
interface Page {
  readonly users: readonly { readonly email: string }[];
  readonly next: string | null;
}
const userBody = (email: string, role = "agent") => ({ email, name: "Bob Roy", role, send_invite_email: false });
const invite = async (email: string, role?: string) => (await ask("POST", "/users/invite", userBody(email, role))).body;

test("a user can be read, renamed, promoted, deactivated and reactivated", async () => {
  const created = await invite("Bob@example.com");
  expect((await ask("GET", `/users/${created.id}`)).body).toEqual(created);
  const path = `/users/${created.id}`;
  expect((await ask("PATCH", path, { name: "Rob Roy" })).body).toEqual({ ...created, name: "Rob Roy" });
  expect((await ask("PATCH", path, { role: "supervisor" })).body).toMatchObject({ role: "supervisor" });
  const gone = (await ask("PATCH", path, { deactivated: true })).body;
  expect(gone.status).toBe("deactivated");
  expect(await ask("POST", "/users/invite", userBody("bob@example.com"))).toMatchObject({
    status: 409,
    body: { user: gone },
  });
  expect((await ask("PATCH", path, { deactivated: false })).body.status).toBe("active");
});

test("users are listed in pages, ordered by email address, and filtered", async () => {
  for (const name of ["zoe", "Yan", "xia"]) await invite(`${name}@list.example`, "reviewer");
  const { id } = await invite("walt@list.example", "admin");
  await ask("PATCH", `/users/${id}`, { deactivated: true });
  const emails = async (query: string) => {
    const found: string[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const page: Page = (await ask("GET", `/users?limit=2${query}${next && `&cursor=${next}`}`)).body;
      found.push(...page.users.map(({ email }) => email));
      next = page.next;
    }
    return found;
  };
  const { rows } = await admin.query("select email from app_user order by email_key");
  expect(await emails("")).toEqual(rows.map(({ email }) => email));
  expect(await emails("&role=reviewer")).toEqual(["xia@list.example", "Yan@list.example", "zoe@list.example"]);
  expect(await emails("&status=deactivated")).toEqual(["walt@list.example"]);
  expect(await emails("&email=YAN@list.example")).toEqual(["Yan@list.example"]);
  expect(await emails("&email=yan@list.exampl")).toEqual([]);
  expect(await emails("&search=%20AN@list.ex")).toEqual(["Yan@list.example"]);
  expect(await emails("&search=100%25_")).toEqual([]);
});

test.each([
  ["GET", `/users/${randomUUID()}`, undefined, 404, "user_not_found"],
  ["GET", "/users/x", undefined, 404, "user_not_found"],
  ["PATCH", `/users/${randomUUID()}`, { name: "a" }, 404, "user_not_found"],
  ["PATCH", `/users/${randomUUID()}`, { name: "" }, 422, "fields_invalid"],
  ["PATCH", `/users/${randomUUID()}`, { role: "boss" }, 422, "fields_invalid"],
  ["PATCH", `/users/${randomUUID()}`, { email: "a@example.com" }, 422, "fields_invalid"],
  ["GET", `/users?cursor=${randomUUID()}`, undefined, 422, "fields_invalid"],
  ["GET", "/users?cursor=x", undefined, 422, "fields_invalid"],
  ["GET", `/users?search=${"x".repeat(101)}`, undefined, 422, "fields_invalid"],
  ["GET", "/users?status=gone", undefined, 422, "fields_invalid"],
] as const)("%s %s with %j returns %s %s", async (method, url, body, status, code) => {
  expect(await ask(method, url, body)).toMatchObject({ status, body: { code } });
});

test("an import key cannot read users, and a read key cannot change them", async () => {
  const { id } = await invite("seen@example.com");
  const [read, importing] = [await key("read"), await key("import")];
  expect((await ask("GET", `/users/${id}`, undefined, read)).status).toBe(200);
  expect((await ask("PATCH", `/users/${id}`, { name: "a" }, read)).status).toBe(403);
  expect((await ask("GET", "/users", undefined, importing)).status).toBe(403);
});

test("a restricted key can create agents but not read users", async () => {
  const apiKey = await service.restrictedKey("support-fr");
  expect((await ask("POST", "/users/invite", userBody("agent@r.example"), apiKey)).status).toBe(201);
  for (const [method, path, body] of [
    ["POST", "/users/invite", userBody("admin@r.example", "admin")],
    ["GET", "/users", undefined],
  ] as const) {
    expect(await ask(method, path, body, apiKey)).toMatchObject({ status: 403, body: { code: "key_restricted" } });
  }
});

test("each change adds one audit entry and one event, and no-ops add none", async () => {
  let id = "";
  const entries = await auditOf(service, async () => {
    ({ id } = await invite("noted@example.com"));
    await invite("noted@example.com");
    for (const change of [
      ...[{ name: "Other", role: "reviewer" }, { name: "Other" }, { deactivated: true }, { deactivated: true }],
      ...[{ deactivated: false }, {}],
    ]) {
      await ask("PATCH", `/users/${id}`, change);
    }
  });
  expect(entries.map(({ action, data }) => [action, data])).toEqual([
    ["user.created", { role: "agent" }],
    ["user.changed", { changed: ["name", "role"] }],
    ["user.deactivated", { changed: ["deactivated"] }],
    ["user.changed", { changed: ["deactivated"] }],
  ]);
  expect(entries.every((entry) => entry.subject_id === id)).toBe(true);
  const { rows } = await admin.query("select data from event where type = 'user.changed' and data ->> 'user_id' = $1", [
    id,
  ]);
  expect(rows).toHaveLength(3);
});

test("deactivated users are not sent an invitation", async () => {
  const { id } = (await ask("POST", "/users/invite", { ...userBody("late@example.com"), send_invite_email: true }))
    .body;
  await ask("PATCH", `/users/${id}`, { deactivated: true });
  // Sending would fail, because there is no mail server.
  await sendInvitation.perform(app, { workspaceId: caller.workspaceId, userId: id });
});

test("deactivating a user revokes the keys they created, except those rotated by others", async () => {
  const { id, email } = await createTestUser(app, caller.workspaceId);
  const headers = await signedIn(api, email);
  const create = async (name: string) =>
    (await api.inject({ method: "POST", url: "/keys", headers, payload: { name, scopes: ["read"] } })).json<{
      id: string;
      key: string;
      created_by: string | null;
    }>();
  const ownKey = await create("of a leaving user");
  const handedOver = await create("nightly export");
  expect(ownKey.created_by).toBe(id);
  const rotated = (await ask("POST", `/keys/${handedOver.id}/rotate`, {})).body;
  expect(rotated.created_by).toBeNull();
  const status = async (apiKey: string) =>
    (await api.inject({ method: "GET", url: "/calls", headers: { "x-api-key": apiKey } })).statusCode;
  expect([await status(ownKey.key), await status(rotated.key)]).toEqual([200, 200]);

  const entries = await auditOf(service, () => ask("PATCH", `/users/${id}`, { deactivated: true }));
  expect(entries.filter(({ action }) => action === "key.revoked")).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ subject_id: ownKey.id, data: { created_by: id } })]),
  );
  await expect.poll(() => status(ownKey.key), { timeout: 3_000 }).toBe(401);
  expect([await status(handedOver.key), await status(rotated.key)]).toEqual([401, 200]);
});
