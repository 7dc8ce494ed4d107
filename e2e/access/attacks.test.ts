import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callerHeaders } from "../support/http/caller.ts";
import { expectProblem } from "../support/http/expect-problem.ts";
import { type Answer, send } from "../support/http/http.ts";
import { openRaw } from "../support/http/raw-http.ts";
import { uniqueEmail } from "../support/http/service.ts";
import {
  cookieOf,
  createLink,
  createUser,
  type Managed,
  type SignedInUser,
  sendJson,
  signIn,
  testPassword,
} from "../support/http/users.ts";
import { type ApiProcess, openStack, type Stack } from "../support/stack/stack.ts";

/*
 * Attacks on sign-in, sessions and roles. docs/security/console.md lists each attack and its outcome.
 */
let stack: Stack;
let api: ApiProcess;
/** A second API process of the same installation. */
let other: ApiProcess;
let service: Managed;
let theirs: Managed;
let admin: SignedInUser;

const keyOf = async (workspaceId: string) => {
  const make = ["key", "create", "--workspace", workspaceId, "--name", "m", "--scope", "import", "read", "manage"];
  return (await stack.command<{ key: string }>(...make, "--json")).key;
};

beforeAll(async () => {
  stack = await openStack();
  [api, other] = await Promise.all([stack.startApi(), stack.startApi()]);
  const { id } = await stack.command<{ id: string }>("workspace", "create", "--name", "Other", "--json");
  service = { baseUrl: api.baseUrl, manageKey: await keyOf(stack.workspaceId) };
  theirs = { baseUrl: api.baseUrl, manageKey: await keyOf(id) };
  admin = await createUser(service, "admin");
}, 300_000);
afterAll(async () => {
  await stack?.stop();
});

const as = ({ cookie }: Pick<SignedInUser, "cookie">, baseUrl = api.baseUrl) => callerHeaders(cookie, baseUrl);
const get = (path: string, headers: Record<string, string>, baseUrl = api.baseUrl) =>
  send(`${baseUrl}${path}`, { method: "GET", headers });
const sessionAt = async (baseUrl: string, person: Pick<SignedInUser, "cookie">) =>
  (await get("/session", as(person, baseUrl), baseUrl)).status;
const patch = (path: string, body: unknown, headers: Record<string, string>) =>
  sendJson(`${api.baseUrl}${path}`, body, headers, "PATCH");
const invite = (headers: Record<string, string>, role = "reviewer") =>
  sendJson(`${api.baseUrl}/users/invite`, { email: uniqueEmail(), name: "A", role, send_invite_email: false }, headers);

/** Everything in a response that a client can compare. */
function comparable({ status, headers, text }: Answer) {
  const { date: _, "x-request-id": requestId, ...others } = headers;
  return { status, others, text: text.replaceAll(String(requestId), "<request>") };
}

describe("session fixation", () => {
  test("a cookie planted before sign-in is not adopted", async () => {
    const planted = `hearback=${"B".repeat(43)}`;
    const answer = await signIn(api.baseUrl, admin.email, testPassword, { cookie: planted });
    expect(answer.status).toBe(200);
    expect(cookieOf(answer)).not.toBe(planted);
    expect(await sessionAt(api.baseUrl, { cookie: planted })).toBe(401);
  });

  test("sign-in over another user's session creates a new session and leaves the other one unchanged", async () => {
    const attacker = await createUser(service, "agent");
    const victim = await createUser(service, "reviewer");
    const answer = await signIn(api.baseUrl, victim.email, testPassword, { cookie: attacker.cookie });
    expect(cookieOf(answer)).not.toBe(attacker.cookie);
    const still = await get("/session", as(attacker));
    expect(still.body).toMatchObject({ user: { id: attacker.id } });
  });

  test("a request with two session cookies is rejected", async () => {
    const attacker = await createUser(service, "agent");
    for (const cookie of [`${attacker.cookie}; ${admin.cookie}`, `${admin.cookie}; ${attacker.cookie}`]) {
      expect(await sessionAt(api.baseUrl, { cookie })).toBe(401);
    }
  });
});

