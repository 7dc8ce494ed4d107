import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { operatorIn } from "../../platform/actor.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { auditOf } from "../../testing/json-client.ts";
import { clientSecret, openSignInProvider } from "../../testing/servers/sign-in-provider.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { createTestUser } from "../../testing/users.ts";
import { createLink } from "../../users/access-links.ts";
import { changeUser } from "../../users/change-user.ts";
import { inviteUser } from "../../users/invite-user.ts";
import { throttleDigest } from "../throttle/sign-in-throttle-rules.ts";

const provider = await openSignInProvider();
const settings = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: "hearback", OIDC_CLIENT_SECRET: clientSecret };
const service = await openTestApp({ ...settings, OIDC_NAME: "Acme" });
const { app, api, caller } = service;
const { workspaceId } = caller;

type Answer = Awaited<ReturnType<typeof begin>>;
/** The cookies of a response, in the form a browser sends them back. */
const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
  [headers["set-cookie"] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(";")[0] ?? "")
    .filter((cookie) => !cookie.endsWith("="))
    .join("; ");
const begin = (query = "", from = api) => from.inject({ url: `/session/oidc${query}` });
const comeBack = (query: string, cookie: string) =>
  api.inject({ url: `/session/oidc/callback?${query}`, headers: { cookie, "user-agent": "Firefox" } });
/** A complete OIDC flow in one browser. */
async function completeFlow(query = ""): Promise<Answer> {
  const begun = await begin(query);
  return comeBack(provider.visit(String(begun.headers.location)), cookiesOf(begun));
}
async function anInvited(email = `${randomUUID()}@example.com`, inWorkspaceId = workspaceId) {
  const user = { email, name: "Ann Lee", role: "reviewer", sendInvitation: false } as const;
  return inviteUser(app, operatorIn(inWorkspaceId), user);
}
const vouchFor = (email: string, more: object = {}) =>
  provider.behave({ claims: { email, email_verified: true, ...more } });
const failed = (code: string) => `/console/sign-in?failed=${code}`;
const sessions = async () => (await service.admin.query("select 1 from session")).rowCount;

test("the sign-in options include the provider", async () => {
  expect((await api.inject("/session/options")).json()).toMatchObject({
    oidc: { name: "Acme" },
    setup_needed: false,
  });
});

test("redirects to the provider with state, nonce and PKCE challenge", async () => {
  const { statusCode, headers } = await begin();
  const url = new URL(String(headers.location));
  expect([statusCode, url.origin + url.pathname]).toEqual([302, `${provider.issuer}/auth`]);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: "hearback",
    response_type: "code",
    scope: "openid email",
    code_challenge_method: "S256",
    redirect_uri: `${app.config.publicUrl}/session/oidc/callback`,
    state: expect.stringMatching(/^.{43}$/),
    nonce: expect.stringMatching(/^.{43}$/),
  });
  const cookie = String(headers["set-cookie"]);
  expect(cookie).toMatch(/^hearback-oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  for (const secret of ["state", "nonce"]) expect(cookie).not.toContain(url.searchParams.get(secret));
});

describe("a user returning from the provider", () => {
  test("is signed in and activated, with an audit entry", async () => {
    const { id, email } = await anInvited();
    vouchFor(email.toUpperCase());
    let answer: Answer | undefined;
    const entries = await auditOf(service, async () => {
      answer = await completeFlow();
    });
    expect([answer?.statusCode, answer?.headers.location]).toEqual([302, "/console/"]);
    const session = await api.inject({ url: "/session", headers: { cookie: cookiesOf(answer as Answer) } });
    expect(session.json()).toMatchObject({ user: { id }, signed_in_by: "oidc", has_password: false });
    expect(entries).toMatchObject([
      { action: "provider.linked", actor_type: "user", subject_id: id },
      { action: "session.created", actor_type: "user", data: { signed_in_by: "oidc", address: "127.0.0.1" } },
    ]);
    const { rows } = await service.admin.query("select status from app_user where id = $1", [id]);
    expect(rows).toEqual([{ status: "active" }]);
  });

  test("accepts the invitation, while a password reset link stays valid", async () => {
    const createToken = async (kind: "invitation" | "reset", { id }: { id: string }) => {
      const link = { userId: id, kind, handedOver: true };
      const { url } = await inWorkspace(app, workspaceId, (tx) => createLink(app, tx, operatorIn(workspaceId), link));
      return url.split("#")[1] ?? "";
    };
    const look = async (token: string) =>
      (await api.inject({ method: "POST", url: "/session/link/look", payload: { token } })).statusCode;
    const [invited, known] = [await anInvited(), await createTestUser(app, workspaceId)];
    const [invitation, reset] = [await createToken("invitation", invited), await createToken("reset", known)];
    for (const { email } of [invited, known]) {
      vouchFor(email);
      expect((await completeFlow()).headers.location).toBe("/console/");
    }
    expect([await look(invitation), await look(reset)]).toEqual([404, 200]);
  });

  test("chooses a workspace if the email address exists in several", async () => {
    const { workspaceId: other } = await service.anotherWorkspace();
    const { email } = await anInvited();
    await anInvited(email, other);
    vouchFor(email);
    const location = String((await completeFlow()).headers.location);
    const [page, fragment] = location.split("#workspaces=");
    const choice = JSON.parse(Buffer.from(fragment ?? "", "base64url").toString());
    expect([page, choice]).toEqual([
      "/console/sign-in",
      expect.arrayContaining([
        { id: workspaceId, name: "Acme" },
        { id: other, name: "Other" },
      ]),
    ]);
    const answer = await completeFlow(`?workspace_id=${other}`);
    const session = await api.inject({ url: "/session", headers: { cookie: cookiesOf(answer) } });
    expect(session.json()).toMatchObject({ workspace: { id: other } });
    expect((await completeFlow(`?workspace_id=${randomUUID()}`)).headers.location).toBe(failed("oidc_unknown_person"));
  });

  test("is found by the email address of the userinfo endpoint if the token has none", async () => {
    const { email } = await anInvited();
    provider.behave({ userinfo: { email, email_verified: true } });
    expect((await completeFlow()).headers.location).toBe("/console/");
    provider.behave({ userinfo: { email, email_verified: true, sub: "somebody else" } });
    expect((await completeFlow()).headers.location).toBe(failed("oidc_refused"));
  });
});

