import { describe, expect, test } from "vitest";
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

test("a taken email address is a conflict that includes the existing user", async () => {
  const first = (await invite({ ...person, email: "carl@example.com" })).json();
  const answer = await invite({ ...person, email: " CARL@example.com", name: "Other", role: "agent" });
  expect(answer.statusCode).toBe(409);
  expect(answer.json()).toMatchObject({ code: "user_exists", user: first });
});

test("only ASCII case is ignored in email addresses", async () => {
  const statuses = async (...emails: string[]) => {
    const found = [];
    for (const email of emails) found.push((await invite({ ...person, email })).statusCode);
    return found;
  };
  expect(await statuses("kim@example.com", "\u212aim@example.com", "KIM@example.com")).toEqual([201, 201, 409]);
  expect(await statuses("Élan@example.com", "élan@example.com", "ÉLAN@EXAMPLE.COM")).toEqual([201, 201, 409]);
});

test("only one of many concurrent requests creates an agent", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => invite({ ...person, email: "dora@example.com" })));
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, ...Array(19).fill(409)]);
  const { rows } = await admin.query("select 1 from app_user where email_key = 'dora@example.com'");
  expect(rows).toHaveLength(1);
});

test("an invitation without a mail server is not_configured", async () => {
  const { send_invite_email: _, ...asked } = person;
  const answer = await invite({ ...asked, email: "eve@example.com" });
  expect(answer.json()).toMatchObject({ status: "invited", invitation: "not_configured" });
});

test("an import key can create agents only, a manage key any user", async () => {
  const reviewer = { ...person, email: "finn@example.com", role: "reviewer" };
  expect((await invite(reviewer)).json()).toMatchObject({ status: 403, code: "scope_missing" });
  expect((await invite(reviewer, manageKey)).statusCode).toBe(201);
});

test("a read key cannot create users", async () => {
  expect((await invite(person, await key("read"))).json()).toMatchObject({ status: 403, code: "scope_missing" });
});

test.each([
  ["malformed JSON", "{", 400, "json_malformed"],
  ["an array", [], 400, "json_malformed"],
  ["null", "null", 400, "json_malformed"],
  ["empty", "", 400, "json_malformed"],
  ["a poisoned prototype", '{"__proto__":{"role":"admin"}}', 400, "json_malformed"],
  ["an empty object", {}, 400, "member_missing"],
  ["an object with an invalid email address", { ...person, email: "bob" }, 422, "fields_invalid"],
  ["an object with a number as name", { ...person, name: 7 }, 422, "fields_invalid"],
  ["an object with a blank name", { ...person, name: "  " }, 422, "fields_invalid"],
  ["an object with a string as boolean", { ...person, send_invite_email: "no" }, 422, "fields_invalid"],
  ["an object with an unknown role", { ...person, role: "boss" }, 422, "fields_invalid"],
  ["an object with NUL in the name", { ...person, name: "a\0b" }, 422, "fields_invalid"],
])("refuses a body that is %s", async (_, body, status, code) => {
  const answer = await invite(body);
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
});

test("an invalid role lists the valid ones", async () => {
  const [issue] = (await invite({ ...person, role: "boss" })).json().errors;
  expect(issue).toMatchObject({ part: "role", detail: expect.stringContaining("agent, reviewer, supervisor, admin") });
});

test("every missing field is listed", async () => {
  const { errors } = (await invite({ name: "x" })).json();
  expect(errors.map((issue: { part: string }) => issue.part)).toEqual(["email", "role"]);
});

test("unknown members are refused, so that a misspelt send_invite_email sends no email", async () => {
  const { send_invite_email: sendInviteEmail, ...sent } = person;
  const answer = await invite({ ...sent, email: "camel@example.com", sendInviteEmail, colour: "blue" });
  expect([answer.statusCode, answer.json().errors]).toEqual([
    422,
    [
      expect.objectContaining({ part: "sendInviteEmail", code: "unknown_member" }),
      expect.objectContaining({ part: "colour", detail: '"colour" is unknown. Remove it.' }),
    ],
  ]);
  expect(answer.json().detail).toContain('"sendInviteEmail" is unknown. Did you mean "send_invite_email"?');
  expect((await invite({ ...person, email: "camel@example.com" })).statusCode).toBe(201);
});