describe("session cookie", () => {
  test("is host-only, HttpOnly, SameSite=Lax, and contains no user data", async () => {
    const [cookie = ""] = (await signIn(api.baseUrl, admin.email)).headers["set-cookie"] ?? [];
    const [value, ...flags] = cookie.split("; ");
    expect(value).toMatch(/^hearback=[\w-]{43}$/);
    expect(flags.map((flag) => flag.split("=")[0])).toEqual(["Path", "Max-Age", "HttpOnly", "SameSite"]);
    expect(flags).toContain("SameSite=Lax");
    expect(cookie).not.toMatch(/domain/i);
  });

  test("has Secure and the __Host- prefix if the public URL uses TLS", async () => {
    const secure = await stack.startApi({ env: { PUBLIC_URL: "https://hearback.example.com" } });
    const [cookie = ""] = (await signIn(secure.baseUrl, admin.email)).headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^__Host-hearback=.*; Path=\/; .*; HttpOnly; SameSite=Lax; Secure$/);
    const name = cookie.split(";")[0] ?? "";
    const bare = name.replace("__Host-", "");
    expect((await get("/session", { cookie: bare }, secure.baseUrl)).status).toBe(401);
    // A page served without TLS by a man in the middle.
    const host = new URL(secure.baseUrl).host;
    const plain = { cookie: name, origin: `http://${host}` };
    expect((await send(`${secure.baseUrl}/session`, { method: "DELETE", headers: plain })).status).toBe(403);
    await secure.stop();
  });

  test("neither the cookie nor any password is in the database", async () => {
    const { rows } = await stack.adminDb.query<{ all: string }>(
      `select (select string_agg(s::text, ' ') from session s) || (select string_agg(c::text, ' ') from credential c)
        || (select string_agg(l::text, ' ') from access_link l) as all`,
    );
    const value = admin.cookie.split("=")[1] ?? "";
    expect(rows[0]?.all).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
    for (const secret of [value, Buffer.from(value, "base64url").toString("hex"), testPassword]) {
      expect(rows[0]?.all).not.toContain(secret);
    }
  });
});

