import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callerHeaders } from "../support/caller.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { type Answer, send } from "../support/http.ts";
import { aLink, aPassword, aPerson, cookieOf, type Managed, type Person, sendJson, signIn } from "../support/people.ts";
import { openRaw } from "../support/raw-http.ts";
import { anEmail } from "../support/service.ts";
import { type ApiProcess, openStack, type Stack } from "../support/stack.ts";

/*
 * What somebody tries who wants in, or wants more than they may. Each attempt and its outcome is listed in
 * docs/security/console.md.
 */
let stack: Stack;
let api: ApiProcess;
/** Another process of the same installation. */
let other: ApiProcess;
let service: Managed;
let theirs: Managed;
let admin: Person;

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
  admin = await aPerson(service, "admin");
}, 300_000);
afterAll(async () => {
  await stack?.stop();
});

const as = ({ cookie }: Pick<Person, "cookie">, baseUrl = api.baseUrl) => callerHeaders(cookie, baseUrl);
const get = (path: string, headers: Record<string, string>, baseUrl = api.baseUrl) =>
  send(`${baseUrl}${path}`, { method: "GET", headers });
const sessionAt = async (baseUrl: string, person: Pick<Person, "cookie">) =>
  (await get("/session", as(person, baseUrl), baseUrl)).status;
const patch = (path: string, body: unknown, headers: Record<string, string>) =>
  sendJson(`${api.baseUrl}${path}`, body, headers, "PATCH");
const invite = (headers: Record<string, string>, role = "reviewer") =>
  sendJson(`${api.baseUrl}/users/invite`, { email: anEmail(), name: "A", role, send_invite_email: false }, headers);

/** What its receiver can tell two answers by. */
function told({ status, headers, text }: Answer) {
  const { date: _, "x-request-id": requestId, ...others } = headers;
  return { status, others, text: text.replaceAll(String(requestId), "<request>") };
}

describe("fixation", () => {
  test("a cookie that was planted before signing in is not adopted", async () => {
    const planted = `hearback=${"B".repeat(43)}`;
    const answer = await signIn(api.baseUrl, admin.email, aPassword, { cookie: planted });
    expect(answer.status).toBe(200);
    expect(cookieOf(answer)).not.toBe(planted);
    expect(await sessionAt(api.baseUrl, { cookie: planted })).toBe(401);
  });

  test("nor is somebody else's session: signing in gives a new one, and leaves the planted one what it was", async () => {
    const attacker = await aPerson(service, "agent");
    const victim = await aPerson(service, "reviewer");
    const answer = await signIn(api.baseUrl, victim.email, aPassword, { cookie: attacker.cookie });
    expect(cookieOf(answer)).not.toBe(attacker.cookie);
    const still = await get("/session", as(attacker));
    expect(still.body).toMatchObject({ user: { id: attacker.id } });
  });

  test("a second cookie of the same name, put beside the real one, opens nothing", async () => {
    const attacker = await aPerson(service, "agent");
    for (const cookie of [`${attacker.cookie}; ${admin.cookie}`, `${admin.cookie}; ${attacker.cookie}`]) {
      expect(await sessionAt(api.baseUrl, { cookie })).toBe(401);
    }
  });
});

describe("the cookie", () => {
  test("is for this host alone, read by no script, sent by no other site's form, and names nobody", async () => {
    const [cookie = ""] = (await signIn(api.baseUrl, admin.email)).headers["set-cookie"] ?? [];
    const [value, ...flags] = cookie.split("; ");
    expect(value).toMatch(/^hearback=[\w-]{43}$/);
    expect(flags.map((flag) => flag.split("=")[0])).toEqual(["Path", "Max-Age", "HttpOnly", "SameSite"]);
    expect(flags).toContain("SameSite=Lax");
    expect(cookie).not.toMatch(/domain/i);
  });

  test("is bound to TLS and to the very host where the public address has TLS", async () => {
    const secure = await stack.startApi({ env: { PUBLIC_URL: "https://hearback.example.com" } });
    const [cookie = ""] = (await signIn(secure.baseUrl, admin.email)).headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^__Host-hearback=.*; Path=\/; .*; HttpOnly; SameSite=Lax; Secure$/);
    const name = cookie.split(";")[0] ?? "";
    const bare = name.replace("__Host-", "");
    expect((await get("/session", { cookie: bare }, secure.baseUrl)).status).toBe(401);
    // A page that came without TLS, by whoever sits in between.
    const host = new URL(secure.baseUrl).host;
    const plain = { cookie: name, origin: `http://${host}` };
    expect((await send(`${secure.baseUrl}/session`, { method: "DELETE", headers: plain })).status).toBe(403);
    await secure.stop();
  });

  test("is not in the database, nor is any password", async () => {
    const { rows } = await stack.adminDb.query<{ all: string }>(
      `select (select string_agg(s::text, ' ') from session s) || (select string_agg(c::text, ' ') from credential c)
        || (select string_agg(l::text, ' ') from access_link l) as all`,
    );
    const value = admin.cookie.split("=")[1] ?? "";
    expect(rows[0]?.all).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
    for (const secret of [value, Buffer.from(value, "base64url").toString("hex"), aPassword]) {
      expect(rows[0]?.all).not.toContain(secret);
    }
  });
});

