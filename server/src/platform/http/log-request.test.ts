import { expect, test } from "vitest";
import { openTestApp } from "../../testing/test-app.ts";
import { createTestUser, signedIn } from "../../testing/users.ts";

const { app, api, key, caller, log } = await openTestApp();

interface Line {
  readonly msg: string;
  readonly route: string;
  readonly status: number;
  readonly code?: string;
  readonly client?: string;
  readonly caller?: object;
  readonly fields?: readonly string[];
}

/** The last request log line. */
const lastLine = (): Line =>
  log()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)
    .findLast(({ msg }) => msg === "request") as Line;

test("logs a rejected API key with the error code and a pseudonym of the client's address", async () => {
  const refuse = async (remoteAddress: string) => {
    await api.inject({ method: "GET", url: "/calls", headers: { "x-api-key": "wrong" }, remoteAddress });
    expect(lastLine()).toMatchObject({ status: 401, code: "unauthenticated", client: expect.any(String) });
    return lastLine().client;
  };
  const client = await refuse("127.0.0.9");
  expect(await refuse("127.0.0.9")).toBe(client);
  expect(await refuse("127.0.0.8")).not.toBe(client);
  expect(log()).not.toContain("127.0.0.9");
});

test("logs a failed sign-in, although the route is public", async () => {
  const payload = { email: "nobody@example.com", password: "wrong horse battery" };
  await api.inject({ method: "POST", url: "/session", payload, remoteAddress: "127.0.0.9" });
  expect(lastLine()).toMatchObject({ route: "/session", status: 401, code: "sign_in_failed" });
  expect(lastLine().client).toMatch(/^[0-9a-f]{12}$/);
  expect(log()).not.toContain("nobody@example.com");
});

test("logs an API key that lacks the scope by its id and workspace", async () => {
  const apiKey = await key("import");
  await api.inject({ method: "GET", url: "/keys", headers: { "x-api-key": apiKey } });
  const { workspaceId } = caller;
  expect(lastLine()).toMatchObject({ status: 403, code: "scope_missing", caller: { kind: "key", workspaceId } });
  expect(lastLine().client).toBeUndefined();
  expect(log()).not.toContain(apiKey);
});

test("logs a user who lacks the role by their id", async () => {
  const { id, email } = await createTestUser(app, caller.workspaceId, { role: "reviewer" });
  await api.inject({ method: "GET", url: "/keys", headers: await signedIn(api, email) });
  expect(lastLine()).toMatchObject({ status: 403, code: "role_missing", caller: { kind: "session", id } });
});

test("logs which fields of a request were refused and why, never their values or names that the caller made up", async () => {
  const headers = { "x-api-key": await key("manage", "read") };
  const payload = { name: "", "+33612345678": 1, retention_days: "secret" };
  await api.inject({ method: "PATCH", url: "/campaigns/support-fr", headers, payload });
  expect(lastLine()).toMatchObject({ status: 422, code: "fields_invalid" });
  expect(lastLine().fields).toEqual(
    expect.arrayContaining(["name: too_short", "retention_days: wrong_type", "unknown_member"]),
  );
  await api.inject({ method: "GET", url: "/calls?limit=0&metadata[0612345678]=", headers });
  expect(lastLine().fields).toContain("limit: invalid");
  expect(log()).not.toMatch(/0?6123456|secret/);
  await api.inject({ method: "GET", url: "/limits", headers });
  expect(lastLine()).not.toHaveProperty("fields");
});