describe("cross-site requests", () => {
  const change = (headers: Record<string, string>, body = '{"name":"Taken"}') =>
    send(`${api.baseUrl}/workspace`, { method: "PATCH", headers: { cookie: admin.cookie, ...headers }, body });
  const json = { "content-type": "application/json" };

  test.each([
    ["from another site", { origin: "https://evil.example" }],
    ["from a page with a null origin (a sandboxed frame, a file)", { origin: "null" }],
    ["without any Origin", {}],
    ["from a host whose name starts with ours", { origin: "http://127.0.0.1.evil.example" }],
    ["from another port of the same host", { origin: "http://127.0.0.1:1" }],
    ["from another scheme", { origin: "ftp://127.0.0.1" }],
    ["with an invalid Origin", { origin: "127.0.0.1" }],
    ["with the right Referer and no Origin", { referer: "http://127.0.0.1/console/" }],
  ])("a change %s is rejected", async (_, headers) => {
    expectProblem(await change({ ...json, ...headers }), 403, "origin_forbidden");
  });

  test.each([
    ["application/x-www-form-urlencoded", "name=Taken"],
    ["text/plain", '{"name":"Taken"}'],
    ["multipart/form-data; boundary=b", "--b--"],
  ])("a form post of type %s is rejected because of its origin and its content type", async (type, body) => {
    const headers = { "content-type": type, origin: "https://evil.example" };
    expectProblem(await change(headers, body), 403, "origin_forbidden");
    expectProblem(await change({ ...headers, origin: api.baseUrl }, body), 400, "content_type_wrong");
  });

  test("a cross-site import is rejected before its body is read", async () => {
    const headers = {
      cookie: admin.cookie,
      origin: "https://evil.example",
      "content-type": "multipart/form-data; boundary=b",
    };
    const answer = await send(`${api.baseUrl}/calls/audio`, { headers, body: "--b--", expectContinue: true });
    expectProblem(answer, 403, "origin_forbidden");
    expect(answer.continued).toBe(false);
  });

  test.each(["/calls", "/users", "/session", "/calls/export?format=csv", "/audit/export?format=jsonl"])(
    "a cross-site fetch is rejected: %s",
    async (path) => {
      const headers = { cookie: admin.cookie, "sec-fetch-site": "cross-site" };
      expectProblem(await get(path, headers), 403, "origin_forbidden");
    },
  );

  test("CORS allows no other site to read a response", async () => {
    const read = await get("/session", { cookie: admin.cookie, origin: "https://evil.example" });
    expect(Object.keys(read.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    const asked = await send(`${api.baseUrl}/session`, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "DELETE" },
    });
    expect([asked.status, asked.headers["access-control-allow-origin"]]).toEqual([405, undefined]);
  });

  test("another site cannot trigger a sign-in or an email", async () => {
    const headers = { origin: "https://evil.example" };
    const token = await createLink(service, (await createUser(service, "agent")).id);
    for (const [path, body] of [
      ["/session", { email: admin.email, password: testPassword }],
      ["/session/forgotten", { email: admin.email }],
      ["/session/link/look", { token }],
      ["/session/link", { token, password: testPassword }],
    ] as const) {
      const answer = await sendJson(`${api.baseUrl}${path}`, body, headers);
      expectProblem(answer, 403, "origin_forbidden");
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
  });

  test("none of these requests changed anything", async () => {
    expect((await get("/workspace", as(admin))).body).toMatchObject({ name: "Acme" });
  });
});

describe("password guessing", () => {
  test("five attempts are free, across processes and concurrent requests; then Retry-After grows", async () => {
    const { email } = await createUser(service, "agent");
    const guesses = Array.from({ length: 20 }, (_, n) =>
      signIn((n % 2 ? api : other).baseUrl, email, `guess number ${n}`),
    );
    const answers = await Promise.all(guesses);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(15);
    for (const answer of refused) expectProblem(answer, 429, "sign_in_limited");
    // The right password has to wait, too.
    expect((await signIn(other.baseUrl, email)).status).toBe(429);
    await sleep(6_000);
    expect((await signIn(api.baseUrl, email, "a sixth guess")).status).toBe(401);
    const again = await signIn(other.baseUrl, email);
    expect(Number(again.headers["retry-after"])).toBeGreaterThan(5);
  });

  test("a forwarding header does not change the client address unless a proxy is trusted", async () => {
    const { email } = await createUser(service, "agent");
    const statuses = [];
    for (let n = 0; n < 7; n++) {
      const headers = { "x-forwarded-for": `10.0.0.${n}`, forwarded: `for=10.0.0.${n}`, "x-real-ip": `10.0.0.${n}` };
      statuses.push((await signIn(api.baseUrl, email, "guess", headers)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    const behind = await stack.startApi({ env: { TRUSTED_PROXIES: "127.0.0.0/8" } });
    expect((await signIn(behind.baseUrl, email, testPassword, { "x-forwarded-for": "10.0.0.99" })).status).toBe(200);
    await behind.stop();
  });

  test("spellings of the same email address share one limit", async () => {
    const { email } = await createUser(service, "agent");
    for (let n = 0; n < 5; n++) await signIn(api.baseUrl, n % 2 ? email.toUpperCase() : ` ${email} `, "guess");
    expect((await signIn(api.baseUrl, email)).status).toBe(429);
  });
});

describe("user enumeration", () => {
  test("unknown, known, deactivated and passwordless users get the same response", async () => {
    const known = await createUser(service, "agent");
    const gone = await createUser(service, "agent");
    await patch(`/users/${gone.id}`, { deactivated: true }, { "x-api-key": service.manageKey });
    const emails = [known.email, gone.email, stack.agentEmail, uniqueEmail("nobody")];
    const answers = await Promise.all(emails.map((email) => signIn(api.baseUrl, email, "a wrong password")));
    for (const answer of answers) expect(comparable(answer)).toEqual(comparable(answers[0] as Answer));
    expectProblem(answers[0] as Answer, 401, "sign_in_failed");
    const asked = await Promise.all(emails.map((email) => sendJson(`${api.baseUrl}/session/forgotten`, { email })));
    for (const answer of asked) expect(comparable(answer)).toEqual(comparable(asked[0] as Answer));
  });

  test("response times do not differ", async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => createUser(service, "agent")));
    const timed = async (email: string) => {
      const began = performance.now();
      await signIn(api.baseUrl, email, "a wrong password");
      return performance.now() - began;
    };
    const [known, unknown]: [number[], number[]] = [[], []];
    // Alternate, so that a busy machine slows both.
    for (let round = 0; round < 3; round++) {
      for (const { email } of people) {
        known.push(await timed(email));
        unknown.push(await timed(uniqueEmail("nobody")));
      }
    }
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
    const ratio = median(known) / median(unknown);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.7);
  });
});

