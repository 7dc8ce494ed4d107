import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openApi } from "../../api.ts";
import { createCampaign } from "../../campaigns/create-campaign.ts";
import { operatorIn } from "../../platform/actor.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { callImporter } from "../../testing/import-calls.ts";
import { openTestApp } from "../../testing/test-app.ts";
import { aPassword, cookieOf, createTestUser, signedIn } from "../../testing/users.ts";
import { changeUser } from "../../users/change-user.ts";
import { changeWorkspace } from "../../workspaces/change-workspace.ts";
import { startSession } from "./start-session.ts";

const service = await openTestApp();
const { app, api, caller } = service;
const { workspaceId } = caller;
const by = operatorIn(workspaceId);

const post = (payload: unknown, headers: Record<string, string> = {}) =>
  api.inject({ method: "POST", url: "/session", payload: payload as object, headers });
const get = (url: string, headers: Record<string, string> = {}) => api.inject({ method: "GET", url, headers });
/** Longer than the cache TTL. */
const cacheExpiry = () => sleep(600);

test("the sign-in options report that setup is needed", async () => {
  expect((await get("/session/options")).json()).toEqual({
    password: true,
    oidc: null,
    passkeys: false,
    setup_needed: true,
    mail: false,
  });
  await createTestUser(app, workspaceId);
  await expect
    .poll(async () => (await get("/session/options")).json(), { timeout: 4_000 })
    .toMatchObject({
      setup_needed: false,
    });
});

describe("sign-in", () => {
  test("sets an HttpOnly cookie that is valid until sign-out", async () => {
    const { id, email } = await createTestUser(app, workspaceId, { role: "reviewer" });
    const answer = await post({ email: ` ${email.toUpperCase()} `, password: aPassword });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      200,
      {
        user: { id, email, role: "reviewer" },
        workspace: { id: workspaceId, name: "Acme" },
        signed_in_by: "password",
        has_password: true,
      },
    ]);
    const flags = String(answer.headers["set-cookie"]).split("; ").slice(1);
    expect(flags).toEqual([
      "Path=/",
      expect.stringMatching(/^Max-Age=6047\d\d$|^Max-Age=604800$/),
      "HttpOnly",
      "SameSite=Lax",
    ]);
    const headers = { cookie: cookieOf(answer), origin: "http://localhost:80", host: "localhost:80" };
    expect((await get("/session", headers)).json()).toEqual(answer.json());
    const out = await api.inject({ method: "DELETE", url: "/session", headers });
    expect([out.statusCode, out.headers["set-cookie"]]).toEqual([
      204,
      expect.stringMatching(/^hearback=; .*Max-Age=0/),
    ]);
    await cacheExpiry();
    expect((await get("/session", headers)).json()).toMatchObject({ code: "unauthenticated" });
  });

  test("fails with the same error for a wrong password, unknown, deactivated and passwordless users", async () => {
    const known = await createTestUser(app, workspaceId);
    const gone = await createTestUser(app, workspaceId);
    await changeUser(app, by, gone.id, { deactivated: true });
    const tries = [
      { email: known.email, password: "wrong horse battery" },
      { email: "nobody@example.com", password: aPassword },
      { email: gone.email, password: aPassword },
      { email: service.agentEmail, password: aPassword },
    ];
    const answers = await Promise.all(tries.map((one) => post(one)));
    const told = answers.map((answer) => ({ ...answer.json(), request_id: "" }));
    expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(told[0]).toMatchObject({ status: 401, code: "sign_in_failed" });
    expect(answers.map(({ headers }) => headers["set-cookie"])).toEqual(tries.map(() => undefined));
  });

  test("asks for the workspace if the password is valid in several", async () => {
    const other = await service.anotherWorkspace();
    const { email } = await createTestUser(app, workspaceId);
    await createTestUser(app, other.workspaceId, { email });
    const asked = await post({ email, password: aPassword });
    expect(asked.json()).toMatchObject({ status: 409, code: "workspace_ambiguous" });
    expect(
      asked
        .json()
        .workspaces.map(({ id }: { id: string }) => id)
        .sort(),
    ).toEqual([workspaceId, other.workspaceId].sort());
    const signedInThere = await post({ email, password: aPassword, workspace_id: other.workspaceId });
    expect(signedInThere.json()).toMatchObject({ workspace: { id: other.workspaceId } });
  });
});

