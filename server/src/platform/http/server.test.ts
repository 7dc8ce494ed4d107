import { expect, test } from "vitest";
import { openTestApp } from "../../testing/test-app.ts";

const { api, key } = await openTestApp();
const apiKey = await key("import", "read", "manage");
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
const ask = (method: Method, url: string, headers: Record<string, string> = {}) => api.inject({ method, url, headers });

test.each([
  ["PUT", "/calls/audio", "POST"],
  ["GET", "/calls/audio?dry_run=true", "POST"],
  ["GET", "/users/invite", "POST"],
  ["OPTIONS", "/users/invite", "POST"],
  ["PUT", "/users/7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d", "GET, HEAD, PATCH"],
  ["DELETE", "/calls", "GET, HEAD"],
  ["POST", "/console/", "GET, HEAD"],
  ["POST", "/openapi.json", "GET, HEAD"],
] as const)("%s %s is 405, with the allowed methods %s", async (method, url, allow) => {
  const answer = await ask(method, url);
  expect([answer.statusCode, answer.headers.allow, answer.json().code]).toEqual([405, allow, "method_not_allowed"]);
  expect(answer.json().detail).toBe(
    `This path exists, but not with the method ${method}. Use ${allow.replaceAll(", ", " or ")}.`,
  );
});

test.each(["/users/invited/now", "/calls/audio/", "/v1/calls/audio"])("%s is 404 with any method", async (url) => {
  for (const method of ["GET", "POST", "DELETE"] as const) {
    const answer = await ask(method, url);
    expect([answer.statusCode, answer.headers.allow, answer.json().code]).toEqual([404, undefined, "not_found"]);
  }
});

test("an empty body of type JSON is accepted where no body is needed", async () => {
  const headers = { "x-api-key": apiKey, "content-type": "application/json" };
  const { id } = (
    await api.inject({ method: "POST", url: "/keys", headers, payload: { name: "short-lived", scopes: ["read"] } })
  ).json();
  expect((await ask("GET", "/users", headers)).statusCode).toBe(200);
  expect((await ask("POST", `/keys/${id}/rotate`, headers)).statusCode).toBe(201);
  const revoked = await ask("DELETE", `/keys/${id}`, headers);
  expect(revoked.statusCode, revoked.body).not.toBe(400);
  const invited = await ask("POST", "/users/invite", headers);
  expect([invited.statusCode, invited.json().code]).toEqual([400, "json_malformed"]);
  expect(invited.json().detail).toContain("The request has no body.");
});

test("a 401 says which header is missing and shows its form, and not why a key is wrong", async () => {
  const missing = (await ask("GET", "/users", { authorization: "Bearer hb_c0_x" })).json();
  expect(missing.detail).toMatch(/has no x-api-key header.*`x-api-key: hb_…`.*Authorization/);
  const wrong = (await ask("GET", "/users", { "x-api-key": "letmein" })).json();
  expect([wrong.code, wrong.detail]).toEqual([missing.code, expect.stringContaining("`x-api-key: hb_…`")]);
  expect((await ask("GET", "/sessions")).json().detail).toContain("Sign in");
});
