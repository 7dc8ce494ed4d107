import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { operatorIn } from "../../platform/actor.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { Email } from "../../platform/mail/mail.ts";
import { auditOf } from "../../testing/json-client.ts";
import { clientSecret, openSignInProvider } from "../../testing/servers/sign-in-provider.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { aPassword, createTestUser, signedIn } from "../../testing/users.ts";
import { createLink } from "../../users/access-links.ts";
import { changeUser } from "../../users/change-user.ts";
import { createSignInLink } from "../../users/create-sign-in-link.ts";
import { inviteUser } from "../../users/invite-user.ts";
import { resendInvitation } from "../../users/mail/resend-invitation.ts";
import { sendInvitation } from "../../users/mail/send-invitation.ts";
import { sendReset } from "../../users/mail/send-reset.ts";
import { changeWorkspace } from "../../workspaces/change-workspace.ts";
import { startSession } from "../sessions/start-session.ts";

const provider = await openSignInProvider();
const sentMails: Email[] = [];
const mail = { send: async (letter: Email) => void sentMails.push(letter), close: () => {} };
const settings = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: "hearback", OIDC_CLIENT_SECRET: clientSecret };
const service = await openTestApp({ ...settings, OIDC_NAME: "Acme Login" }, { mail });
const { app, api, caller, admin } = service;
const { workspaceId } = caller;
const by = operatorIn(workspaceId);
const origin = "http://127.0.0.1:8080";
const other = "violet train under a bridge";

type Headers = Record<string, string>;
const ask = async (method: "GET" | "POST" | "PATCH", url: string, payload?: object, headers: Headers = {}) => {
  const answer = await api.inject({ method, url, ...(payload && { payload }), headers });
  return { status: answer.statusCode, body: answer.body ? answer.json() : null, answer };
};
const post = (url: string, payload: object, headers?: Headers) => ask("POST", url, payload, headers);
const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
  [headers["set-cookie"] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(";")[0] ?? "")
    .filter((cookie) => !cookie.endsWith("="))
    .join("; ");
/** A complete OIDC flow in one browser for the user with this email address. */
async function byProvider(email: string) {
  provider.behave({ claims: { email, email_verified: true } });
  const begun = await api.inject({ url: "/session/oidc" });
  const query = provider.visit(String(begun.headers.location));
  const back = await api.inject({ url: `/session/oidc/callback?${query}`, headers: { cookie: cookiesOf(begun) } });
  return { cookie: cookiesOf(back), origin };
}
const turn = (on: boolean) => changeWorkspace(app, by, { settings: { password_sign_in: on } });
const linkOf = async (userId: string, kind: "invitation" | "reset") => {
  const link = { userId, kind, handedOver: true };
  return tokenOf((await inWorkspace(app, workspaceId, (tx) => createLink(app, tx, by, link))).url);
};
const tokenOf = (url: string) => url.split("#")[1] ?? "";
const anInvited = () =>
  inviteUser(app, by, {
    email: `${randomUUID()}@example.com`,
    name: "Bob Roy",
    role: "reviewer",
    sendInvitation: true,
  });

const ended = { status: 404, body: { code: "link_ended" } };
const off = { status: 403, body: { code: "password_sign_in_off" } };

const chief = await createTestUser(app, workspaceId);

test("cannot be turned off before an administrator has signed in with the provider", async () => {
  const headers = await signedIn(api, chief.email);
  const ask409 = () => ask("PATCH", "/workspace", { settings: { password_sign_in: false } }, headers);
  expect(await ask409()).toMatchObject({
    status: 409,
    body: { code: "password_sign_in_needed", detail: expect.stringContaining("No administrator") },
  });
  const reviewer = await createTestUser(app, workspaceId, { role: "reviewer" });
  const former = await createTestUser(app, workspaceId);
  for (const { email } of [reviewer, former]) await byProvider(email);
  await changeUser(app, by, former.id, { deactivated: true });
  expect((await ask409()).status).toBe(409);
  await byProvider(chief.email);
  const relink = (issuer: string) =>
    admin.query("update provider_identity set issuer = $1 where user_id = $2", [issuer, chief.id]);
  await relink("https://former-provider.example.com");
  expect((await ask409()).status).toBe(409);
  await relink(provider.issuer);
  expect(await ask409()).toMatchObject({ status: 200, body: { settings: { password_sign_in: false } } });
  await turn(true);
});

