import { describe, expect, test } from "vitest";
import { tablesHolding } from "../support/data/stored-rows.ts";
import { detailsOf, expectPartsNamed, expectProblem } from "../support/http/expect-problem.ts";
import { send } from "../support/http/http.ts";
import { callParts, importCall, postCall, postUser, uniqueEmail } from "../support/http/service.ts";
import { anotherWorkspace, createKey, local, target, testLocally } from "../support/stack/target.ts";

const makeInvitation = (changes: object = {}) => ({
  email: uniqueEmail(),
  name: "Ann Lee",
  role: "agent",
  send_invite_email: false,
  ...changes,
});

describe("docs/integrating.md: members of POST /users/invite", () => {
  test("email identifies the agent", async () => {
    const invitation = makeInvitation();
    expect((await postUser(target, invitation)).body.email).toBe(invitation.email);
    const call = await importCall({ ...target, agentEmail: invitation.email });
    expect(call.agent.email).toBe(invitation.email);
  });

  test.each(["Ann Lee", "Zoë Müller-Łukasz", "李 明", "Sinéad O'Connor"])(
    "name is first name and last name: %s",
    async (name) => {
      expect((await postUser(target, makeInvitation({ name }))).body.name).toBe(name);
    },
  );

  test('role is "agent"', async () => {
    expect((await postUser(target, makeInvitation())).body.role).toBe("agent");
  });

  test("send_invite_email: false sends no invitation email", async () => {
    expect((await postUser(target, makeInvitation())).body.invitation).toBe("not_requested");
  });
});

describe("docs/integrating.md: agents first", () => {
  test("200 or 201: the agent was created", async () => {
    const invitation = makeInvitation();
    expect([200, 201]).toContain((await postUser(target, invitation)).status);
    await importCall({ ...target, agentEmail: invitation.email });
  });

  test("409: the agent already exists", async () => {
    const invitation = makeInvitation();
    await postUser(target, invitation);
    expectProblem(await postUser(target, invitation), 409, "user_exists");
    await importCall({ ...target, agentEmail: invitation.email });
  });

  test("other 4xx or 5xx: the agent was not created", async () => {
    const email = uniqueEmail();
    expectProblem(await postUser(target, { email, role: "agent" }), 400);
    const unknown = { ...target, agentEmail: email };
    expectProblem(await postCall(unknown, callParts(unknown)), 404, "agent_not_found");
  });
});

