import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { expectProblem } from "../support/expect-problem.ts";
import { type Answer, begin, send } from "../support/http.ts";
import { tablesHolding } from "../support/kept.ts";
import { anUnknownKey, keyChecksum } from "../support/keys.ts";
import { anEmail, callParts, importCall, postCall, postUser, type Service } from "../support/service.ts";
import { aKey, anotherWorkspace, local, target, testLocally } from "../support/target.ts";

const withKey = (apiKey: string): Service => ({ ...target, apiKey });
const anInvitation = () => ({ email: anEmail(), name: "Ann Lee", role: "agent", send_invite_email: false });

const endpoints: [string, (service: Service) => Promise<Answer>][] = [
  ["POST /users/invite", (service) => postUser(service, anInvitation())],
  ["POST /calls/audio", (service) => postCall(service, callParts(service))],
];

/** The last character, or the one in the middle, replaced by its neighbour. */
const changed = (key: string, at: number) => `${key.slice(0, at)}${key[at] === "0" ? "1" : "0"}${key.slice(at + 1)}`;

const malformedKeys: [string, string][] = [
  ["an empty one", ""],
  ["a word", "letmein"],
  ["the prefix alone", "hb_"],
  ["a key with a wrong checksum", changed(target.apiKey, target.apiKey.length - 1)],
  ["a key with one wrong character in the middle", changed(target.apiKey, Math.floor(target.apiKey.length / 2))],
  ["a key with something added", `${target.apiKey}x`],
  ["a key without its last character", target.apiKey.slice(0, -1)],
  ["ten thousand characters", "a".repeat(10_000)],
  ["SQL", "' or '1'='1"],
];

describe.each(endpoints)("seed-interface: Authentication, %s", (_, call) => {
  test("Every request carries the header x-api-key with the caller's API key", async () => {
    expect([200, 201]).toContain((await call(target)).status);
  });

  test("A request with an invalid key is answered with 401", async () => {
    expectProblem(await call(withKey(anUnknownKey())), 401, "unauthenticated");
  });
});

describe("seed-interface: Authentication", () => {
  test.each([
    ["as a bearer token", "/users/invite", { authorization: `Bearer ${target.apiKey}` }],
    ["as a password", "/users/invite", { authorization: `Basic ${btoa(`x:${target.apiKey}`)}` }],
    ["in the address", `/users/invite?x-api-key=${target.apiKey}&api_key=${target.apiKey}`, {}],
  ])("No other scheme is shown: the key %s is no key", async (_, path, headers) => {
    const answer = await send(`${target.baseUrl}${path}`, {
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(anInvitation()),
    });
    expectProblem(answer, 401, "unauthenticated");
  });

  test("the header's name is read without case, as everywhere in HTTP", async () => {
    const answer = await send(`${target.baseUrl}/users/invite`, {
      headers: { "content-type": "application/json", "X-API-KEY": target.apiKey },
      body: JSON.stringify(anInvitation()),
    });
    expect(answer.status, answer.text).toBe(201);
  });
});

/** What a client can tell one 401 from another by. */
function telling(answer: Answer) {
  const { request_id: _, ...problem } = expectProblem(answer, 401, "unauthenticated");
  return { problem, headers: Object.keys(answer.headers).sort() };
}

