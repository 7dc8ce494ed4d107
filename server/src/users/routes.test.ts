import { expect, test } from "vitest";
import { openTestApp } from "../testing/test-app.ts";

const { api, key, admin } = await openTestApp();
const importKey = await key("import");
const manageKey = await key("manage");
const person = { email: "Bob@Example.com", name: "Bob Roy", role: "agent", send_invite_email: false };

const invite = (body: unknown, apiKey = importKey, headers: Record<string, string> = {}) =>
  api.inject({
    method: "POST",
    url: "/users/invite",
    headers: { "x-api-key": apiKey, "content-type": "application/json", ...headers },
    payload: typeof body === "string" ? body : JSON.stringify(body),
  });

test("creates an agent", async () => {
  const answer = await invite(person);
  expect(answer.statusCode).toBe(201);
  expect(answer.json()).toMatchObject({
    email: "Bob@Example.com",
    name: "Bob Roy",
    role: "agent",
    status: "active",
    invitation: "not_requested",
  });
});

test("a taken e-mail is a conflict that shows the user as it stands", async () => {
  const first = (await invite({ ...person, email: "carl@example.com" })).json();
  const answer = await invite({ ...person, email: " CARL@example.com", name: "Other", role: "agent" });
  expect(answer.statusCode).toBe(409);
  expect(answer.json()).toMatchObject({ code: "user_exists", user: first });
});

test("of many who create the same agent at once, one does", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => invite({ ...person, email: "dora@example.com" })));
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, ...Array(19).fill(409)]);
  const { rows } = await admin.query("select 1 from app_user where email_key = 'dora@example.com'");
  expect(rows).toHaveLength(1);
});

test("an invitation without a mail server says so", async () => {
  const { send_invite_email: _, ...asked } = person;
  const answer = await invite({ ...asked, email: "eve@example.com" });
  expect(answer.json()).toMatchObject({ status: "invited", invitation: "not_configured" });
});

test("an import key creates agents only, a manage key anybody", async () => {
  const reviewer = { ...person, email: "finn@example.com", role: "reviewer" };
  expect((await invite(reviewer)).json()).toMatchObject({ status: 403, code: "scope_missing" });
  expect((await invite(reviewer, manageKey)).statusCode).toBe(201);
});

test("a read key may not", async () => {
  expect((await invite(person, await key("read"))).json()).toMatchObject({ status: 403, code: "scope_missing" });
});

test.each([
  ["no JSON", "{", 400, "json_malformed"],
  ["an array", [], 400, "json_malformed"],
  ["null", "null", 400, "json_malformed"],
  ["nothing", "", 400, "json_malformed"],
  ["a poisoned prototype", '{"__proto__":{"role":"admin"}}', 400, "json_malformed"],
  ["no members", {}, 400, "member_missing"],
  ["no e-mail address", { ...person, email: "bob" }, 422, "fields_invalid"],
  ["a number for a name", { ...person, name: 7 }, 422, "fields_invalid"],
  ["a blank name", { ...person, name: "  " }, 422, "fields_invalid"],
  ["a text for a boolean", { ...person, send_invite_email: "no" }, 422, "fields_invalid"],
  ["an unknown role", { ...person, role: "boss" }, 422, "fields_invalid"],
  ["a name with NUL", { ...person, name: "a\0b" }, 422, "fields_invalid"],
])("refuses a body that is %s", async (_, body, status, code) => {
  const answer = await invite(body);
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
});

test("a wrong role lists the right ones", async () => {
  const [issue] = (await invite({ ...person, role: "boss" })).json().errors;
  expect(issue).toMatchObject({ part: "role", detail: expect.stringContaining("agent, reviewer, supervisor, admin") });
});

test("every missing member is named", async () => {
  const { errors } = (await invite({ name: "x" })).json();
  expect(errors.map((issue: { part: string }) => issue.part)).toEqual(["email", "role"]);
});

test("another content type is refused", async () => {
  const answer = await invite("email=a", importKey, { "content-type": "application/x-www-form-urlencoded" });
  expect(answer.json()).toMatchObject({ status: 400, code: "content_type_wrong" });
});