test("cannot be turned off without a provider", async () => {
  const without = await openTestApp();
  await expect(
    changeWorkspace(without.app, operatorIn(without.caller.workspaceId), { settings: { password_sign_in: false } }),
  ).rejects.toMatchObject({ code: "password_sign_in_needed", message: expect.stringContaining("OIDC_ISSUER") });
});

describe("turned off", () => {
  beforeEach(async () => {
    await byProvider(chief.email);
    await turn(true);
  });

  test("a right password fails like a wrong one, and provider sign-in works", async () => {
    await turn(false);
    const right = await post("/session", { email: chief.email, password: aPassword });
    const wrong = await post("/session", { email: chief.email, password: other });
    const without = ({ status, body }: typeof right) => ({ status, body: { ...body, request_id: "" } });
    expect(right).toMatchObject({ status: 401, body: { code: "sign_in_failed" } });
    expect(without(right)).toEqual(without(wrong));
    const session = await ask("GET", "/session", undefined, await byProvider(chief.email));
    expect(session.body).toMatchObject({ signed_in_by: "oidc", has_password: true, password_sign_in: false });
    await turn(true);
    expect((await post("/session", { email: chief.email, password: aPassword })).status).toBe(200);
  });

  test("sessions not started with the provider end, and no others", async () => {
    const { id, email } = await createTestUser(app, workspaceId, { role: "reviewer" });
    const byPassword = await signedIn(api, email);
    const byLink = { cookie: cookiesOf((await post("/session/link", await reset(id))).answer), origin };
    const again = await signedIn(api, email, other);
    const kept = await byProvider(email);
    const elsewhere = await service.anotherWorkspace();
    const stranger = await createTestUser(app, elsewhere.workspaceId);
    const apart = await signedIn(api, stranger.email);
    await turn(false);
    const { rows } = await admin.query(
      "select signed_in_by, count(*)::int as open from session where ended_at is null and user_id = any($1) group by 1 order by 1",
      [[id, stranger.id]],
    );
    expect(rows).toEqual([
      { signed_in_by: "oidc", open: 1 },
      { signed_in_by: "password", open: 1 },
    ]);
    const statuses = [];
    for (const headers of [byPassword, byLink, again, kept, apart]) {
      statuses.push((await ask("GET", "/session", undefined, headers)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 200, 200]);
  });
  const reset = async (id: string) => ({ token: await linkOf(id, "reset"), password: other });

  test("a concurrent sign-in fails", async () => {
    const { id: userId } = await createTestUser(app, workspaceId, { role: "reviewer" });
    await turn(false);
    const start = (signedInBy: "password" | "passkey" | "oidc") =>
      inWorkspace(app, workspaceId, (tx) =>
        startSession(app, tx, { workspaceId, userId, signedInBy, userAgent: undefined, address: "127.0.0.1" }),
      );
    for (const way of ["password", "passkey"] as const) {
      await expect(start(way)).rejects.toMatchObject({ code: "sign_in_failed" });
    }
    expect(await start("oidc")).toHaveProperty("sessionId");
  });

  test("neither an earlier link nor the account page can set a password", async () => {
    const { id, email } = await createTestUser(app, workspaceId, { role: "reviewer" });
    const invited = await anInvited();
    const tokens = [await linkOf(id, "reset"), await linkOf(invited.id, "invitation")];
    await turn(false);
    for (const token of tokens) {
      expect(await post("/session/link/look", { token })).toMatchObject(ended);
      expect(await post("/session/link", { token, password: other })).toMatchObject(ended);
    }
    const headers = await byProvider(email);
    const change = { current_password: aPassword, new_password: other };
    expect(await post("/session/password", change, headers)).toMatchObject(off);
    const fresh = await byProvider(invited.email);
    expect(await post("/session/password", { new_password: other }, fresh)).toMatchObject(off);
    expect((await post("/session/confirm", { password: aPassword }, headers)).status).toBe(422);
    const { rows } = await admin.query("select 1 from credential where user_id = $1", [invited.id]);
    expect(rows).toEqual([]);
  });

  test("no reset email is sent, and invitations lead to the provider", async () => {
    const { id } = await createTestUser(app, workspaceId, { role: "reviewer" });
    const invited = await anInvited();
    await turn(false);
    sentMails.length = 0;
    await sendReset.perform(app, { workspaceId, userId: id });
    expect(sentMails).toEqual([]);
    await sendInvitation.perform(app, { workspaceId, userId: invited.id });
    expect(sentMails).toMatchObject([{ to: invited.email, text: expect.stringContaining("/console/sign-in") }]);
    expect(sentMails[0]?.text).toContain("Acme Login");
    expect(sentMails[0]?.text).not.toMatch(/welcome#|password/);
    const input = { byMail: false, canSeeLink: true, requireMayInvite: () => {} };
    expect(await resendInvitation(app, by, invited.id, input)).toEqual({
      invitation: "not_configured",
      expiresAt: null,
      link: expect.stringMatching(/\/console\/sign-in$/),
    });
  });
});

describe("a sign-in link created by the operator", () => {
  beforeEach(async () => {
    await byProvider(chief.email);
    await turn(false);
  });

  test("signs in an administrator once without a password, with an audit entry", async () => {
    let token = "";
    const entries = await auditOf(service, async () => {
      const { url, expiresAt } = await createSignInLink(app, by, chief.email);
      token = tokenOf(url);
      expect(Math.abs(expiresAt.getTime() - Date.now() - 15 * 60_000)).toBeLessThan(60_000);
    });
    expect(entries).toMatchObject([{ action: "link.created", subject_id: chief.id, data: { kind: "sign_in" } }]);
    expect((await post("/session/link/look", { token })).body).toMatchObject({ kind: "sign_in", email: chief.email });
    const both = await Promise.all([post("/session/link", { token }), post("/session/link", { token })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    const used = both.find(({ status }) => status === 200);
    expect(used?.body).toMatchObject({ user: { id: chief.id }, signed_in_by: "link" });
    const headers = { cookie: cookiesOf((used as (typeof both)[0]).answer), origin };
    const on = await ask("PATCH", "/workspace", { settings: { password_sign_in: true } }, headers);
    expect(on.status).toBe(200);
    expect((await post("/session", { email: chief.email, password: aPassword })).status).toBe(200);
  });

  test("expires, and works for administrators only", async () => {
    const late = tokenOf((await createSignInLink(app, by, chief.email)).url);
    await admin.query("update access_link set expires_at = now() where kind = 'sign_in'");
    expect(await post("/session/link", { token: late })).toMatchObject(ended);
    const { id, email } = await createTestUser(app, workspaceId, { role: "supervisor" });
    for (const address of [email, "nobody@example.com"]) {
      await expect(createSignInLink(app, by, address)).rejects.toMatchObject({ code: "user_not_found" });
    }
    await changeUser(app, by, id, { role: "admin" });
    const token = tokenOf((await createSignInLink(app, by, email)).url);
    await changeUser(app, by, id, { role: "supervisor" });
    expect(await post("/session/link", { token })).toMatchObject(ended);
  });

  test("still requires the second step", async () => {
    const { id, email } = await createTestUser(app, workspaceId);
    await admin.query(
      "insert into passkey (workspace_id, user_id, id, name, credential_id, public_key, sign_count) values ($1, $2, $3, 'Laptop', $4, $4, 0)",
      [workspaceId, id, randomUUID(), Buffer.from(id)],
    );
    const token = tokenOf((await createSignInLink(app, by, email)).url);
    expect(await post("/session/link", { token })).toMatchObject({ status: 401, body: { code: "second_step_needed" } });
  });

  test("other links still require a password", async () => {
    await turn(true);
    const token = await linkOf(chief.id, "reset");
    expect(await post("/session/link", { token })).toMatchObject({
      status: 400,
      body: { errors: [{ part: "password", code: "missing" }] },
    });
  });
});
