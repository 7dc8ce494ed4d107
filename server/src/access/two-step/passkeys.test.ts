import { describe, expect, test } from "vitest";
import { openAuthenticator } from "../../testing/software-authenticator.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { aPassword, createTestUser } from "../../testing/users.ts";
import { parseUserHandle, toUserHandle } from "./user-handle.ts";

const origin = "https://hearback.example.com";
const service = await openTestApp({ PUBLIC_URL: origin });
const { app, api, admin, caller } = service;
const { workspaceId } = caller;
const rpId = "hearback.example.com";

async function ask(method: "GET" | "POST" | "DELETE", url: string, cookie = "", payload?: object) {
  const answer = await api.inject({ method, url, headers: { origin, cookie }, ...(payload && { payload }) });
  const cookies = [answer.headers["set-cookie"] ?? []].flat().map((line) => line.split(";")[0] ?? "");
  return { status: answer.statusCode, body: answer.body ? answer.json() : null, cookie: cookies.join("; ") };
}

async function newUser() {
  const { id, email } = await createTestUser(app, workspaceId, { role: "agent" });
  const { cookie } = await ask("POST", "/session", "", { email, password: aPassword });
  return { id, email, cookie, handle: Buffer.from(toUserHandle(workspaceId, id)).toString("base64url") };
}

const newChallenge = async (cookie: string) =>
  (await ask("POST", "/session/two-step/passkeys/options", cookie)).body.challenge as string;
const signInChallenge = async () => (await ask("POST", "/session/passkey/options")).body.challenge as string;

async function registered() {
  const user = await newUser();
  const authenticator = openAuthenticator();
  const credential = authenticator.create({ challenge: await newChallenge(user.cookie), origin, rpId });
  const added = await ask("POST", "/session/two-step/passkeys", user.cookie, { name: " Phone ", credential });
  expect(added.status).toBe(201);
  return { ...user, authenticator, added: added.body };
}

const signIn = (credential: object) => ask("POST", "/session/passkey", "", { credential });

test("a passkey is added with recovery codes, and replaces password and second step", async () => {
  const { email, handle, authenticator, added } = await registered();
  expect(added).toMatchObject({ two_step: { passkeys: [{ name: "Phone" }] }, recovery_codes: { length: 10 } });
  const done = await signIn(authenticator.get({ challenge: await signInChallenge(), origin, rpId }, handle));
  expect(done).toMatchObject({ status: 200, body: { signed_in_by: "passkey", second_factor: "passkey" } });
  const asked = await ask("POST", "/session", "", { email, password: aPassword });
  expect(asked).toMatchObject({ status: 401, body: { methods: ["passkey", "recovery_code"] } });
});

describe("passkey sign-in is refused", () => {
  test("for a replayed response", async () => {
    const { handle, authenticator } = await registered();
    const credential = authenticator.get({ challenge: await signInChallenge(), origin, rpId }, handle);
    const answers = await Promise.all([signIn(credential), signIn(credential)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await signIn(credential)).body.code).toBe("sign_in_failed");
  });

  test.each([
    ["an unknown challenge", { challenge: Buffer.alloc(32).toString("base64url") }],
    ["another site's origin", { origin: "https://elsewhere.example" }],
    ["another relying party", { rpId: "elsewhere.example" }],
    ["a device that did not verify its user", { verified: false }],
  ])("for %s", async (_what, wrong) => {
    const { handle, authenticator } = await registered();
    const ceremony = { challenge: await signInChallenge(), origin, rpId, ...wrong };
    expect((await signIn(authenticator.get(ceremony, handle))).body.code).toBe("sign_in_failed");
  });

  test("for another user's handle, another device's key, an expired challenge or a removed passkey", async () => {
    const { id, cookie, handle, authenticator, added } = await registered();
    const other = await registered();
    const get = async (device = authenticator, user = handle) =>
      signIn(device.get({ challenge: await signInChallenge(), origin, rpId }, user));
    expect((await get(authenticator, other.handle)).status).toBe(401);
    expect((await get(other.authenticator, handle)).status).toBe(401);
    expect((await get(openAuthenticator(), handle)).status).toBe(401);
    for (const junk of ["AA", "", handle.slice(4)])
      expect([401, 422]).toContain((await get(authenticator, junk)).status);
    const challenge = await signInChallenge();
    await admin.query("update passkey_challenge set expires_at = now()");
    expect((await signIn(authenticator.get({ challenge, origin, rpId }, handle))).status).toBe(401);
    expect((await get()).status).toBe(200);
    await admin.query("update app_user set deactivated_at = now() where id = $1", [id]);
    expect((await get()).status).toBe(401);
    await admin.query("update app_user set deactivated_at = null where id = $1", [id]);
    const [{ id: passkeyId }] = added.two_step.passkeys;
    expect((await ask("DELETE", `/session/two-step/passkeys/${passkeyId}`, other.cookie)).status).toBe(404);
    expect((await ask("DELETE", `/session/two-step/passkeys/${passkeyId}`, cookie)).status).toBe(204);
    expect((await get()).status).toBe(401);
  });

  test("if the workspace allows provider sign-in only", async () => {
    const { handle, authenticator } = await registered();
    await admin.query(`update workspace set settings = settings || '{"password_sign_in": false}' where id = $1`, [
      workspaceId,
    ]);
    const refused = await signIn(authenticator.get({ challenge: await signInChallenge(), origin, rpId }, handle));
    await admin.query("update workspace set settings = settings - 'password_sign_in' where id = $1", [workspaceId]);
    expect(refused.status).toBe(401);
  });
});

test.each([
  ["a challenge of another session", {}],
  ["another site's origin", { origin: "https://elsewhere.example" }],
  ["a device that did not verify its user", { verified: false }],
])("a passkey with %s is not added", async (what, wrong) => {
  const user = await newUser();
  const requester = what.includes("session") ? await newUser() : user;
  const challenge = await newChallenge(requester.cookie);
  const credential = openAuthenticator().create({ challenge, origin, rpId, ...wrong });
  const refused = await ask("POST", "/session/two-step/passkeys", user.cookie, { name: "Phone", credential });
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ part: "credential" }] } });
});

test("passkeys are offered only where browsers support them", async () => {
  expect((await ask("GET", "/session/options")).body).toMatchObject({ passkeys: true });
  const elsewhere = await openTestApp();
  const answer = await elsewhere.api.inject({ method: "POST", url: "/session/passkey/options" });
  expect(answer.statusCode).toBe(404);
});

test("a user handle contains workspace and user id, and anything else is rejected", () => {
  const [workspace, user] = ["3f0c5f5e-7a55-4f0e-9d8e-0c8f5c3f8a11", "0190f3c2-7a55-7f0e-9d8e-0c8f5c3f8a12"];
  const handle = Buffer.from(toUserHandle(workspace, user)).toString("base64url");
  expect(parseUserHandle(handle)).toEqual({ workspaceId: workspace, userId: user });
  expect([parseUserHandle(undefined), parseUserHandle("AAAA")]).toEqual([undefined, undefined]);
});
