import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { operatorIn } from "../platform/actor.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { auditOf } from "../testing/asking.ts";
import { aPerson } from "../testing/people.ts";
import { clientSecret, openSignInProvider } from "../testing/sign-in-provider.ts";
import { openTestApp } from "../testing/test-app.ts";
import { changeUser } from "../users/change-user.ts";
import { inviteUser } from "../users/invite-user.ts";
import { makeLink } from "../users/make-link.ts";
import { guessDigest } from "./guess.ts";

const provider = await openSignInProvider();
const settings = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: "hearback", OIDC_CLIENT_SECRET: clientSecret };
const service = await openTestApp({ ...settings, OIDC_NAME: "Acme" });
const { app, api, caller } = service;
const { workspaceId } = caller;

type Answer = Awaited<ReturnType<typeof begin>>;
/** The cookies that an answer leaves in a browser, as they are sent back. */
const cookiesOf = ({ headers }: { headers: Record<string, unknown> }) =>
  [headers["set-cookie"] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(";")[0] ?? "")
    .filter((cookie) => !cookie.endsWith("="))
    .join("; ");
const begin = (query = "", from = api) => from.inject({ url: `/session/oidc${query}` });
const comeBack = (query: string, cookie: string) =>
  api.inject({ url: `/session/oidc/callback?${query}`, headers: { cookie, "user-agent": "Firefox" } });
/** A whole journey: there, and back in the same browser. */
async function journey(query = ""): Promise<Answer> {
  const begun = await begin(query);
  return comeBack(provider.visit(String(begun.headers.location)), cookiesOf(begun));
}
async function anInvited(email = `${randomUUID()}@example.com`, place = workspaceId) {
  const user = { email, name: "Ann Lee", role: "reviewer", sendInvitation: false } as const;
  return inviteUser(app, operatorIn(place), user);
}
const vouchFor = (email: string, more: object = {}) =>
  provider.behave({ claims: { email, email_verified: true, ...more } });
const failed = (code: string) => `/console/sign-in?failed=${code}`;
const sessions = async () => (await service.admin.query("select 1 from session")).rowCount;

test("the page for signing in is told of it", async () => {
  expect((await api.inject("/session/options")).json()).toMatchObject({
    ...{ oidc: { name: "Acme" }, setup_needed: false },
  });
});

test("leads to the provider with everything that makes an answer ours", async () => {
  const { statusCode, headers } = await begin();
  const url = new URL(String(headers.location));
  expect([statusCode, url.origin + url.pathname]).toEqual([302, `${provider.issuer}/auth`]);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    ...{ client_id: "hearback", response_type: "code", scope: "openid email", code_challenge_method: "S256" },
    redirect_uri: `${app.config.publicUrl}/session/oidc/callback`,
    state: expect.stringMatching(/^.{43}$/),
    nonce: expect.stringMatching(/^.{43}$/),
  });
  const cookie = String(headers["set-cookie"]);
  expect(cookie).toMatch(/^hearback-oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/);
  for (const secret of ["state", "nonce"]) expect(cookie).not.toContain(url.searchParams.get(secret));
});