describe("a session", () => {
  test("does not start if the password changed or the user was deactivated after verification", async () => {
    const { id: userId } = await createTestUser(app, workspaceId);
    const begin = (passwordHash?: string) =>
      inWorkspace(app, workspaceId, (tx) =>
        startSession(app, tx, {
          workspaceId,
          userId,
          signedInBy: "password",
          userAgent: undefined,
          address: "127.0.0.1",
          ...(passwordHash && { passwordHash }),
        }),
      );
    await expect(begin("of before")).rejects.toMatchObject({ code: "sign_in_failed" });
    await expect(begin()).resolves.toMatchObject({ workspaceId });
    await changeUser(app, by, userId, { deactivated: true });
    await expect(begin()).rejects.toMatchObject({ code: "sign_in_failed" });
  });

  test("ends on every process within a second; deactivation and role changes take effect as well", async () => {
    const another = await openApi(app);
    const { id, email } = await createTestUser(app, workspaceId, { role: "admin" });
    const headers = await signedIn(api, email);
    const onOther = (url: string) => another.inject({ method: "GET", url, headers });
    expect((await onOther("/keys")).statusCode).toBe(200);
    await changeUser(app, by, id, { role: "reviewer" });
    await cacheExpiry();
    expect((await onOther("/keys")).json()).toMatchObject({ status: 403, code: "role_missing" });
    expect((await onOther("/calls")).statusCode).toBe(200);
    await changeUser(app, by, id, { deactivated: true });
    await cacheExpiry();
    expect((await onOther("/calls")).statusCode).toBe(401);
    await changeUser(app, by, id, { deactivated: false });
    await cacheExpiry();
    expect((await onOther("/calls")).statusCode).toBe(401);
    await another.close();
  });

  test.each([
    ["another origin", { origin: "https://evil.example" }],
    ["no origin", {}],
    ["a null origin", { origin: "null" }],
  ])("is refused for a change with %s", async (_, headers) => {
    const { email } = await createTestUser(app, workspaceId);
    const { cookie = "" } = await signedIn(api, email);
    const answer = await api.inject({
      method: "POST",
      url: "/campaigns",
      payload: { id: "c", name: "C" },
      headers: { cookie, ...headers },
    });
    expect(answer.json()).toMatchObject({ status: 403, code: "origin_forbidden" });
    const read = await get("/calls", { cookie, "sec-fetch-site": "cross-site" });
    expect(read.json()).toMatchObject({ status: 403, code: "origin_forbidden" });
  });

  test("is ignored if the request has an API key, even a wrong one", async () => {
    const { email } = await createTestUser(app, workspaceId);
    const headers = await signedIn(api, email);
    expect((await get("/keys", { ...headers, "x-api-key": "wrong" })).statusCode).toBe(401);
    const key = await service.key("read");
    expect((await get("/keys", { ...headers, "x-api-key": key })).json()).toMatchObject({ code: "scope_missing" });
    expect((await get("/session", { "x-api-key": key })).json()).toMatchObject({ code: "session_needed" });
  });

  test("is refused if the cookie is sent twice", async () => {
    const { email } = await createTestUser(app, workspaceId);
    const { cookie } = await signedIn(api, email);
    expect((await get("/session", { cookie: `hearback=${"A".repeat(43)}; ${cookie}` })).statusCode).toBe(401);
  });
});

test("an agent finds only their own calls", async () => {
  const own = await createTestUser(app, workspaceId, { role: "agent" });
  const importCall = await callImporter(service);
  const mine = [(await importCall({ agentEmail: own.email })).id, (await importCall({ agentEmail: own.email })).id];
  const others = [(await importCall()).id, (await importCall()).id];
  const headers = await signedIn(api, own.email);
  const found = (await get("/calls?limit=200", headers)).json();
  expect(found.calls.map(({ id }: { id: string }) => id).sort()).toEqual(mine.toSorted());
  expect((await get(`/calls?agent=${service.agentEmail}`, headers)).json()).toEqual({ calls: [], next: null });
  const strange = await get(`/calls/${others[0]}`, headers);
  const never = await get("/calls/0190f3c2-7a55-7f0e-9d8e-0c8f5c3f8a11", headers);
  expect({ ...strange.json(), request_id: "" }).toEqual({ ...never.json(), request_id: "" });
  await createCampaign(app, by, { id: "others", name: "Others", agentChannel: null });
  const campaigns = (await get("/campaigns", headers)).json().campaigns;
  expect(campaigns.map(({ id }: { id: string }) => id)).toEqual([service.campaignId]);
  expect((await get(`/campaigns/${service.campaignId}`, headers)).statusCode).toBe(200);
  expect((await get("/campaigns/others", headers)).json()).toMatchObject({ status: 404, code: "campaign_not_found" });
  expect((await get(`/calls/${mine[0]}`, headers)).statusCode).toBe(200);
  const download = (id = "") => get(`/calls/${id}/audio?original=true`, headers);
  expect((await download(mine[0])).json()).toMatchObject({ status: 403, code: "download_forbidden" });
  expect((await get("/session", headers)).json()).toMatchObject({ can_download: false });
  await changeWorkspace(app, by, { settings: { agents_can_download: true } });
  expect((await download(mine[0])).statusCode).toBe(200);
  expect((await download(others[0])).statusCode).toBe(404);
  expect((await get("/session", headers)).json()).toMatchObject({ can_download: true });
});