describe("the provider account", () => {
  const linkedTo = async (answer: Answer) =>
    (await api.inject({ url: "/session", headers: { cookie: cookiesOf(answer) } })).json().user?.id;

  test("is linked at the first sign-in; another one with the same email address is refused and audited", async () => {
    const { id, email } = await anInvited();
    vouchFor(email, { sub: "first" });
    expect(await linkedTo(await completeFlow())).toBe(id);
    const before = await sessions();
    vouchFor(email, { sub: "second" });
    const entries = await auditOf(service, async () => {
      expect((await completeFlow()).headers.location).toBe(failed("oidc_other_account"));
    });
    expect(entries).toMatchObject([
      { action: "session.failed", subject_id: id, data: { address: "127.0.0.1", reason: "other_account" } },
    ]);
    expect(await sessions()).toBe(before);
  });

  test("does not match an email address that is equal only under Unicode case folding", async () => {
    await anInvited("kate@example.com");
    vouchFor("\u212aate@example.com");
    expect((await completeFlow()).headers.location).toBe(failed("oidc_unknown_person"));
  });

  test("stays linked when its email address changes, even to that of another user", async () => {
    const [{ id, email }, other] = [await anInvited(), await anInvited()];
    for (const claims of [{ email }, { email: other.email }, { email: `${randomUUID()}@example.com` }, {}]) {
      provider.behave({ claims: { sub: "kept", email_verified: true, ...claims }, userinfo: { sub: "kept" } });
      expect(await linkedTo(await completeFlow())).toBe(id);
    }
  });

  test("only one of two concurrent accounts with the same email address is linked", async () => {
    const { email } = await anInvited();
    const begun = await Promise.all(
      ["one", "two"].map(async (sub) => {
        vouchFor(email, { sub });
        const start = await begin();
        return { sub, cookie: cookiesOf(start), query: provider.visit(String(start.headers.location), { sub }) };
      }),
    );
    vouchFor(email);
    const answers = await Promise.all(begun.map(({ query, cookie }) => comeBack(query, cookie)));
    expect(answers.map(({ headers }) => headers.location).sort()).toEqual(["/console/", failed("oidc_other_account")]);
  });

  test("can be unlinked by an administrator, which ends the user's sessions; the next account is linked", async () => {
    const { id, email } = await anInvited();
    vouchFor(email, { sub: "old account" });
    const old = await completeFlow();
    const key = await service.key("manage");
    const unlink = () => api.inject({ method: "DELETE", url: `/users/${id}/provider`, headers: { "x-api-key": key } });
    const entries = await auditOf(service, async () => expect((await unlink()).statusCode).toBe(204));
    expect(entries).toMatchObject([{ action: "provider.unlinked", subject_id: id }]);
    expect(await auditOf(service, unlink)).toEqual([]);
    vouchFor(email, { sub: "new account" });
    expect(await linkedTo(await completeFlow())).toBe(id);
    await sleep(600);
    expect(await linkedTo(old)).toBeUndefined();
    vouchFor(email, { sub: "old account" });
    expect((await completeFlow()).headers.location).toBe(failed("oidc_other_account"));
  });
});