describe.each(endpoints)("interface: Authentication, %s", (path, call) => {
  const address = target.baseUrl + path.slice("POST ".length);

  test("x-api-key on every request: missing is answered with the same 401", async () => {
    const missing = await send(address, { headers: { "content-type": "application/json" }, body: "{}" });
    expect(telling(missing)).toEqual(telling(await call(withKey(anUnknownKey()))));
  });

  test.each(malformedKeys)("malformed and unknown are answered with the same 401: %s", async (_, key) => {
    expect(telling(await call(withKey(key)))).toEqual(telling(await call(withKey(anUnknownKey()))));
  });

  testLocally("expired is answered with the same 401", async () => {
    const end = Date.now() + 15_000;
    const { key } = await aKey("import", "--expires-at", new Date(end).toISOString());
    expect([200, 201]).toContain((await call(withKey(key))).status);
    await sleep(end + 1000 - Date.now());
    expect(telling(await call(withKey(key)))).toEqual(telling(await call(withKey(anUnknownKey()))));
  });

  testLocally("revoked is answered with the same 401", async () => {
    const { id, key } = await aKey("import");
    expect([200, 201]).toContain((await call(withKey(key))).status);
    await local().command("key", "revoke", "--workspace", local().workspaceId, id);
    await sleep(1000);
    expect(telling(await call(withKey(key)))).toEqual(telling(await call(withKey(anUnknownKey()))));
  });

  test("before any of the body is read", async () => {
    const conversation = begin(address, {
      headers: { "content-type": "multipart/form-data; boundary=x", "content-length": "1000000" },
    });
    expectProblem(await conversation.answer, 401, "unauthenticated");
    conversation.cut();
  });

  test("before any of the body is read, however large it says it is", async () => {
    const conversation = begin(address, {
      headers: { "x-api-key": anUnknownKey(), "content-length": String(2 ** 40) },
    });
    expectProblem(await conversation.answer, 401, "unauthenticated");
    conversation.cut();
  });

  test("with Expect: 100-continue the client never sends it", async () => {
    const answer = await send(address, {
      headers: { "x-api-key": anUnknownKey(), "content-type": "application/json" },
      body: "{}",
      expectContinue: true,
    });
    expectProblem(answer, 401, "unauthenticated");
    expect(answer.continued).toBe(false);
  });

  test("a client that does not ask first and sends all of a large body still gets the 401", async () => {
    const answer = await send(address, {
      headers: { "x-api-key": anUnknownKey(), "content-type": "multipart/form-data; boundary=x" },
      body: Buffer.alloc(8 * 1024 * 1024),
    });
    expectProblem(answer, 401, "unauthenticated");
  });

  testLocally("A key without the scope gets 403: read", async () => {
    expectProblem(await call(withKey((await aKey("read")).key)), 403, "scope_missing");
  });
});

describe("interface: Authentication", () => {
  test("with Expect: 100-continue and a valid key the body is asked for, and the call imported", async () => {
    const answer = await postCall(target, callParts(target), { expectContinue: true });
    expect([answer.status, answer.continued], answer.text).toEqual([200, true]);
  });

  testLocally("A key without the scope gets 403: manage does not import calls", async () => {
    const manager = withKey((await aKey("manage")).key);
    expectProblem(await postCall(manager, callParts(manager)), 403, "scope_missing");
  });

  testLocally("A key belongs to one workspace", async () => {
    const other = await anotherWorkspace();
    const mine = await importCall(other);
    expect(mine.agent.email).toBe(other.agentEmail);
    const strange = { ...other, agentEmail: target.agentEmail };
    expectProblem(await postCall(strange, callParts(strange)), 404, "agent_not_found");
  });

  test.each(["reviewer", "supervisor", "admin"])("An import key creates agents only: not a %s", async (role) => {
    const email = anEmail(role);
    expectProblem(await postUser(target, { ...anInvitation(), email, role }), 403, "scope_missing");
    const free = await postUser(target, { ...anInvitation(), email });
    expect(free.status, "the refused request must not have taken the e-mail").toBe(201);
  });

  testLocally(
    "Shape: hb_<cell>_<43 base62 characters of 256 random bits><6 of CRC32>, cell c0 by default",
    async () => {
      const { key } = await aKey("import");
      expect(key).toMatch(/^hb_c0_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
      expect(key.slice(-6)).toBe(keyChecksum(key.slice(0, -6)));
      expect(key).not.toBe((await aKey("import")).key);
    },
  );

  testLocally("Only its SHA-256 is stored", async () => {
    const { key } = await aKey("import");
    expect(await tablesHolding(local(), key)).toEqual([]);
    const random = key.slice("hb_c0_".length, -6);
    expect(await tablesHolding(local(), random)).toEqual([]);
    const stored = await tablesHolding(local(), createHash("sha256").update(key).digest("hex"));
    expect(stored).toHaveLength(1);
  });

  testLocally("Revoking takes effect within a second on every process", async () => {
    const [first, second] = await Promise.all([local().startApi(), local().startApi()]);
    const { id, key } = await aKey("import");
    const services = [first, second].map((api) => ({ ...withKey(key), baseUrl: api.baseUrl }));
    const statuses = async () => {
      const answers = await Promise.all(services.map((service) => postUser(service, {})));
      return answers.map((answer) => answer.status);
    };
    // Asked several times, so that whatever remembers keys remembers this one.
    for (let round = 0; round < 3; round++) expect(await statuses()).toEqual([400, 400]);
    await local().command("key", "revoke", "--workspace", local().workspaceId, id);
    await sleep(1000);
    expect(await statuses()).toEqual([401, 401]);
    await Promise.all([first.stop(), second.stop()]);
  });
});