describe("requests of other sites", () => {
  const change = (headers: Record<string, string>, body = '{"name":"Taken"}') =>
    send(`${api.baseUrl}/workspace`, { method: "PATCH", headers: { cookie: admin.cookie, ...headers }, body });
  const json = { "content-type": "application/json" };

  test.each([
    ["from another site", { origin: "https://evil.example" }],
    ["from a page without an origin (a sandboxed frame, a file)", { origin: "null" }],
    ["without any Origin", {}],
    ["from a host whose name begins like ours", { origin: "http://127.0.0.1.evil.example" }],
    ["from another port of the same host", { origin: "http://127.0.0.1:1" }],
    ["from another scheme", { origin: "ftp://127.0.0.1" }],
    ["with an Origin that is no address", { origin: "127.0.0.1" }],
    ["with the right Referer and no Origin", { referer: "http://127.0.0.1/console/" }],
  ])("a change %s is refused", async (_, headers) => {
    expectProblem(await change({ ...json, ...headers }), 403, "origin_forbidden");
  });

  test.each([
    ["application/x-www-form-urlencoded", "name=Taken"],
    ["text/plain", '{"name":"Taken"}'],
    ["multipart/form-data; boundary=b", "--b--"],
  ])("a form post of the type %s is refused by where it comes from, and by what it is", async (type, body) => {
    const headers = { "content-type": type, origin: "https://evil.example" };
    expectProblem(await change(headers, body), 403, "origin_forbidden");
    expectProblem(await change({ ...headers, origin: api.baseUrl }, body), 400, "content_type_wrong");
  });

  test("an import by a foreign form is refused before its body is read", async () => {
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
    "what another site has a browser fetch is refused: %s",
    async (path) => {
      const headers = { cookie: admin.cookie, "sec-fetch-site": "cross-site" };
      expectProblem(await get(path, headers), 403, "origin_forbidden");
    },
  );

  test("no other site is allowed to read an answer, or to ask for leave", async () => {
    const read = await get("/session", { cookie: admin.cookie, origin: "https://evil.example" });
    expect(Object.keys(read.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    const asked = await send(`${api.baseUrl}/session`, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "DELETE" },
    });
    expect([asked.status, asked.headers["access-control-allow-origin"]]).toEqual([404, undefined]);
  });

  test("nobody is signed in or sent a letter by another site", async () => {
    const headers = { origin: "https://evil.example" };
    const token = await aLink(service, (await aPerson(service, "agent")).id);
    for (const [path, body] of [
      ["/session", { email: admin.email, password: aPassword }],
      ["/session/forgotten", { email: admin.email }],
      ["/session/link/look", { token }],
      ["/session/link", { token, password: aPassword }],
    ] as const) {
      const answer = await sendJson(`${api.baseUrl}${path}`, body, headers);
      expectProblem(answer, 403, "origin_forbidden");
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
  });

  test("nothing was changed by any of it", async () => {
    expect((await get("/workspace", as(admin))).body).toMatchObject({ name: "Acme" });
  });
});

describe("guessing", () => {
  test("five are free, on however many processes and however many at once; then Retry-After grows", async () => {
    const { email } = await aPerson(service, "agent");
    const guesses = Array.from({ length: 20 }, (_, n) =>
      signIn((n % 2 ? api : other).baseUrl, email, `guess number ${n}`),
    );
    const answers = await Promise.all(guesses);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(15);
    for (const answer of refused) expectProblem(answer, 429, "sign_in_limited");
    // The right one has to wait, too.
    expect((await signIn(other.baseUrl, email)).status).toBe(429);
    await sleep(6_000);
    expect((await signIn(api.baseUrl, email, "a sixth guess")).status).toBe(401);
    const again = await signIn(other.baseUrl, email);
    expect(Number(again.headers["retry-after"])).toBeGreaterThan(5);
  });

  test("a header does not make it another address, unless a proxy is trusted", async () => {
    const { email } = await aPerson(service, "agent");
    const statuses = [];
    for (let n = 0; n < 7; n++) {
      const headers = { "x-forwarded-for": `10.0.0.${n}`, forwarded: `for=10.0.0.${n}`, "x-real-ip": `10.0.0.${n}` };
      statuses.push((await signIn(api.baseUrl, email, "guess", headers)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    const behind = await stack.startApi({ env: { TRUSTED_PROXIES: "127.0.0.0/8" } });
    expect((await signIn(behind.baseUrl, email, aPassword, { "x-forwarded-for": "10.0.0.99" })).status).toBe(200);
    await behind.stop();
  });

  test("another writing of the address is the same address", async () => {
    const { email } = await aPerson(service, "agent");
    for (let n = 0; n < 5; n++) await signIn(api.baseUrl, n % 2 ? email.toUpperCase() : ` ${email} `, "guess");
    expect((await signIn(api.baseUrl, email)).status).toBe(429);
  });
});

describe("who is there", () => {
  test("is not told: unknown, known, deactivated and without a password are answered alike", async () => {
    const known = await aPerson(service, "agent");
    const gone = await aPerson(service, "agent");
    await patch(`/users/${gone.id}`, { deactivated: true }, { "x-api-key": service.manageKey });
    const emails = [known.email, gone.email, stack.agentEmail, anEmail("nobody")];
    const answers = await Promise.all(emails.map((email) => signIn(api.baseUrl, email, "a wrong password")));
    for (const answer of answers) expect(told(answer)).toEqual(told(answers[0] as Answer));
    expectProblem(answers[0] as Answer, 401, "sign_in_failed");
    const asked = await Promise.all(emails.map((email) => sendJson(`${api.baseUrl}/session/forgotten`, { email })));
    for (const answer of asked) expect(told(answer)).toEqual(told(asked[0] as Answer));
  });

  test("nor by how long the answer takes", async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => aPerson(service, "agent")));
    const timed = async (email: string) => {
      const began = performance.now();
      await signIn(api.baseUrl, email, "a wrong password");
      return performance.now() - began;
    };
    const [known, unknown]: [number[], number[]] = [[], []];
    // In turns, so that a busy machine slows both.
    for (let round = 0; round < 3; round++) {
      for (const { email } of people) {
        known.push(await timed(email));
        unknown.push(await timed(anEmail("nobody")));
      }
    }
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
    const ratio = median(known) / median(unknown);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.7);
  });
});

describe("what has ended", () => {
  /** Until a second after something, by the clock. */
  const withinASecond = async (since: number) => sleep(Math.max(0, since + 1_000 - performance.now()));

  test("a session that was signed out or ended is nobody's on another process within a second", async () => {
    const [own, ended] = [await aPerson(service, "reviewer"), await aPerson(service, "reviewer")];
    for (const person of [own, ended]) expect(await sessionAt(other.baseUrl, person)).toBe(200);
    const since = performance.now();
    await send(`${api.baseUrl}/session`, { method: "DELETE", headers: as(own) });
    await send(`${api.baseUrl}/sessions/${ended.sessionId}`, { method: "DELETE", headers: as(admin) });
    await withinASecond(since);
    for (const person of [own, ended]) expect(await sessionAt(other.baseUrl, person)).toBe(401);
  });

  test("who is deactivated, demoted or erased is so on another process within a second", async () => {
    const [gone, demoted] = [await aPerson(service, "admin"), await aPerson(service, "admin")];
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

  test("a new password ends every session but the one that chose it", async () => {
    const person = await aPerson(service, "agent");
    const elsewhere = { cookie: cookieOf(await signIn(other.baseUrl, person.email)) };
    const change = { current_password: aPassword, new_password: "another horse, another battery" };
    const since = performance.now();
    expect((await sendJson(`${api.baseUrl}/session/password`, change, as(person))).status).toBe(204);
    await withinASecond(since);
    expect([await sessionAt(other.baseUrl, person), await sessionAt(other.baseUrl, elsewhere)]).toEqual([200, 401]);
  });

  test("a session ends by its age and by its silence", async () => {
    for (const column of ["expires_at", "idle_until"]) {
      const person = await aPerson(service, "agent");
      await stack.adminDb.query(`update session set ${column} = now() where id = $1`, [person.sessionId]);
      await sleep(1_000);
      expect(await sessionAt(api.baseUrl, person)).toBe(401);
    }
  });
});

describe("links", () => {
  const use = (token: string, more: object = {}) =>
    sendJson(`${api.baseUrl}/session/link`, { token, password: aPassword, ...more });
  const ended = (answer: Answer) => expectProblem(answer, 404, "link_ended");

  test("are used once, also by two at the same time on two processes", async () => {
    const { id } = await aPerson(service, "agent");
    const token = await aLink(service, id);
    const uses = [api, other, api, other].map(({ baseUrl }) =>
      sendJson(`${baseUrl}/session/link`, { token, password: aPassword }),
    );
    expect((await Promise.all(uses)).map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    ended(await use(token));
  });

  test("that have expired, were replaced, or belong to somebody who is gone do not work", async () => {
    const [expired, replaced, gone] = [
      await aPerson(service, "agent"),
      await aPerson(service, "agent"),
      await aPerson(service, "agent"),
    ];
    const tokens = await Promise.all([expired, replaced, gone].map(({ id }) => aLink(service, id)));
    await stack.adminDb.query("update access_link set expires_at = now() where user_id = $1", [expired.id]);
    await aLink(service, replaced.id);
    await patch(`/users/${gone.id}`, { deactivated: true }, as(admin));
    for (const token of tokens) {
      ended(await sendJson(`${api.baseUrl}/session/link/look`, { token }));
      ended(await use(token));
    }
  });

  test("do not become something else: a personal link makes no workspace, a session's cookie and a key are no link", async () => {
    const { id } = await aPerson(service, "agent");
    const token = await aLink(service, id);
    const made = { email: anEmail("first"), name: "First", workspace_name: "Mine" };
    const used = await use(token, made);
    expect(used.body).toMatchObject({ user: { id, role: "agent" }, workspace: { id: stack.workspaceId } });
    const { rows } = await stack.adminDb.query("select from workspace where name = 'Mine'");
    expect(rows).toEqual([]);
    ended(await use(cookieOf(used).split("=")[1] ?? ""));
    ended(await use(service.manageKey));
    expect(await sessionAt(api.baseUrl, { cookie: `hearback=${token}` })).toBe(401);
  });

  test("for setting up are used once, and need whoever runs the installation", async () => {
    const { link } = await stack.command<{ link: string }>("setup", "--json");
    const token = link.split("#")[1] ?? "";
    const made = { email: anEmail("first"), name: "First", workspace_name: "New" };
    const uses = await Promise.all([use(token, made), use(token, made)]);
    expect(uses.map(({ status }) => status).sort()).toEqual([200, 404]);
    await stack.adminDb.query("update setup_link set ended_at = null, expires_at = now()");
    ended(await use(token, made));
  });

  test.each(["", " ", "A", "A".repeat(44), `${"A".repeat(42)}=`, "../../etc", "%00", "' or 1=1 --"])(
    "that are none are refused: %j",
    async (token) => {
      expect([404, 422]).toContain((await use(token)).status);
    },
  );
});

describe("more than one may", () => {
  test("a supervisor makes no administrator, and no supervisor, and does not see a link", async () => {
    const supervisor = await aPerson(service, "supervisor");
    for (const role of ["supervisor", "admin"]) expectProblem(await invite(as(supervisor), role), 403, "role_missing");
    const reviewer = await aPerson(service, "reviewer");
    const sent = await sendJson(`${api.baseUrl}/users/${reviewer.id}/invitation`, { by_mail: false }, as(supervisor));
    expect(sent.body).toEqual({ invitation: "not_configured", link: null, expires_at: null });
    expectProblem(
      await sendJson(`${api.baseUrl}/users/${admin.id}/invitation`, {}, as(supervisor)),
      403,
      "role_missing",
    );
  });

  test("nobody but an administrator changes a role, also not their own", async () => {
    for (const role of ["agent", "reviewer", "supervisor"] as const) {
      const person = await aPerson(service, role);
      expectProblem(await patch(`/users/${person.id}`, { role: "admin" }, as(person)), 403, "role_missing");
      expectProblem(
        await sendJson(`${api.baseUrl}/keys`, { name: "k", scopes: ["manage"] }, as(person)),
        403,
        "role_missing",
      );
    }
  });

  test("a role, a person or a workspace in a body or a header changes nothing", async () => {
    const agent = await aPerson(service, "agent");
    const claims = { "x-role": "admin", "x-user-id": admin.id, "x-workspace-id": stack.workspaceId };
    expectProblem(await get("/keys", { ...as(agent), ...claims }), 403, "role_missing");
    const body = { email: agent.email, password: aPassword, role: "admin" };
    expectProblem(await sendJson(`${api.baseUrl}/session`, body), 422, "fields_invalid");
    expectProblem(await get("/keys", { ...as(agent), "x-http-method-override": "GET" }), 403, "role_missing");
  });

  test("another's session is not seen or ended, but by an administrator", async () => {
    const [agent, victim] = [await aPerson(service, "supervisor"), await aPerson(service, "reviewer")];
    const end = { method: "DELETE", headers: as(agent) };
    expectProblem(await send(`${api.baseUrl}/sessions/${victim.sessionId}`, end), 404, "session_not_found");
    expectProblem(await get(`/sessions?user_id=${victim.id}`, as(agent)), 403, "role_missing");
    expect(await sessionAt(api.baseUrl, victim)).toBe(200);
  });

  test("the last administrator cannot be taken away by somebody who is signed in", async () => {
    const only = await aPerson(theirs, "admin");
    for (const change of [{ role: "agent" }, { deactivated: true }]) {
      expectProblem(await patch(`/users/${only.id}`, change, as(only)), 409, "last_admin");
    }
  });
});

describe("another workspace", () => {
  test("is as nobody's to an administrator's session: people, sessions, keys", async () => {
    const them = await aPerson(theirs, "admin");
    const nobody = "0190f3c2-7a55-7f0e-9d8e-0c8f5c3f8a11";
    const tries: ((id: string) => Promise<Answer>)[] = [
      (id) => get(`/users/${id}`, as(admin)),
      (id) => patch(`/users/${id}`, { role: "agent" }, as(admin)),
      (id) => sendJson(`${api.baseUrl}/users/${id}/invitation`, { by_mail: false }, as(admin)),
      (id) => get(`/sessions?user_id=${id}`, as(admin)),
    ];
    const plain = (answer: Answer, id: string) => {
      const { others, ...rest } = told(answer);
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

  test("is not entered by naming it: the password must be right there", async () => {
    const them = await aPerson(theirs, "admin");
    const { body } = await get("/session", as(them));
    const workspace_id = (body as { workspace: { id: string } }).workspace.id;
    const answer = await sendJson(`${api.baseUrl}/session`, { email: admin.email, password: aPassword, workspace_id });
    expectProblem(answer, 401, "sign_in_failed");
  });
});

describe("bodies and headers", () => {
  test("a body that is too large is refused before it is read; values have bounds", async () => {
    const post = (body: unknown) => sendJson(`${api.baseUrl}/session`, body);
    expectProblem(await post({ email: admin.email, password: "x".repeat(70_000) }), 413, "body_too_large");
    expectProblem(await post({ email: admin.email, password: "x".repeat(201) }), 422, "fields_invalid");
    expectProblem(await post({ email: `${"x".repeat(300)}@example.com`, password: "x" }), 422, "fields_invalid");
    expectProblem(await post({ email: { $ne: "" }, password: ["x"] }), 422, "fields_invalid");
    expectProblem(await post([admin.email]), 400, "json_malformed");
    expectProblem(await post({ email: admin.email, password: "x\0y" }), 422, "fields_invalid");
  });

  test.each([
    ["a cookie of another name", "session=x"],
    ["a cookie without a value", "hearback="],
    ["a cookie with quotes", `hearback="${"A".repeat(43)}"`],
    ["a cookie that is too long", `hearback=${"A".repeat(4000)}`],
    ["a thousand cookies", Array.from({ length: 1000 }, (_, n) => `c${n}=1`).join("; ")],
    ["a cookie with SQL", "hearback=' or true --"],
  ])("%s is nobody's", async (_, cookie) => {
    expect(await sessionAt(api.baseUrl, { cookie })).toBe(401);
  });

  test("two Cookie headers, two Origins and a header within a header open nothing", async () => {
    const host = new URL(api.baseUrl).host;
    const ask = async (...lines: string[]) => {
      const connection = await openRaw(api.port);
      const head = ["PATCH /workspace HTTP/1.1", `Host: ${host}`, ...lines, "Content-Length: 2", "", "{}"];
      await connection.send(head.join("\r\n"));
      await connection.settled(1, 10_000);
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

  test("answers that hold a session or a link are kept by no cache, and a wrong key is not mended by a cookie", async () => {
    for (const answer of [await signIn(api.baseUrl, admin.email), await get("/session", as(admin))]) {
      expect(answer.headers["cache-control"]).toContain("no-store");
    }
    expect((await get("/session", { ...as(admin), "x-api-key": "hb_c0_x" })).status).toBe(401);
    expect((await get("/session", { ...as(admin), "x-api-key": "" })).status).toBe(401);
  });
});

test("nothing personal or secret is in the log", () => {
  const log = api.log() + other.log();
  expect(log.length).toBeGreaterThan(1_000);
  for (const secret of [admin.email, admin.cookie.split("=")[1] ?? "", aPassword, "guess number", "@example.com"]) {
    expect(log).not.toContain(secret);
  }
});