describe("confirming a session with the provider", () => {
  const now = () => Math.floor(Date.now() / 1000);
  /** A user without a password, whose sign-in at the provider was an hour ago. */
  async function signedInBySso() {
    const { email } = await anInvited();
    vouchFor(email, { auth_time: now() - 3600 });
    const cookie = cookiesOf(await completeFlow());
    return { email, cookie, headers: { cookie, origin: app.config.publicUrl } };
  }
  async function confirm(cookie: string) {
    const begun = await api.inject({ url: "/session/oidc?confirm=true", headers: { cookie } });
    const answer = await comeBack(provider.visit(String(begun.headers.location)), `${cookiesOf(begun)}; ${cookie}`);
    return { asked: new URL(String(begun.headers.location)).searchParams, location: answer.headers.location };
  }
  const choose = (headers: Record<string, string>) =>
    api.inject({
      method: "POST",
      url: "/session/password",
      headers,
      payload: { new_password: "violet train under a bridge" },
    });

  test("re-authenticates the user, who can then set a first password", async () => {
    const { email, cookie, headers } = await signedInBySso();
    expect((await choose(headers)).json()).toMatchObject({ code: "confirmation_needed", confirm_by: ["oidc"] });
    vouchFor(email, { auth_time: now() });
    const { asked, location } = await confirm(cookie);
    expect([asked.get("prompt"), asked.get("max_age"), location]).toEqual(["login", "0", "/console/account"]);
    expect((await choose(headers)).statusCode).toBe(204);
  });

  test.each([
    ["did not re-authenticate the user", () => ({ auth_time: now() - 3600 }), "oidc_not_fresh"],
    ["sends no auth_time", () => ({}), "oidc_not_fresh"],
    ["authenticates another account", () => ({ auth_time: now(), sub: "another" }), "oidc_other_account"],
  ])("fails if the provider %s", async (_, claims, code) => {
    const { email, cookie, headers } = await signedInBySso();
    vouchFor(email, claims());
    expect((await confirm(cookie)).location).toBe(`/console/account?failed=${code}`);
    expect((await choose(headers)).json()).toMatchObject({ code: "confirmation_needed" });
  });

  test("cannot be started without a session, from another site or for another session", async () => {
    const [one, other] = [await signedInBySso(), await signedInBySso()];
    const start = (headers: Record<string, string>) => api.inject({ url: "/session/oidc?confirm=true", headers });
    expect((await start({})).statusCode).toBe(401);
    expect((await start({ cookie: one.cookie, "sec-fetch-site": "cross-site" })).statusCode).toBe(403);
    vouchFor(one.email, { auth_time: now() });
    const begun = await start({ cookie: one.cookie });
    const query = provider.visit(String(begun.headers.location));
    const answer = await comeBack(query, `${cookiesOf(begun)}; ${other.cookie}`);
    expect(answer.headers.location).toBe(failed("oidc_expired"));
  });
});