test("a conflict with a user who is not an agent is not a success: it says what to do", async () => {
  const rita = { ...person, email: "rita@example.com", role: "reviewer" };
  const { id } = (await invite(rita, manageKey)).json();
  const conflict = (await invite({ ...rita, role: "agent" }, manageKey)).json();
  expect(conflict).toMatchObject({
    status: 409,
    code: "user_exists",
    errors: [{ part: "role", code: "not_an_agent" }],
  });
  expect(conflict.detail).toMatch(
    /^rita@example\.com is a reviewer, not an agent\..*another email address.*PATCH \/users/,
  );
  const hidden = (await invite({ ...rita, role: "agent" })).json();
  expect(hidden).toMatchObject({ code: "user_exists", errors: [{ code: "not_an_agent" }] });
  expect(JSON.stringify(hidden)).not.toContain("reviewer");
  // Calls can be imported for former agents.
  for (const role of ["agent", "reviewer"]) {
    const headers = { "x-api-key": manageKey };
    await api.inject({ method: "PATCH", url: `/users/${id}`, payload: { role }, headers });
  }
  expect((await invite({ ...rita, role: "agent" }, manageKey)).json().errors).toBeUndefined();
});

test("other content types are refused", async () => {
  const answer = await invite("email=a", importKey, { "content-type": "application/x-www-form-urlencoded" });
  expect(answer.json()).toMatchObject({ status: 400, code: "content_type_wrong" });
});

test("with an import key, a conflict reveals the existing user only if they are an agent", async () => {
  const taken = { ...person, email: "taken@example.com" };
  const { id } = (await invite(taken, manageKey)).json();
  const conflict = (await invite(taken)).json();
  expect(conflict).toMatchObject({ code: "user_exists", user: { id, role: "agent" } });
  expect(conflict.user).not.toHaveProperty("sign_in_methods");
  expect((await invite(taken, manageKey)).json().user).toMatchObject({ sign_in_methods: [] });
  for (const role of ["admin", "reviewer"]) {
    const email = `${role}@example.com`;
    await invite({ ...person, email, role }, manageKey);
    const answer = (await invite({ ...person, email })).json();
    expect([answer.code, answer.user]).toEqual(["user_exists", undefined]);
    expect((await invite({ ...person, email }, manageKey)).json()).toMatchObject({ user: { role } });
  }
  // A former agent is not revealed.
  await api.inject({
    method: "PATCH",
    url: `/users/${id}`,
    payload: { role: "admin" },
    headers: { "x-api-key": manageKey },
  });
  expect((await invite(taken)).json().user).toBeUndefined();
});

describe("invitation emails", async () => {
  const mail = { send: async () => {}, close: () => {} };
  const service = await openTestApp({ LIMIT_WORKSPACE_INVITATION_MAILS_PER_DAY: "3" }, { mail });
  const keys = { import: await service.key("import"), manage: await service.key("manage") };
  const restricted = await service.restrictedKey(service.campaignId);
  const queued = async () =>
    Number(
      (await service.admin.query("select count(*) from outgoing_job where name = 'user.send-invitation'")).rows[0]
        .count,
    );
  const ask = async (apiKey: string, body: object = {}) => {
    const answer = await service.api.inject({
      method: "POST",
      url: "/users/invite",
      headers: { "x-api-key": apiKey },
      payload: { email: `${crypto.randomUUID()}@example.com`, name: "Ann Lee", role: "agent", ...body },
    });
    return { status: answer.statusCode, body: answer.json() };
  };

  test("are not sent for import keys and restricted keys, which still create the agent", async () => {
    for (const apiKey of [keys.import, restricted]) {
      expect(await ask(apiKey)).toMatchObject({ status: 201, body: { status: "active", invitation: "not_permitted" } });
      const quietly = await ask(apiKey, { send_invite_email: false });
      expect(quietly).toMatchObject({ status: 201, body: { invitation: "not_requested" } });
    }
    expect(await queued()).toBe(0);
  });

  test("have a daily quota per workspace; beyond it no user is created", async () => {
    for (let n = 0; n < 3; n += 1) expect(await ask(keys.manage)).toMatchObject({ body: { invitation: "queued" } });
    const email = "fourth@example.com";
    expect(await ask(keys.manage, { email })).toMatchObject({
      status: 429,
      body: { code: "quota_exceeded", limit: "workspace_invitation_mails_per_day" },
    });
    expect(await queued()).toBe(3);
    expect(await ask(keys.manage, { email, send_invite_email: false })).toMatchObject({ status: 201 });
    await service.admin.query("update invitation_mail_count set day = day - interval '1 day'");
    expect(await ask(keys.manage)).toMatchObject({ body: { invitation: "queued" } });
  });
});
