import { expect, test } from "vitest";
import { operatorIn } from "../../platform/actor.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { aPassword, createTestUser, signedIn } from "../../testing/users.ts";
import { inviteUser } from "../../users/invite-user.ts";
import { startSession } from "../sessions/start-session.ts";

const service = await openTestApp();
const { app, api, caller, admin } = service;
const { workspaceId } = caller;

const post = async (url: string, payload: object, headers: Record<string, string>) => {
  const answer = await api.inject({ method: "POST", url, payload, headers });
  return { status: answer.statusCode, body: answer.body ? answer.json() : null };
};
const find = async (headers: Record<string, string>) => (await api.inject({ url: "/session", headers })).json();
/** Expires the confirmation of all sessions of the user. */
const expireConfirmation = (userId: string) =>
  admin.query("update session set confirmed_at = now() - interval '11 minutes' where user_id = $1", [userId]);

/** A session of a user without a password, as started with a provider. */
async function withoutPassword(confirmedAt: Date | null) {
  const { id: userId } = await inviteUser(app, operatorIn(workspaceId), {
    email: `${crypto.randomUUID()}@example.com`,
    name: "Bob Roy",
    role: "reviewer",
    sendInvitation: false,
  });
  const { token } = await inWorkspace(app, workspaceId, (tx) =>
    startSession(app, tx, {
      workspaceId,
      userId,
      signedInBy: "oidc",
      userAgent: undefined,
      address: "127.0.0.1",
      confirmedAt,
    }),
  );
  return { userId, headers: { cookie: `hearback=${token}`, origin: "http://127.0.0.1:8080" } };
}

test("password sign-in confirms the session for ten minutes, and the password confirms it again", async () => {
  const { id, email } = await createTestUser(app, workspaceId);
  const headers = await signedIn(api, email);
  const soon = new Date(Date.now() + 9 * 60_000).toISOString();
  expect((await find(headers)).confirmed_until > soon).toBe(true);
  await expireConfirmation(id);
  expect((await find(headers)).confirmed_until).toBeNull();
  expect(await post("/session/confirm", { password: "not the password" }, headers)).toMatchObject({
    status: 422,
    body: { errors: [{ part: "password", code: "wrong" }] },
  });
  expect((await find(headers)).confirmed_until).toBeNull();
  expect(await post("/session/confirm", { password: aPassword }, headers)).toEqual({ status: 204, body: null });
  expect((await find(headers)).confirmed_until > soon).toBe(true);
});

test("setting a first password requires a recent confirmation", async () => {
  const { userId, headers } = await withoutPassword(null);
  const change = { new_password: "violet train under a bridge" };
  expect(await post("/session/password", change, headers)).toMatchObject({
    status: 403,
    body: { code: "confirmation_needed", confirm_by: [] },
  });
  expect(await post("/session/confirm", { password: aPassword }, headers)).toMatchObject({
    status: 422,
    body: { errors: [{ part: "password", code: "no_password" }] },
  });
  await admin.query("update session set confirmed_at = now() where user_id = $1", [userId]);
  expect((await post("/session/password", change, headers)).status).toBe(204);
});

test("password attempts in an open session are throttled", async () => {
  const { email } = await createTestUser(app, workspaceId);
  const headers = await signedIn(api, email);
  const statuses: number[] = [];
  for (let i = 0; i < 7; i += 1)
    statuses.push((await post("/session/confirm", { password: `guess ${i}` }, headers)).status);
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429]);
});

test("a weak new password is rejected", async () => {
  const { email } = await createTestUser(app, workspaceId);
  const headers = await signedIn(api, email);
  const change = { current_password: aPassword, new_password: email };
  expect(await post("/session/password", change, headers)).toMatchObject({
    status: 422,
    body: { errors: [{ part: "new_password", code: "password_personal" }] },
  });
});