describe("whoever comes back", () => {
  test("is signed in, is active from then on, and it is in the audit log", async () => {
    const { id, email } = await anInvited();
    vouchFor(email.toUpperCase());
    let answer: Answer | undefined;
    const entries = await auditOf(service, async () => {
      answer = await journey();
    });
    expect([answer?.statusCode, answer?.headers.location]).toEqual([302, "/console/"]);
    const session = await api.inject({ url: "/session", headers: { cookie: cookiesOf(answer as Answer) } });
    expect(session.json()).toMatchObject({ user: { id }, signed_in_by: "oidc", has_password: false });
    expect(entries).toMatchObject([{ action: "session.created", actor_type: "user", data: { signed_in_by: "oidc" } }]);
    const { rows } = await service.admin.query("select status from app_user where id = $1", [id]);
    expect(rows).toEqual([{ status: "active" }]);
  });

  test("uses up the invitation; a link to choose another password stays", async () => {
    const made = async (kind: "invitation" | "reset", { id }: { id: string }) => {
      const link = { userId: id, kind, handedOver: true };
      const { url } = await inWorkspace(app, workspaceId, (tx) => makeLink(app, tx, operatorIn(workspaceId), link));
      return url.split("#")[1] ?? "";
    };
    const look = async (token: string) =>
      (await api.inject({ method: "POST", url: "/session/link/look", payload: { token } })).statusCode;
    const [invited, known] = [await anInvited(), await aPerson(app, workspaceId)];
    const [invitation, reset] = [await made("invitation", invited), await made("reset", known)];
    for (const { email } of [invited, known]) {
      vouchFor(email);
      expect((await journey()).headers.location).toBe("/console/");
    }
    expect([await look(invitation), await look(reset)]).toEqual([404, 200]);
  });

  test("is asked where, if the address is in several workspaces", async () => {
    const { workspaceId: other } = await service.anotherWorkspace();
    const { email } = await anInvited();
    await anInvited(email, other);
    vouchFor(email);
    const location = String((await journey()).headers.location);
    const [page, fragment] = location.split("#workspaces=");
    const choice = JSON.parse(Buffer.from(fragment ?? "", "base64url").toString());
    expect([page, choice]).toEqual([
      "/console/sign-in",
      expect.arrayContaining([
        { id: workspaceId, name: "Acme" },
        { id: other, name: "Other" },
      ]),
    ]);
    const answer = await journey(`?workspace_id=${other}`);
    const session = await api.inject({ url: "/session", headers: { cookie: cookiesOf(answer) } });
    expect(session.json()).toMatchObject({ workspace: { id: other } });
    expect((await journey(`?workspace_id=${randomUUID()}`)).headers.location).toBe(failed("oidc_unknown_person"));
  });

  test("whose address is told only to who asks is asked about", async () => {
    const { email } = await anInvited();
    provider.behave({ userinfo: { email, email_verified: true } });
    expect((await journey()).headers.location).toBe("/console/");
    provider.behave({ userinfo: { email, email_verified: true, sub: "somebody else" } });
    expect((await journey()).headers.location).toBe(failed("oidc_refused"));
  });
});