describe("sign-in is refused", () => {
  test.each([
    ["for a user of no workspace", {}, "oidc_unknown_person"],
    ["without an email address", { email: undefined }, "oidc_unknown_person"],
    ["with an unverified email address", { email_verified: false }, "oidc_unverified"],
    ["without email_verified", { email_verified: undefined }, "oidc_unverified"],
    ["if email_verified is not a boolean", { email_verified: "true" }, "oidc_unverified"],
  ])("%s", async (_, claims, code) => {
    vouchFor(`${randomUUID()}@example.com`, claims);
    const before = await sessions();
    expect((await completeFlow()).headers.location).toBe(failed(code));
    expect(await sessions()).toBe(before);
  });

  test("for deactivated users and unverified email addresses; the latter is audited", async () => {
    const { id, email } = await anInvited();
    vouchFor(email, { email_verified: false });
    expect(await auditOf(service, () => completeFlow())).toMatchObject([
      { action: "session.failed", subject_id: id, data: { address: "127.0.0.1" } },
    ]);
    await changeUser(app, operatorIn(workspaceId), id, { deactivated: true });
    vouchFor(email);
    expect((await completeFlow()).headers.location).toBe(failed("oidc_unknown_person"));
  });

  test.each([
    ["has another issuer", { claims: { iss: "http://127.0.0.1:1" } }],
    ["is for another client", { claims: { aud: "another" } }],
    ["has another nonce", { claims: { nonce: "another" } }],
    ["has expired", { claims: { exp: 1 } }],
    ["is signed with another key", { foreignKey: true }],
    ["is not signed", { unsigned: true }],
  ])(
    "for a token that %s",
    async (_, { claims, ...how }: { claims?: object; foreignKey?: boolean; unsigned?: boolean }) => {
      const { email } = await anInvited();
      provider.behave({ ...how, claims: { email, email_verified: true, ...claims } });
      const before = await sessions();
      expect((await completeFlow()).headers.location).toBe(failed("oidc_refused"));
      expect(await sessions()).toBe(before);
    },
  );

  test("for a replayed callback, even with its original cookie", async () => {
    vouchFor((await anInvited()).email);
    const begun = await begin();
    const query = provider.visit(String(begun.headers.location));
    const first = await comeBack(query, cookiesOf(begun));
    expect(String(first.headers["set-cookie"])).toContain("hearback-oidc=; Path=/; Max-Age=0");
    const asked = provider.requestCounts.get("/token");
    for (const cookie of ["", cookiesOf(begun)]) {
      expect((await comeBack(query, cookie)).headers.location).toBe(failed("oidc_expired"));
    }
    expect(provider.requestCounts.get("/token")).toBe(asked);
  });

  test("for a callback of another browser or a modified cookie", async () => {
    vouchFor((await anInvited()).email);
    const [mine, theirs] = [await begin(), await begin()];
    const query = provider.visit(String(theirs.headers.location));
    // Not the last character: some of its bits are padding.
    const meddled = cookiesOf(theirs).replace(/.(?=.{20}$)/, (letter) => (letter === "A" ? "B" : "A"));
    const cookies = ["", cookiesOf(mine), meddled, "hearback-oidc=AAAA", `${cookiesOf(theirs)}; ${cookiesOf(mine)}`];
    for (const cookie of cookies) {
      expect((await comeBack(query, cookie)).headers.location).toBe(failed("oidc_expired"));
    }
    expect((await comeBack(query, cookiesOf(theirs))).headers.location).toBe("/console/");
  });

  test("for a callback with a wrong or missing issuer", async () => {
    vouchFor((await anInvited()).email);
    for (const wrong of [/iss=[^&]+/, /&iss=[^&]+/]) {
      const begun = await begin();
      const query = provider
        .visit(String(begun.headers.location))
        .replace(wrong, wrong.source.startsWith("&") ? "" : "iss=http%3A%2F%2Fa.example");
      expect((await comeBack(query, cookiesOf(begun))).headers.location).toBe(failed("oidc_refused"));
    }
  });

  test.each([
    ["access_denied", "oidc_refused"],
    ["temporarily_unavailable", "oidc_away"],
  ])("if the provider returns the error %s", async (error, code) => {
    const begun = await begin();
    const state = new URL(String(begun.headers.location)).searchParams.get("state") ?? "";
    const query = String(new URLSearchParams({ error, state, iss: provider.issuer }));
    expect((await comeBack(query, cookiesOf(begun))).headers.location).toBe(failed(code));
  });

  test.each([
    [400, "oidc_refused"],
    [503, "oidc_away"],
  ])("if the token endpoint returns %i", async (tokenStatus, code) => {
    provider.behave({ tokenStatus });
    expect((await completeFlow()).headers.location).toBe(failed(code));
  });
});

test("an unreachable, slow or misconfigured provider does not affect other sign-ins, and is retried", async () => {
  const another = await openSignInProvider();
  const { api: other, log } = await openTestApp({ ...settings, OIDC_ISSUER: another.issuer });
  expect((await other.inject("/session/options")).json().oidc).toEqual({ name: "127.0.0.1" });
  for (const how of [{ metadata: { issuer: "http://127.0.0.1:1" } }, { silent: true }]) {
    another.behave(how);
    expect((await begin("", other)).headers.location).toBe(failed("oidc_away"));
  }
  expect(log()).toContain("sign-in with provider failed");
  another.behave({});
  const [one, two] = await Promise.all([begin("", other), begin("", other)]);
  expect([one, two].map(({ headers }) => String(headers.location).startsWith(another.issuer))).toEqual([true, true]);
  expect(another.requestCounts.get("/.well-known/openid-configuration")).toBe(3);
}, 20_000);

test("a throttled network cannot complete the flow, and successful sign-ins are not counted", async () => {
  const { email } = await anInvited();
  vouchFor(email);
  const count = {
    digest: throttleDigest("address", "127.0.0.1"),
    found: "select tries from sign_in_guess where digest = $1",
  };
  const counted = async () => (await service.admin.query(count.found, [count.digest])).rows[0]?.tries ?? 0;
  const before = await counted();
  expect((await completeFlow()).headers.location).toBe("/console/");
  expect(await counted()).toBe(before);
  await service.admin.query("update sign_in_guess set blocked_until = now() + interval '1 minute' where digest = $1", [
    count.digest,
  ]);
  expect((await completeFlow()).headers.location).toBe(failed("sign_in_limited"));
});

test("the routes return 404 without a provider", async () => {
  const { api: plain } = await openTestApp();
  for (const url of ["/session/oidc", "/session/oidc/callback?code=a"]) {
    expect((await plain.inject(url)).json().code).toBe("not_found");
  }
});

test("provider responses are not logged", () => {
  for (const word of ["@example.com", "code=", "state="]) expect(service.log()).not.toContain(word);
});