describe("docs/managing.md: POST /users/invite", () => {
  test("201 with the user: id, email, name, role, status, invitation, created_at", async () => {
    const { send_invite_email: _, ...sent } = makeInvitation();
    const answer = await postUser(target, { ...sent, send_invite_email: false });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.headers["content-type"]).toMatch(/^application\/json\b/);
    expect(answer.body).toMatchObject({ ...sent, id: expect.stringMatching(/\S/), invitation: "not_requested" });
    expect(["active", "invited"]).toContain(answer.body.status);
    expect(answer.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
  });

  test("send_invite_email is optional and defaults to true", async () => {
    const { send_invite_email: _, ...invitation } = makeInvitation();
    const absent = await postUser(target, invitation);
    const asked = await postUser(target, makeInvitation({ send_invite_email: true }));
    expect([absent.status, asked.status]).toEqual([201, 201]);
    expect(["queued", "not_configured"]).toContain(absent.body.invitation);
    expect(absent.body.invitation).toBe(asked.body.invitation);
    expect(absent.body.status).toBe(asked.body.status);
  });

  test("409 if the email address is taken in this workspace; user is the existing user", async () => {
    const invitation = makeInvitation();
    const { body: user } = await postUser(target, invitation);
    for (const changes of [{}, { name: "Someone Else" }, { send_invite_email: true }]) {
      const problem = expectProblem(await postUser(target, { ...invitation, ...changes }), 409, "user_exists");
      expect(problem.user).toEqual(user);
    }
  });

  testLocally("409 for another role, and nothing changes", async () => {
    const manager = { ...target, apiKey: (await createKey("manage")).key };
    const { body: user } = await postUser(target, makeInvitation());
    for (const role of ["reviewer", "supervisor", "admin"]) {
      const answer = await postUser(manager, { email: user.email, name: "Someone Else", role });
      const known = { ...user, sign_in_methods: [], team_id: null, listens_to_originals: false };
      expect(expectProblem(answer, 409, "user_exists").user).toEqual(known);
    }
    expect(await tablesHolding(local(), "Someone Else")).toEqual([]);
    const call = await importCall({ ...target, agentEmail: user.email });
    expect(call.agent).toEqual({ id: user.id, email: user.email, name: user.name });
  });

  testLocally("an email address taken in another workspace is not a conflict", async () => {
    const other = await anotherWorkspace();
    const invitation = makeInvitation();
    const here = await postUser(target, invitation);
    const there = await postUser(other, invitation);
    expect([here.status, there.status]).toEqual([201, 201]);
    expect(there.body.id).not.toBe(here.body.id);
  });

  test("of concurrent requests for one email address, one gets 201 and the others 409", async () => {
    const invitation = makeInvitation();
    const answers = await Promise.all(Array.from({ length: 10 }, () => postUser(target, invitation)));
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });

  const spellings: [string, (email: string) => string][] = [
    ["upper case", (email) => email.toUpperCase()],
    ["lower case", (email) => email.toLowerCase()],
    ["surrounding space", (email) => `  ${email}\t`],
    ["both", (email) => ` ${email.toUpperCase()} `],
  ];

  test.each(spellings)("email addresses ignore case and surrounding space: %s", async (_, spell) => {
    const { body: user } = await postUser(target, makeInvitation({ email: uniqueEmail("Jean.Dupont") }));
    const problem = expectProblem(
      await postUser(target, makeInvitation({ email: spell(user.email) })),
      409,
      "user_exists",
    );
    expect(problem.user).toEqual(user);
    const call = await importCall({ ...target, agentEmail: spell(user.email) });
    expect(call.agent).toEqual({ id: user.id, email: user.email, name: user.name });
  });

  test("an email address first sent with surrounding space matches without it", async () => {
    const email = uniqueEmail();
    const first = await postUser(target, makeInvitation({ email: ` ${email} ` }));
    expect(first.status, first.text).toBe(201);
    expectProblem(await postUser(target, makeInvitation({ email })), 409, "user_exists");
  });

  test("email addresses are stored as sent", async () => {
    const email = uniqueEmail("Jean.DUPONT").replace("example.com", "Example.COM");
    expect((await postUser(target, makeInvitation({ email }))).body.email).toBe(email);
    expect((await importCall({ ...target, agentEmail: email.toLowerCase() })).agent.email).toBe(email);
  });

  testLocally.each(["agent", "reviewer", "supervisor", "admin"])("Roles: %s", async (role) => {
    const manager = { ...target, apiKey: (await createKey("manage")).key };
    const answer = await postUser(role === "agent" ? target : manager, makeInvitation({ role }));
    expect([answer.status, answer.body.role], answer.text).toEqual([201, role]);
  });

  test.each(["janitor", "Agent", "AGENT", "agents", ""])(
    "another role is 422 and lists the roles: %j",
    async (role) => {
      const problem = expectProblem(await postUser(target, makeInvitation({ role })), 422, "fields_invalid");
      expectPartsNamed(problem, "role");
      for (const known of ["agent", "reviewer", "supervisor", "admin"]) {
        expect(detailsOf(problem, "role")).toMatch(new RegExp(`\\b${known}\\b`));
      }
    },
  );

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml"])(
    "a wrong Content-Type is 400: %s",
    async (type) => {
      const answer = await postUser(target, makeInvitation(), { headers: { "content-type": type } });
      expectProblem(answer, 400, "content_type_wrong");
    },
  );

  test("a missing Content-Type is 400", async () => {
    const answer = await send(`${target.baseUrl}/users/invite`, {
      headers: { "x-api-key": target.apiKey },
      body: JSON.stringify(makeInvitation()),
    });
    expectProblem(answer, 400, "content_type_wrong");
  });

  test("application/json with a parameter is accepted", async () => {
    const headers = { "content-type": "application/json; charset=utf-8" };
    expect((await postUser(target, makeInvitation(), { headers })).status).toBe(201);
  });

  test.each(["", "{", '{"email":', "no JSON", "{'email': 'a@example.com'}"])(
    "a body that is not JSON is 400: %j",
    async (body) => {
      expectProblem(await postUser(target, body), 400, "json_malformed");
    },
  );

  test.each(["[]", "null", "5", "true", '"text"', '[{"email":"a@example.com"}]'])(
    "a body that is not a JSON object is 400: %s",
    async (body) => {
      expectProblem(await postUser(target, body), 400);
    },
  );

  test.each(["email", "name", "role"])("a missing member is 400: %s", async (member) => {
    const problem = expectProblem(
      await postUser(target, makeInvitation({ [member]: undefined })),
      400,
      "member_missing",
    );
    expectPartsNamed(problem, member);
  });

  test("lists all missing members", async () => {
    expectPartsNamed(expectProblem(await postUser(target, {}), 400, "member_missing"), "email", "name", "role");
  });

  test.each([
    ["email", 5],
    ["email", null],
    ["email", ["a@example.com"]],
    ["email", "no address"],
    ["email", "@example.com"],
    ["email", "ann@"],
    ["email", "ann lee@example.com"],
    ["email", ""],
    ["name", 5],
    ["name", null],
    ["name", { first: "Ann" }],
    ["role", 5],
    ["role", ["agent"]],
    ["send_invite_email", "false"],
    ["send_invite_email", 0],
  ])("an invalid member is 422: %s %j", async (member, value) => {
    const problem = expectProblem(await postUser(target, makeInvitation({ [member]: value })), 422, "fields_invalid");
    expectPartsNamed(problem, member);
  });

  test("lists all invalid members", async () => {
    const wrong = { email: "no address", name: 5, role: "janitor", send_invite_email: "no" };
    const problem = expectProblem(await postUser(target, wrong), 422, "fields_invalid");
    expectPartsNamed(problem, "email", "name", "role", "send_invite_email");
  });

  test("reports missing members (400) before invalid ones (422)", async () => {
    expectProblem(await postUser(target, { email: "no address", role: "janitor" }), 400, "member_missing");
  });
});