describe("nobody is signed in", () => {
  test.each([
    ["who is of no workspace", {}, "oidc_unknown_person"],
    ["who has no address", { email: undefined }, "oidc_unknown_person"],
    ["whose address is nobody's of whom the provider is sure", { email_verified: false }, "oidc_unverified"],
    ["of whose address the provider says nothing", { email_verified: undefined }, "oidc_unverified"],
    ["of whose address it says it in another way", { email_verified: "true" }, "oidc_unverified"],
  ])("%s", async (_, claims, code) => {
    vouchFor(`${randomUUID()}@example.com`, claims);
    const before = await sessions();
    expect((await journey()).headers.location).toBe(failed(code));
    expect(await sessions()).toBe(before);
  });

  test("who is deactivated, or only says to be somebody; the latter is in the audit log", async () => {
    const { id, email } = await anInvited();
    vouchFor(email, { email_verified: false });
    expect(await auditOf(service, () => journey())).toMatchObject([{ action: "session.failed", subject_id: id }]);
    await changeUser(app, operatorIn(workspaceId), id, { deactivated: true });
    vouchFor(email);
    expect((await journey()).headers.location).toBe(failed("oidc_unknown_person"));
  });

  test.each([
    ["is of another issuer", { claims: { iss: "http://127.0.0.1:1" } }],
    ["is for another client", { claims: { aud: "another" } }],
    ["is of another journey", { claims: { nonce: "another" } }],
    ["has ended", { claims: { exp: 1 } }],
    ["is signed by somebody else", { foreignKey: true }],
    ["is not signed", { unsigned: true }],
  ])(
    "by a token that %s",
    async (_, { claims, ...how }: { claims?: object; foreignKey?: boolean; unsigned?: boolean }) => {
      const { email } = await anInvited();
      provider.behave({ ...how, claims: { email, email_verified: true, ...claims } });
      const before = await sessions();
      expect((await journey()).headers.location).toBe(failed("oidc_refused"));
      expect(await sessions()).toBe(before);
    },
  );

  test("by an answer that was given already, also with the cookie that it came with", async () => {
    vouchFor((await anInvited()).email);
    const begun = await begin();
    const query = provider.visit(String(begun.headers.location));
    const first = await comeBack(query, cookiesOf(begun));
    expect(String(first.headers["set-cookie"])).toContain("hearback-oidc=; Path=/; Max-Age=0");
    const asked = provider.asked.get("/token");
    for (const cookie of ["", cookiesOf(begun)]) {
      expect((await comeBack(query, cookie)).headers.location).toBe(failed("oidc_expired"));
    }
    expect(provider.asked.get("/token")).toBe(asked);
  });

  test("by an answer of another browser's journey, or with a cookie that was meddled with", async () => {
    vouchFor((await anInvited()).email);
    const [mine, theirs] = [await begin(), await begin()];
    const query = provider.visit(String(theirs.headers.location));
    // Not the last one: some of its bits mean nothing.
    const meddled = cookiesOf(theirs).replace(/.(?=.{20}$)/, (letter) => (letter === "A" ? "B" : "A"));
    const cookies = ["", cookiesOf(mine), meddled, "hearback-oidc=AAAA", `${cookiesOf(theirs)}; ${cookiesOf(mine)}`];
    for (const cookie of cookies) {
      expect((await comeBack(query, cookie)).headers.location).toBe(failed("oidc_expired"));
    }
    expect((await comeBack(query, cookiesOf(theirs))).headers.location).toBe("/console/");
  });

  test("by an answer that names another issuer, or none", async () => {
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
  ])("if the provider says %s", async (error, code) => {
    const begun = await begin();
    const state = new URL(String(begun.headers.location)).searchParams.get("state") ?? "";
    const query = String(new URLSearchParams({ error, state, iss: provider.issuer }));
    expect((await comeBack(query, cookiesOf(begun))).headers.location).toBe(failed(code));
  });

  test.each([
    [400, "oidc_refused"],
    [503, "oidc_away"],
  ])("if it answers %i", async (tokenStatus, code) => {
    provider.behave({ tokenStatus });
    expect((await journey()).headers.location).toBe(failed(code));
  });
});

test("a provider that is away, is silent or says to be another hurts nobody else, and is asked again", async () => {
  const another = await openSignInProvider();
  const { api: other, log } = await openTestApp({ ...settings, OIDC_ISSUER: another.issuer });
  expect((await other.inject("/session/options")).json().oidc).toEqual({ name: "127.0.0.1" });
  for (const how of [{ metadata: { issuer: "http://127.0.0.1:1" } }, { silent: true }]) {
    another.behave(how);
    expect((await begin("", other)).headers.location).toBe(failed("oidc_away"));
  }
  expect(log()).toContain("sign-in by provider failed");
  another.behave({});
  const [one, two] = await Promise.all([begin("", other), begin("", other)]);
  expect([one, two].map(({ headers }) => String(headers.location).startsWith(another.issuer))).toEqual([true, true]);
  expect(another.asked.get("/.well-known/openid-configuration")).toBe(3);
}, 20_000);

test("from a network that guesses too much nobody comes back, and who is vouched for is not counted", async () => {
  const { email } = await anInvited();
  vouchFor(email);
  const count = {
    digest: guessDigest("address", "127.0.0.1"),
    found: "select tries from sign_in_guess where digest = $1",
  };
  const counted = async () => (await service.admin.query(count.found, [count.digest])).rows[0]?.tries ?? 0;
  const before = await counted();
  expect((await journey()).headers.location).toBe("/console/");
  expect(await counted()).toBe(before);
  await service.admin.query("update sign_in_guess set blocked_until = now() + interval '1 minute' where digest = $1", [
    count.digest,
  ]);
  expect((await journey()).headers.location).toBe(failed("sign_in_limited"));
});

test("without a provider there is nothing there", async () => {
  const { api: plain } = await openTestApp();
  for (const url of ["/session/oidc", "/session/oidc/callback?code=a"]) {
    expect((await plain.inject(url)).json().code).toBe("not_found");
  }
});

test("what the provider says is in no log", () => {
  for (const word of ["@example.com", "code=", "state="]) expect(service.log()).not.toContain(word);
});