describe("revocation", () => {
  /** Waits until one second after an event. */
  const withinASecond = async (since: number) => sleep(Math.max(0, since + 1_000 - performance.now()));

  test("an ended session is rejected by another process within 1 s", async () => {
    const [own, ended] = [await createUser(service, "reviewer"), await createUser(service, "reviewer")];
    for (const person of [own, ended]) expect(await sessionAt(other.baseUrl, person)).toBe(200);
    const since = performance.now();
    await send(`${api.baseUrl}/session`, { method: "DELETE", headers: as(own) });
    await send(`${api.baseUrl}/sessions/${ended.sessionId}`, { method: "DELETE", headers: as(admin) });
    await withinASecond(since);
    for (const person of [own, ended]) expect(await sessionAt(other.baseUrl, person)).toBe(401);
  });

  test("a deactivated, demoted or erased user loses access on another process within 1 s", async () => {
    const [gone, demoted] = [await createUser(service, "admin"), await createUser(service, "admin")];
    for (const person of [gone, demoted]) {
      expect((await get("/keys", as(person, other.baseUrl), other.baseUrl)).status).toBe(200);
    }
    const since = performance.now();
    await patch(`/users/${gone.id}`, { deactivated: true }, as(admin));
    await patch(`/users/${demoted.id}`, { role: "agent" }, as(admin));
    await withinASecond(since);
    expect(await sessionAt(other.baseUrl, gone)).toBe(401);
    expectProblem(await get("/keys", as(demoted, other.baseUrl), other.baseUrl), 403, "role_missing");
    await patch(`/users/${gone.id}`, { deactivated: false }, as(admin));
    await sleep(1_000);
    expect(await sessionAt(other.baseUrl, gone), "coming back does not bring the session back").toBe(401);
  });

  test("a new password ends all other sessions", async () => {
    const person = await createUser(service, "agent");
    const elsewhere = { cookie: cookieOf(await signIn(other.baseUrl, person.email)) };
    const change = { current_password: testPassword, new_password: "another horse, another battery" };
    const since = performance.now();
    expect((await sendJson(`${api.baseUrl}/session/password`, change, as(person))).status).toBe(204);
    await withinASecond(since);
    expect([await sessionAt(other.baseUrl, person), await sessionAt(other.baseUrl, elsewhere)]).toEqual([200, 401]);
  });

  test("a session ends by age and by inactivity", async () => {
    for (const column of ["expires_at", "idle_until"]) {
      const person = await createUser(service, "agent");
      await stack.adminDb.query(`update session set ${column} = now() where id = $1`, [person.sessionId]);
      await sleep(1_000);
      expect(await sessionAt(api.baseUrl, person)).toBe(401);
    }
  });
});

