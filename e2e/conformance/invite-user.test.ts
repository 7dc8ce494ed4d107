import { describe, expect, test } from "vitest";
import { detailsOf, expectPartsNamed, expectProblem } from "../support/expect-problem.ts";
import { send } from "../support/http.ts";
import { tablesHolding } from "../support/kept.ts";
import { anEmail, callParts, importCall, postCall, postUser } from "../support/service.ts";
import { aKey, anotherWorkspace, local, target, testLocally } from "../support/target.ts";

const anInvitation = (changes: object = {}) => ({
  email: anEmail(),
  name: "Ann Lee",
  role: "agent",
  send_invite_email: false,
  ...changes,
});

describe("seed-interface: Agent (user)", () => {
  test("email: identifies the agent in the system", async () => {
    const invitation = anInvitation();
    expect((await postUser(target, invitation)).body.email).toBe(invitation.email);
    const call = await importCall({ ...target, agentEmail: invitation.email });
    expect(call.agent.email).toBe(invitation.email);
  });

  test.each(["Ann Lee", "Zoë Müller-Łukasz", "李 明", "Sinéad O'Connor"])(
    "name: first name and last name joined by a space: %s",
    async (name) => {
      expect((await postUser(target, anInvitation({ name }))).body.name).toBe(name);
    },
  );

  test('role: the role used for agents is "agent"', async () => {
    expect((await postUser(target, anInvitation())).body.role).toBe("agent");
  });

  test("send_invite_email: false means that no invitation e-mail is sent", async () => {
    expect((await postUser(target, anInvitation())).body.invitation).toBe("not_requested");
  });
});

describe("seed-interface: Create an agent", () => {
  test("Success, 200 or 201: the agent has been created", async () => {
    const invitation = anInvitation();
    expect([200, 201]).toContain((await postUser(target, invitation)).status);
    await importCall({ ...target, agentEmail: invitation.email });
  });

  test("Already exists, 409: the agent exists already. The caller may treat it as a success", async () => {
    const invitation = anInvitation();
    await postUser(target, invitation);
    expectProblem(await postUser(target, invitation), 409, "user_exists");
    await importCall({ ...target, agentEmail: invitation.email });
  });

  test("Other failure, any 4xx or 5xx: error during creation", async () => {
    const email = anEmail();
    expectProblem(await postUser(target, { email, role: "agent" }), 400);
    const unknown = { ...target, agentEmail: email };
    expectProblem(await postCall(unknown, callParts(unknown)), 404, "agent_not_found");
  });
});

