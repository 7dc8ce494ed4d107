import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { operatorIn } from "../../platform/actor.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import type { Email } from "../../platform/mail/mail.ts";
import { callImporter } from "../../testing/import-calls.ts";
import { auditOf } from "../../testing/json-client.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { aPassword, createTestUser, signedIn } from "../../testing/users.ts";
import { acceptInvitation } from "../../users/accept-invitation.ts";
import { createLink } from "../../users/access-links.ts";
import { changeUser } from "../../users/change-user.ts";
import { findUser } from "../../users/find-user.ts";
import { inviteUser } from "../../users/invite-user.ts";
import { sendInvitation } from "../../users/mail/send-invitation.ts";
import { sendReset } from "../../users/mail/send-reset.ts";
import { removeUser } from "../../users/remove-user.ts";
import { purgeExpiredSessions } from "../purge-expired-sessions.ts";
import { endSession } from "../sessions/end-session.ts";
import { startSession } from "../sessions/start-session.ts";
import { changePassword } from "../sign-in/change-password.ts";
import { openPasswordHasher, type PasswordHasher } from "../sign-in/password-hasher.ts";
import { openSignInThrottle } from "../throttle/sign-in-throttle.ts";
import { createSetupLink } from "./create-setup-link.ts";

const sentMails: Email[] = [];
const mail = { send: async (letter: Email) => void sentMails.push(letter), close: () => {} };
const service = await openTestApp({ PUBLIC_URL: "https://hearback.example.com" }, { mail });
const { app, api, caller, admin } = service;
const { workspaceId } = caller;
const by = operatorIn(workspaceId);
const other = "a different horse";

const post = async (url: string, payload: object, headers: Record<string, string> = {}) => {
  const answer = await api.inject({ method: "POST", url, payload, headers });
  return { status: answer.statusCode, body: answer.body ? answer.json() : null, answer };
};
const ended = { status: 404, body: { code: "link_ended" } };
const tokenOf = (url: string | undefined) => /#([\w-]{43})$/m.exec(url ?? "")?.[1] ?? "";
const lastToken = () => tokenOf(sentMails.at(-1)?.text);

async function invited() {
  const input = { email: `${crypto.randomUUID()}@example.com`, name: "Bob Roy", role: "reviewer" } as const;
  const user = await inviteUser(app, by, { ...input, sendInvitation: true });
  await sendInvitation.perform(app, { workspaceId, userId: user.id });
  return { ...user, token: lastToken() };
}