describe("links", () => {
  const use = (token: string, more: object = {}) =>
    sendJson(`${api.baseUrl}/session/link`, { token, password: testPassword, ...more });
  const ended = (answer: Answer) => expectProblem(answer, 404, "link_ended");

  test("can be used once, even by two concurrent requests on two processes", async () => {
    const { id } = await createUser(service, "agent");
    const token = await createLink(service, id);
    const uses = [api, other, api, other].map(({ baseUrl }) =>
      sendJson(`${baseUrl}/session/link`, { token, password: testPassword }),
    );
    expect((await Promise.all(uses)).map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    ended(await use(token));
  });

  test("do not work if expired, replaced, or of a removed user", async () => {
    const [expired, replaced, gone] = [
      await createUser(service, "agent"),
      await createUser(service, "agent"),
      await createUser(service, "agent"),
    ];
    const tokens = await Promise.all([expired, replaced, gone].map(({ id }) => createLink(service, id)));
    await stack.adminDb.query("update access_link set expires_at = now() where user_id = $1", [expired.id]);
    await createLink(service, replaced.id);
    await patch(`/users/${gone.id}`, { deactivated: true }, as(admin));
    for (const token of tokens) {
      ended(await sendJson(`${api.baseUrl}/session/link/look`, { token }));
      ended(await use(token));
    }
  });

  test("are not interchangeable with setup links, session cookies or API keys", async () => {
    const { id } = await createUser(service, "agent");
    const token = await createLink(service, id);
    const made = { email: uniqueEmail("first"), name: "First", workspace_name: "Mine" };
    const used = await use(token, made);
    expect(used.body).toMatchObject({ user: { id, role: "agent" }, workspace: { id: stack.workspaceId } });
    const { rows } = await stack.adminDb.query("select from workspace where name = 'Mine'");
    expect(rows).toEqual([]);
    ended(await use(cookieOf(used).split("=")[1] ?? ""));
    ended(await use(service.manageKey));
    expect(await sessionAt(api.baseUrl, { cookie: `hearback=${token}` })).toBe(401);
  });

  test("for setup can be used once and are created by the server operator", async () => {
    const { link } = await stack.command<{ link: string }>("setup", "--json");
    const token = link.split("#")[1] ?? "";
    const made = { email: uniqueEmail("first"), name: "First", workspace_name: "New" };
    const uses = await Promise.all([use(token, made), use(token, made)]);
    expect(uses.map(({ status }) => status).sort()).toEqual([200, 404]);
    await stack.adminDb.query("update setup_link set ended_at = null, expires_at = now()");
    ended(await use(token, made));
  });

  test.each(["", " ", "A", "A".repeat(44), `${"A".repeat(42)}=`, "../../etc", "%00", "' or 1=1 --"])(
    "with an invalid token are rejected: %j",
    async (token) => {
      expect([404, 422]).toContain((await use(token)).status);
    },
  );
});

describe("privilege escalation", () => {
  test("a supervisor cannot create supervisors or administrators, or see links", async () => {
    const supervisor = await createUser(service, "supervisor");
    for (const role of ["supervisor", "admin"]) expectProblem(await invite(as(supervisor), role), 403, "role_missing");
    const reviewer = await createUser(service, "reviewer");
    const sent = await sendJson(`${api.baseUrl}/users/${reviewer.id}/invitation`, { by_mail: false }, as(supervisor));
    expect(sent.body).toEqual({ invitation: "not_configured", link: null, expires_at: null });
    expectProblem(
      await sendJson(`${api.baseUrl}/users/${admin.id}/invitation`, {}, as(supervisor)),
      403,
      "role_missing",
    );
  });

  test("only an administrator can change roles, including their own", async () => {
    for (const role of ["agent", "reviewer", "supervisor"] as const) {
      const person = await createUser(service, role);
      expectProblem(await patch(`/users/${person.id}`, { role: "admin" }, as(person)), 403, "role_missing");
      expectProblem(
        await sendJson(`${api.baseUrl}/keys`, { name: "k", scopes: ["manage"] }, as(person)),
        403,
        "role_missing",
      );
    }
  });

  test("roles, users or workspaces in bodies and headers are ignored", async () => {
    const agent = await createUser(service, "agent");
    const claims = { "x-role": "admin", "x-user-id": admin.id, "x-workspace-id": stack.workspaceId };
    expectProblem(await get("/keys", { ...as(agent), ...claims }), 403, "role_missing");
    const body = { email: agent.email, password: testPassword, role: "admin" };
    expectProblem(await sendJson(`${api.baseUrl}/session`, body), 422, "fields_invalid");
    expectProblem(await get("/keys", { ...as(agent), "x-http-method-override": "GET" }), 403, "role_missing");
  });

  test("only an administrator can see or end another user's sessions", async () => {
    const [agent, victim] = [await createUser(service, "supervisor"), await createUser(service, "reviewer")];
    const end = { method: "DELETE", headers: as(agent) };
    expectProblem(await send(`${api.baseUrl}/sessions/${victim.sessionId}`, end), 404, "session_not_found");
    expectProblem(await get(`/sessions?user_id=${victim.id}`, as(agent)), 403, "role_missing");
    expect(await sessionAt(api.baseUrl, victim)).toBe(200);
  });

  test("a signed-in user cannot remove the last administrator", async () => {
    const only = await createUser(theirs, "admin");
    for (const change of [{ role: "agent" }, { deactivated: true }]) {
      expectProblem(await patch(`/users/${only.id}`, change, as(only)), 409, "last_admin");
    }
  });
});

describe("another workspace", () => {
  test("is invisible to an administrator's session: users, sessions, keys", async () => {
    const them = await createUser(theirs, "admin");
    const nobody = "0190f3c2-7a55-7f0e-9d8e-0c8f5c3f8a11";
    const tries: ((id: string) => Promise<Answer>)[] = [
      (id) => get(`/users/${id}`, as(admin)),
      (id) => patch(`/users/${id}`, { role: "agent" }, as(admin)),
      (id) => sendJson(`${api.baseUrl}/users/${id}/invitation`, { by_mail: false }, as(admin)),
      (id) => get(`/sessions?user_id=${id}`, as(admin)),
    ];
    const plain = (answer: Answer, id: string) => {
      const { others, ...rest } = comparable(answer);
      const { ratelimit: _, ...headers } = others;
      return { ...rest, headers, text: rest.text.replaceAll(id, "<id>") };
    };
    for (const ask of tries) {
      expect(plain(await ask(them.id), them.id)).toEqual(plain(await ask(nobody), nobody));
    }
    const end = (id: string) => send(`${api.baseUrl}/sessions/${id}`, { method: "DELETE", headers: as(admin) });
    expect(plain(await end(them.sessionId), them.sessionId)).toEqual(plain(await end(nobody), nobody));
    expect(await sessionAt(api.baseUrl, them)).toBe(200);
  });

  test("cannot be entered with a password of the user's own workspace", async () => {
    const them = await createUser(theirs, "admin");
    const { body } = await get("/session", as(them));
    const workspace_id = (body as { workspace: { id: string } }).workspace.id;
    const answer = await sendJson(`${api.baseUrl}/session`, {
      email: admin.email,
      password: testPassword,
      workspace_id,
    });
    expectProblem(answer, 401, "sign_in_failed");
  });
});

describe("bodies and headers", () => {
  test("a body that is too large is rejected before it is read; values have limits", async () => {
    const post = (body: unknown) => sendJson(`${api.baseUrl}/session`, body);
    expectProblem(await post({ email: admin.email, password: "x".repeat(70_000) }), 413, "body_too_large");
    expectProblem(await post({ email: admin.email, password: "x".repeat(201) }), 422, "fields_invalid");
    expectProblem(await post({ email: `${"x".repeat(300)}@example.com`, password: "x" }), 422, "fields_invalid");
    expectProblem(await post({ email: { $ne: "" }, password: ["x"] }), 422, "fields_invalid");
    expectProblem(await post([admin.email]), 400, "json_malformed");
    expectProblem(await post({ email: admin.email, password: "x\0y" }), 422, "fields_invalid");
  });

  test.each([
    ["a cookie with another name", "session=x"],
    ["a cookie without a value", "hearback="],
    ["a cookie with quotes", `hearback="${"A".repeat(43)}"`],
    ["a cookie that is too long", `hearback=${"A".repeat(4000)}`],
    ["a thousand cookies", Array.from({ length: 1000 }, (_, n) => `c${n}=1`).join("; ")],
    ["a cookie with SQL", "hearback=' or true --"],
  ])("%s is rejected", async (_, cookie) => {
    expect(await sessionAt(api.baseUrl, { cookie })).toBe(401);
  });

  test("two Cookie headers, two Origins and header injection are rejected", async () => {
    const host = new URL(api.baseUrl).host;
    const ask = async (...lines: string[]) => {
      const connection = await openRaw(api.port);
      const head = ["PATCH /workspace HTTP/1.1", `Host: ${host}`, ...lines, "Content-Length: 2", "", "{}"];
      await connection.send(head.join("\r\n"));
      await connection.waitForAnswers(1, 10_000);
      connection.close();
      return connection.answers[0]?.status;
    };
    const cookie = `Cookie: ${admin.cookie}`;
    const type = "Content-Type: application/json";
    expect(await ask(cookie, cookie, `Origin: ${api.baseUrl}`, type)).toBe(401);
    expect(await ask(cookie, `Origin: ${api.baseUrl}`, "Origin: https://evil.example", type)).toBeGreaterThanOrEqual(
      400,
    );
    expect(await ask(cookie, "Origin: https://evil.example", `Origin: ${api.baseUrl}`, type)).toBeGreaterThanOrEqual(
      400,
    );
    expect(await ask(cookie, `Origin: ${api.baseUrl}`, `Host: evil.example`, type)).toBe(400);
  });

  test("responses with a session or a link are not cacheable, and a cookie does not replace an invalid key", async () => {
    for (const answer of [await signIn(api.baseUrl, admin.email), await get("/session", as(admin))]) {
      expect(answer.headers["cache-control"]).toContain("no-store");
    }
    expect((await get("/session", { ...as(admin), "x-api-key": "hb_c0_x" })).status).toBe(401);
    expect((await get("/session", { ...as(admin), "x-api-key": "" })).status).toBe(401);
  });
});

test("the log contains no personal data and no secrets", () => {
  const log = api.log() + other.log();
  expect(log.length).toBeGreaterThan(1_000);
  for (const secret of [admin.email, admin.cookie.split("=")[1] ?? "", testPassword, "guess number", "@example.com"]) {
    expect(log).not.toContain(secret);
  }
});