describe("interface: POST /users/invite", () => {
  test("201 with the user: id, email, name, role, status, invitation, created_at", async () => {
    const { send_invite_email: _, ...sent } = anInvitation();
    const answer = await postUser(target, { ...sent, send_invite_email: false });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.headers["content-type"]).toMatch(/^application\/json\b/);
    expect(answer.body).toMatchObject({ ...sent, id: expect.stringMatching(/\S/), invitation: "not_requested" });
    expect(["active", "invited"]).toContain(answer.body.status);
    expect(answer.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
  });

  test("send_invite_email optional (true if absent: it is an invitation)", async () => {
    const { send_invite_email: _, ...invitation } = anInvitation();
    const absent = await postUser(target, invitation);
    const asked = await postUser(target, anInvitation({ send_invite_email: true }));
    expect([absent.status, asked.status]).toEqual([201, 201]);
    expect(["queued", "not_configured"]).toContain(absent.body.invitation);
    expect(absent.body.invitation).toBe(asked.body.invitation);
    expect(absent.body.status).toBe(asked.body.status);
  });

  test("409 if the e-mail is taken in this workspace, whatever the name sent: user is the user as it stands", async () => {
    const invitation = anInvitation();
    const { body: user } = await postUser(target, invitation);
    for (const changes of [{}, { name: "Someone Else" }, { send_invite_email: true }]) {
      const problem = expectProblem(await postUser(target, { ...invitation, ...changes }), 409, "user_exists");
      expect(problem.user).toEqual(user);
    }
  });

  testLocally("409 whatever the role sent. Nothing is changed", async () => {
    const manager = { ...target, apiKey: (await aKey("manage")).key };
    const { body: user } = await postUser(target, anInvitation());
    for (const role of ["reviewer", "supervisor", "admin"]) {
      const answer = await postUser(manager, { email: user.email, name: "Someone Else", role });
      expect(expectProblem(answer, 409, "user_exists").user).toEqual(user);
    }
    expect(await tablesHolding(local(), "Someone Else")).toEqual([]);
    const call = await importCall({ ...target, agentEmail: user.email });
    expect(call.agent).toEqual({ id: user.id, email: user.email, name: user.name });
  });

  testLocally("409 if the e-mail is taken in this workspace, and not in another", async () => {
    const other = await anotherWorkspace();
    const invitation = anInvitation();
    const here = await postUser(target, invitation);
    const there = await postUser(other, invitation);
    expect([here.status, there.status]).toEqual([201, 201]);
    expect(there.body.id).not.toBe(here.body.id);
  });

  test("of many that ask for the same e-mail at once, one gets 201 and all others 409", async () => {
    const invitation = anInvitation();
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

  test.each(spellings)("E-mails are compared without case and surrounding space: %s", async (_, spell) => {
    const { body: user } = await postUser(target, anInvitation({ email: anEmail("Jean.Dupont") }));
    const problem = expectProblem(
      await postUser(target, anInvitation({ email: spell(user.email) })),
      409,
      "user_exists",
    );
    expect(problem.user).toEqual(user);
    const call = await importCall({ ...target, agentEmail: spell(user.email) });
    expect(call.agent).toEqual({ id: user.id, email: user.email, name: user.name });
  });

  test("an e-mail that was first sent with surrounding space is the same e-mail without it", async () => {
    const email = anEmail();
    const first = await postUser(target, anInvitation({ email: ` ${email} ` }));
    expect(first.status, first.text).toBe(201);
    expectProblem(await postUser(target, anInvitation({ email })), 409, "user_exists");
  });

  test("they are kept as sent", async () => {
    const email = anEmail("Jean.DUPONT").replace("example.com", "Example.COM");
    expect((await postUser(target, anInvitation({ email }))).body.email).toBe(email);
    expect((await importCall({ ...target, agentEmail: email.toLowerCase() })).agent.email).toBe(email);
  });

  testLocally.each(["agent", "reviewer", "supervisor", "admin"])("Roles: %s", async (role) => {
    const manager = { ...target, apiKey: (await aKey("manage")).key };
    const answer = await postUser(role === "agent" ? target : manager, anInvitation({ role }));
    expect([answer.status, answer.body.role], answer.text).toEqual([201, role]);
  });

  test.each(["janitor", "Agent", "AGENT", "agents", ""])("Another value is 422 and lists these: %j", async (role) => {
    const problem = expectProblem(await postUser(target, anInvitation({ role })), 422, "fields_invalid");
    expectPartsNamed(problem, "role");
    for (const known of ["agent", "reviewer", "supervisor", "admin"]) {
      expect(detailsOf(problem, "role")).toMatch(new RegExp(`\\b${known}\\b`));
    }
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml"])(
    "A wrong Content-Type: 400: %s",
    async (type) => {
      const answer = await postUser(target, anInvitation(), { headers: { "content-type": type } });
      expectProblem(answer, 400, "content_type_wrong");
    },
  );

  test("A missing Content-Type: 400", async () => {
    const answer = await send(`${target.baseUrl}/users/invite`, {
      headers: { "x-api-key": target.apiKey },
      body: JSON.stringify(anInvitation()),
    });
    expectProblem(answer, 400, "content_type_wrong");
  });

  test("application/json with a parameter is no wrong Content-Type", async () => {
    const headers = { "content-type": "application/json; charset=utf-8" };
    expect((await postUser(target, anInvitation(), { headers })).status).toBe(201);
  });

  test.each(["", "{", '{"email":', "no JSON", "{'email': 'a@example.com'}"])(
    "a body that is no JSON: 400: %j",
    async (body) => {
      expectProblem(await postUser(target, body), 400, "json_malformed");
    },
  );

  test.each(["[]", "null", "5", "true", '"text"', '[{"email":"a@example.com"}]'])(
    "a body that is no JSON object: 400: %s",
    async (body) => {
      expectProblem(await postUser(target, body), 400);
    },
  );

  test.each(["email", "name", "role"])("A missing member: 400: %s", async (member) => {
    const problem = expectProblem(await postUser(target, anInvitation({ [member]: undefined })), 400, "member_missing");
    expectPartsNamed(problem, member);
  });

  test("all missing members are named at once", async () => {
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
  ])("A member of the wrong type or form: 422: %s %j", async (member, value) => {
    const problem = expectProblem(await postUser(target, anInvitation({ [member]: value })), 422, "fields_invalid");
    expectPartsNamed(problem, member);
  });

  test("all wrong members are named at once", async () => {
    const wrong = { email: "no address", name: 5, role: "janitor", send_invite_email: "no" };
    const problem = expectProblem(await postUser(target, wrong), 422, "fields_invalid");
    expectPartsNamed(problem, "email", "name", "role", "send_invite_email");
  });

  test("a missing member is told before a wrong one: 400 comes before 422", async () => {
    expectProblem(await postUser(target, { email: "no address", role: "janitor" }), 400, "member_missing");
  });
});