describe("an invitation", () => {
  test("sends an email with a one-time link for choosing a password", async () => {
    const { id, email, token } = await invited();
    expect(sentMails.at(-1)).toMatchObject({ to: email, text: expect.stringMatching(/works once, until .* UTC/) });
    expect(sentMails.at(-1)?.text).toContain(`https://hearback.example.com/console/welcome#${token}`);
    expect(await post("/session/link/look", { token })).toMatchObject({
      status: 200,
      body: { kind: "invitation", email, name: "Bob Roy", workspace_name: "Acme" },
    });
    const used = await post("/session/link", { token, password: aPassword, name: "Robert Roy" });
    expect(used).toMatchObject({ status: 200, body: { user: { id, name: "Robert Roy" }, signed_in_by: "link" } });
    expect(String(used.answer.headers["set-cookie"])).toMatch(/^__Host-hearback=[\w-]{43}; Path=\/; .*; Secure$/);
    expect(await post("/session/link", { token, password: aPassword })).toMatchObject(ended);
    expect(await post("/session/link/look", { token })).toMatchObject(ended);
    expect(await post("/session", { email, password: aPassword })).toMatchObject({ status: 200 });
    const { rows } = await admin.query("select status from app_user where id = $1", [id]);
    expect(rows).toEqual([{ status: "active" }]);
  });

  test.each([
    ["password1234", "password_common"],
    ["aaaaaaaaaaaa", "password_repeated"],
    ["Robert Roy Acme", "password_personal"],
  ])("rejects a weak password: %s", async (password, code) => {
    const { token } = await invited();
    const use = await post("/session/link", { token, password, name: "Robert Roy" });
    expect(use).toMatchObject({ status: 422, body: { errors: [{ part: "password", code }] } });
    expect((await post("/session/link/look", { token })).status).toBe(200);
  });

  test("succeeds for one of two concurrent uses", async () => {
    const { token } = await invited();
    const uses = [aPassword, other].map((password) => post("/session/link", { token, password }));
    expect((await Promise.all(uses)).map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  test("ends after a week, when a new link is created, and when the user is deactivated", async () => {
    const expired = await invited();
    await admin.query("update access_link set expires_at = now() where user_id = $1", [expired.id]);
    const replaced = await invited();
    await admin.query("update app_user set invitation_sent_at = null where id = $1", [replaced.id]);
    await sendInvitation.perform(app, { workspaceId, userId: replaced.id });
    const gone = await invited();
    await changeUser(app, by, gone.id, { deactivated: true });
    for (const { token } of [expired, replaced, gone, { token: "A".repeat(43) }, { token: "no" }]) {
      expect(await post("/session/link/look", { token })).toMatchObject(ended);
      expect(await post("/session/link", { token, password: aPassword })).toMatchObject(ended);
    }
  });

  test("can be resent by email, or returned as a link to callers who may see it", async () => {
    const key = { "x-api-key": await service.key("manage") };
    const { id, token } = await invited();
    const queued = await post(`/users/${id}/invitation`, {}, key);
    expect(queued).toMatchObject({ status: 200, body: { invitation: "queued", link: null } });
    await sendInvitation.perform(app, { workspaceId, userId: id });
    expect([lastToken() !== token, await post("/session/link/look", { token })]).toMatchObject([true, ended]);
    const handed = await post(`/users/${id}/invitation`, { by_mail: false }, key);
    expect(handed.body).toMatchObject({ invitation: "not_configured", link: expect.stringMatching(/welcome#/) });
    expect(await post("/session/link/look", { token: tokenOf(handed.body.link) })).toMatchObject({ status: 200 });
    await changeUser(app, by, id, { deactivated: true });
    expect(await post(`/users/${id}/invitation`, {}, key)).toMatchObject({ body: { code: "user_deactivated" } });
  });

  test("handed over as a link is not replaced by a queued email, which is canceled", async () => {
    const key = { "x-api-key": await service.key("manage") };
    const input = { email: `${crypto.randomUUID()}@example.com`, name: "Bob Roy", role: "reviewer" } as const;
    const { id: userId, email } = await inviteUser(app, by, { ...input, sendInvitation: true });
    const handOver = async () =>
      tokenOf((await post(`/users/${userId}/invitation`, { by_mail: false }, key)).body.link);
    const token = await handOver();
    const before = sentMails.length;
    await sendInvitation.perform(app, { workspaceId, userId });
    expect(sentMails).toHaveLength(before);
    const methods = async () => (await api.inject({ url: `/users/${userId}`, headers: key })).json().sign_in_methods;
    expect(await methods()).toEqual([]);
    expect(await post("/session/link", { token, password: aPassword })).toMatchObject({ status: 200 });
    expect(await methods()).toEqual(["password"]);
    await admin.query("update app_user set invitation_sent_at = null where id = $1", [userId]);
    await sendInvitation.perform(app, { workspaceId, userId });
    expect(sentMails, "for a user with a password").toHaveLength(before);

    const another = await handOver();
    await sendReset.perform(app, { workspaceId, userId });
    expect(sentMails.at(-1)).toMatchObject({ to: email });
    for (const one of [another, lastToken()]) {
      expect(await post("/session/link/look", { token: one })).toMatchObject({ body: { kind: "reset" } });
    }
    const { rows } = await admin.query("select invitation, invitation_sent_at from app_user where id = $1", [userId]);
    expect((await post(`/users/${userId}/invitation`, {}, key)).body).toMatchObject({ invitation: "queued" });
    const { rows: after } = await admin.query("select invitation, invitation_sent_at from app_user where id = $1", [
      userId,
    ]);
    expect(after, "a new password is no invitation").toEqual(rows);
  });

  test("cannot be altered by line breaks in names", async () => {
    const { workspaceId: place } = await service.anotherWorkspace();
    const written = "Bob,\r\n\nyour\u2028account\u0085is\vlocked:\fhttps://evil.example\n\n";
    await admin.query("update workspace set name = $1 where id = $2", [written, place]);
    const person = { email: "lines@example.com", name: written, role: "agent", sendInvitation: true } as const;
    const { id: userId } = await inviteUser(app, operatorIn(place), person);
    const { id: known } = await createTestUser(app, place);
    await admin.query("update app_user set name = $1 where id = $2", [written, known]);
    await invited();
    const usual = sentMails.at(-1)?.text.split("\n").length;
    await sendInvitation.perform(app, { workspaceId: place, userId });
    const invitation = sentMails.at(-1);
    expect(invitation?.text.split(/[\n\v\f\r\u0085\u2028\u2029]/)).toHaveLength(usual ?? 0);
    expect(invitation?.subject).toBe(
      "You have been invited to Bob, your account is locked https evil. example on Hearback",
    );
    await sendReset.perform(app, { workspaceId: place, userId: known });
    expect(sentMails.at(-1)?.text).toMatch(
      /^Hello Bob, your account is locked https evil\. example,\n\nWe received a request/,
    );
    expect(sentMails.at(-1)?.subject).not.toMatch(/[\r\n]/);
  });

  test("is not sent to a user who has signed in with a provider in the meantime", async () => {
    const input = { email: `${crypto.randomUUID()}@example.com`, name: "Bob Roy", role: "reviewer" } as const;
    const { id: userId } = await inviteUser(app, by, { ...input, sendInvitation: true });
    await inWorkspace(app, workspaceId, (tx) => acceptInvitation(tx, workspaceId, userId));
    const before = sentMails.length;
    await sendInvitation.perform(app, { workspaceId, userId });
    expect(sentMails).toHaveLength(before);
  });

  test("can be sent by supervisors to agents and reviewers, without showing the link", async () => {
    const supervisor = await createTestUser(app, workspaceId, { role: "supervisor" });
    const headers = { ...(await signedIn(api, supervisor.email)), origin: "https://hearback.example.com" };
    const { id } = await invited();
    const seen = await post(`/users/${id}/invitation`, { by_mail: false }, headers);
    expect(seen).toMatchObject({ status: 200, body: { link: null, expires_at: null } });
    const boss = await createTestUser(app, workspaceId, { role: "admin" });
    expect(await post(`/users/${boss.id}/invitation`, {}, headers)).toMatchObject({ body: { code: "role_missing" } });
    for (const role of ["supervisor", "admin"]) {
      const invite = await post("/users/invite", { email: "x@example.com", name: "X", role }, headers);
      expect(invite).toMatchObject({ status: 403, body: { code: "role_missing" } });
    }
    expect(await post("/users/invite", { email: "y@example.com", name: "Y", role: "reviewer" }, headers)).toMatchObject(
      {
        status: 201,
      },
    );
  });
});

describe("a password reset", () => {
  test("is done with an emailed link and ends all sessions", async () => {
    const { id, email } = await createTestUser(app, workspaceId);
    const headers = await signedIn(api, email);
    expect(await post("/session/forgotten", { email })).toMatchObject({ status: 202, body: null });
    await sleep(50);
    const { rows } = await admin.query("select payload from outgoing_job where name = 'user.send-reset'");
    expect(rows.map(({ payload }) => payload)).toContainEqual({ workspaceId, userId: id });
    await sendReset.perform(app, { workspaceId, userId: id });
    expect(sentMails.at(-1)).toMatchObject({ to: email, subject: "Reset your password for Acme on Hearback" });
    const token = lastToken();
    expect(await post("/session/link/look", { token })).toMatchObject({ body: { kind: "reset", email } });
    const used = await post("/session/link", { token, password: other, name: "Somebody Else" });
    expect(used).toMatchObject({ status: 200, body: { user: { name: "Ann Lee" } } });
    await sleep(600);
    expect((await api.inject({ method: "GET", url: "/session", headers })).statusCode).toBe(401);
    expect(await post("/session", { email, password: aPassword })).toMatchObject({ status: 401 });
    expect(await post("/session", { email, password: other })).toMatchObject({ status: 200 });
  });

  test("resends the invitation to users without a password, and sends nothing to users who were never invited", async () => {
    const { id: userId } = await invited();
    const before = sentMails.length;
    await sendReset.perform(app, { workspaceId, userId });
    expect(sentMails).toHaveLength(before);
    const queued = "select from outgoing_job where name = 'user.send-invitation' and payload->>'userId' = $1";
    expect((await admin.query(queued, [userId])).rowCount).toBe(2);
    await sendInvitation.perform(app, { workspaceId, userId });
    expect(await post("/session/link/look", { token: lastToken() })).toMatchObject({ body: { kind: "invitation" } });

    const input = { email: `${crypto.randomUUID()}@example.com`, name: "Ann Lee", role: "agent" } as const;
    const agent = await inviteUser(app, by, { ...input, sendInvitation: false });
    await sendReset.perform(app, { workspaceId, userId: agent.id });
    expect(sentMails).toHaveLength(before + 1);
    expect((await admin.query(queued, [agent.id])).rowCount).toBe(0);

    const key = { "x-api-key": await service.key("manage") };
    const handed = await post(`/users/${agent.id}/invitation`, { by_mail: false }, key);
    await sendReset.perform(app, { workspaceId, userId: agent.id });
    expect(sentMails.at(-1), "a user invited with a link can request a reset").toMatchObject({ to: agent.email });
    for (const token of [lastToken(), tokenOf(handed.body.link)]) {
      expect(await post("/session/link/look", { token })).toMatchObject({ status: 200 });
    }
  });

  test("gets the same response for unknown addresses, and emails are rate-limited", async () => {
    const { id, email } = await createTestUser(app, workspaceId);
    const answers = [];
    for (let count = 0; count < 6; count++) answers.push(await post("/session/forgotten", { email }));
    answers.push(await post("/session/forgotten", { email: "nobody@example.com" }));
    expect(new Set(answers.map(({ status, answer }) => `${status} ${answer.body}`))).toEqual(new Set(["202 "]));
    await sleep(50);
    const { rows } = await admin.query("select from outgoing_job where payload->>'userId' = $1", [id]);
    expect(rows).toHaveLength(3);
  });
});

describe("setup", () => {
  test("creates a workspace and its first administrator once", async () => {
    const { url } = await createSetupLink(app);
    const token = tokenOf(url);
    const nothing = { kind: "setup", email: null, name: null, workspace_name: null };
    expect(await post("/session/link/look", { token })).toMatchObject({ status: 200, body: nothing });
    expect(await post("/session/link", { token, password: aPassword })).toMatchObject({
      status: 400,
      body: { code: "member_missing", errors: [{ part: "email" }, { part: "name" }, { part: "workspace_name" }] },
    });
    const first = { token, password: aPassword, email: "first@example.com", name: "First", workspace_name: "New" };
    expect(await post("/session/link", first)).toMatchObject({
      status: 200,
      body: { user: { email: "first@example.com", role: "admin" }, workspace: { name: "New" } },
    });
    expect(await post("/session/link", first)).toMatchObject(ended);
  });
});

describe("the user's password", () => {
  const change = (payload: object, headers: Record<string, string>) =>
    post("/session/password", payload, { ...headers, origin: "https://hearback.example.com" });

  test("is changed with the current password, which ends all other sessions", async () => {
    const { id, email } = await createTestUser(app, workspaceId, { role: "agent" });
    const [here, there] = [await signedIn(api, email), await signedIn(api, email)];
    expect(await change({ new_password: other }, here)).toMatchObject({
      status: 400,
      body: { code: "member_missing" },
    });
    const wrong = await change({ current_password: "wrong horse battery", new_password: other }, here);
    expect(wrong).toMatchObject({ status: 422, body: { errors: [{ part: "current_password", code: "wrong" }] } });
    const short = await change({ current_password: aPassword, new_password: "short" }, here);
    expect(short).toMatchObject({ status: 422, body: { errors: [{ part: "new_password" }] } });
    const same = await change({ current_password: aPassword, new_password: aPassword }, here);
    expect(same).toMatchObject({ status: 422, body: { errors: [{ part: "new_password", code: "unchanged" }] } });
    const entries = await auditOf(service, () => change({ current_password: aPassword, new_password: other }, here));
    expect(entries).toMatchObject([{ action: "password.changed", actor_type: "user", subject_id: id }]);
    await sleep(600);
    const seen = (headers: Record<string, string>) => api.inject({ method: "GET", url: "/session", headers });
    expect([(await seen(here)).statusCode, (await seen(there)).statusCode]).toEqual([200, 401]);
  });

  test("is not changed if the session ends while the new password is hashed", async () => {
    const { id: userId, email } = await createTestUser(app, workspaceId);
    const { sessionId } = await inWorkspace(app, workspaceId, (tx) =>
      startSession(app, tx, {
        workspaceId,
        userId,
        signedInBy: "password",
        userAgent: undefined,
        address: "127.0.0.1",
      }),
    );
    const passwords = openPasswordHasher();
    const slow: PasswordHasher = {
      ...passwords,
      async hash(password) {
        await endSession(app, by, { id: sessionId });
        return passwords.hash(password);
      },
    };
    const session = {
      kind: "session",
      workspaceId,
      sessionId,
      userId,
      role: "admin",
      twoStepNeeded: false,
      campaignIds: null,
    } as const;
    const changing = changePassword(
      app,
      { hasher: slow, throttle: openSignInThrottle(app) },
      { ...session, agentId: null },
      { currentPassword: aPassword, newPassword: other },
    );
    await expect(changing).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await post("/session", { email, password: aPassword })).toMatchObject({ status: 200 });
  });

  test("cannot be guessed from an open session", async () => {
    const { email } = await createTestUser(app, workspaceId);
    const here = await signedIn(api, email);
    const guess = { current_password: "wrong horse battery", new_password: other };
    const statuses = [];
    for (let count = 0; count < 6; count++) statuses.push((await change(guess, here)).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });
});

describe("sessions", () => {
  const list = async (headers: Record<string, string>, query = "") => {
    const answer = await api.inject({ method: "GET", url: `/sessions${query}`, headers });
    return { status: answer.statusCode, body: answer.json() };
  };
  const end = async (id: string, headers: Record<string, string>) => {
    const all = { ...headers, origin: "https://hearback.example.com" };
    return (await api.inject({ method: "DELETE", url: `/sessions/${id}`, headers: all })).statusCode;
  };

  test("can be listed and ended by their user and by administrators", async () => {
    const [ann, bob, boss] = [
      await createTestUser(app, workspaceId, { role: "supervisor" }),
      await createTestUser(app, workspaceId, { role: "agent" }),
      await createTestUser(app, workspaceId),
    ];
    const [first, second] = [await signedIn(api, ann.email), await signedIn(api, ann.email)];
    const [agent, admins] = [await signedIn(api, bob.email), await signedIn(api, boss.email)];
    const { body } = await list(second);
    expect(body.sessions.map((one: { current: boolean }) => one.current)).toEqual([true, false]);
    expect(JSON.stringify(body)).not.toContain(second.cookie?.split("=")[1]);
    const page = (await list(second, "?limit=1")).body;
    expect([page.sessions.length, (await list(second, `?cursor=${page.next}`)).body.sessions.length]).toEqual([1, 1]);
    const older = body.sessions[1].id;
    expect([await end(older, agent), await list(agent, `?user_id=${ann.id}`)]).toMatchObject([404, { status: 403 }]);
    expect((await list(admins, `?user_id=${ann.id}`)).body.sessions).toHaveLength(2);
    expect([await end(older, second), await end(body.sessions[0].id, admins)]).toEqual([204, 204]);
    await sleep(600);
    const left = [first, second].map(async (headers) => (await list(headers)).status);
    expect(await Promise.all(left)).toEqual([401, 401]);
  });

  const left = async (id: string) => {
    const tables = ["session", "credential", "access_link"].map((name) => `select user_id from ${name}`);
    return (await admin.query(`select from (${tables.join(" union all ")}) as t where user_id = $1`, [id])).rowCount;
  };

  test("are deleted with the user, even if other rows reference the user", async () => {
    const [gone, named] = [
      await createTestUser(app, workspaceId, { role: "agent" }),
      await createTestUser(app, workspaceId, { role: "agent" }),
    ];
    await (await callImporter(service))({ agentEmail: named.email });
    for (const { id, email } of [gone, named]) {
      await signedIn(api, email);
      await inWorkspace(app, workspaceId, (tx) =>
        createLink(app, tx, by, { userId: id, kind: "reset", handedOver: false }),
      );
      expect(await left(id)).toBe(3);
      await inWorkspace(app, workspaceId, async (tx) => removeUser(app, tx, await findUser(tx, workspaceId, id)));
      expect(await left(id)).toBe(0);
    }
  });

  test("that have ended are purged, with expired links and throttle counters", async () => {
    const { id, email } = await createTestUser(app, workspaceId);
    await Promise.all([signedIn(api, email), signedIn(api, email), signedIn(api, email)]);
    await inWorkspace(app, workspaceId, (tx) =>
      createLink(app, tx, by, { userId: id, kind: "reset", handedOver: false }),
    );
    const ages = ["ended_at", "expires_at", "idle_until"].map((column, index) =>
      admin.query(
        `update session set ${column} = now() - interval '2 hours'
         where id = (select id from session where user_id = $1 order by id offset ${index} limit 1)`,
        [id],
      ),
    );
    await Promise.all(ages);
    await signedIn(api, email);
    await admin.query("update sign_in_guess set last_at = now() - interval '2 days', blocked_until = null");
    await purgeExpiredSessions.perform(app, {});
    expect(await left(id)).toBe(3);
    const { rows } = await admin.query("select bool_and(succeeded_at is not null) as kept from sign_in_guess");
    expect(rows).toEqual([{ kept: true }]);
    await admin.query("update access_link set expires_at = now() - interval '2 hours' where user_id = $1", [id]);
    await purgeExpiredSessions.perform(app, {});
    expect(await left(id)).toBe(2);
  });
});

test("repeated failures back off exponentially, while the right password works from another network", async () => {
  const { email } = await createTestUser(app, workspaceId);
  const guess = (password: string, remoteAddress: string) =>
    api.inject({ method: "POST", url: "/session", payload: { email, password }, remoteAddress });
  const tries = [];
  // Concurrently: each attempt is counted before it is made.
  for (const answer of await Promise.all(Array.from({ length: 9 }, () => guess("wrong horse battery", "10.9.8.7")))) {
    tries.push(answer.statusCode);
  }
  expect(tries.sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429]);
  const limited = await guess(aPassword, "10.9.8.7");
  expect([limited.statusCode, Number(limited.headers["retry-after"]) <= 5]).toEqual([429, true]);
  expect((await guess(aPassword, "10.9.8.6")).statusCode).toBe(200);
  const { rows } = await admin.query("select * from sign_in_guess");
  expect(JSON.stringify(rows)).not.toContain("10.9.8");
});

test("a match in one workspace does not clear failed attempts at another", async () => {
  const { email } = await createTestUser(app, workspaceId);
  const elsewhere = await service.anotherWorkspace();
  await createTestUser(app, elsewhere.workspaceId, { email, password: other });
  const enter = async (password: string, more: object = {}) => {
    const payload = { email, password, ...more };
    return (await api.inject({ method: "POST", url: "/session", payload, remoteAddress: "10.9.8.5" })).statusCode;
  };
  for (const more of [{}, {}, { workspace_id: elsewhere.workspaceId }, { workspace_id: elsewhere.workspaceId }]) {
    expect([await enter("wrong horse battery"), await enter(other, more)]).toEqual([401, 200]);
  }
  expect([await enter("wrong horse battery"), await enter("wrong horse battery")]).toEqual([401, 429]);
  expect(await enter(other), "no pause of the guesses is passed by it").toBe(429);
});

test("no personal data is logged", () => {
  expect(service.log()).not.toMatch(/@example|horse|10\.9\.8|#[\w-]{43}/);
});
