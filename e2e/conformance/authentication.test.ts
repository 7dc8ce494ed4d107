import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { tablesHolding } from "../support/data/stored-rows.ts";
import { expectProblem } from "../support/http/expect-problem.ts";
import { type Answer, begin, send } from "../support/http/http.ts";
import { keyChecksum, makeUnknownKey } from "../support/http/keys.ts";
import { callParts, importCall, postCall, postUser, type Service, uniqueEmail } from "../support/http/service.ts";
import { anotherWorkspace, createKey, local, target, testLocally } from "../support/stack/target.ts";

const withKey = (apiKey: string): Service => ({ ...target, apiKey });
const makeInvitation = () => ({ email: uniqueEmail(), name: "Ann Lee", role: "agent", send_invite_email: false });

const endpoints: [string, (service: Service) => Promise<Answer>][] = [
  ["POST /users/invite", (service) => postUser(service, makeInvitation())],
  ["POST /calls/audio", (service) => postCall(service, callParts(service))],
];

/** Replaces one character of the key. */
const changed = (key: string, at: number) => `${key.slice(0, at)}${key[at] === "0" ? "1" : "0"}${key.slice(at + 1)}`;

const malformedKeys: [string, string][] = [
  ["an empty key", ""],
  ["a word", "letmein"],
  ["the prefix alone", "hb_"],
  ["a key with a wrong checksum", changed(target.apiKey, target.apiKey.length - 1)],
  ["a key with one wrong character in the middle", changed(target.apiKey, Math.floor(target.apiKey.length / 2))],
  ["a key with an extra character", `${target.apiKey}x`],
  ["a key without its last character", target.apiKey.slice(0, -1)],
  ["ten thousand characters", "a".repeat(10_000)],
  ["SQL", "' or '1'='1"],
];

describe.each(endpoints)("docs/integrating.md: authentication, %s", (_, call) => {
  test("accepts the API key in the x-api-key header", async () => {
    expect([200, 201]).toContain((await call(target)).status);
  });

  test("rejects an invalid key with 401", async () => {
    expectProblem(await call(withKey(makeUnknownKey())), 401, "unauthenticated");
  });
});

describe("docs/integrating.md: authentication", () => {
  test.each([
    ["as a bearer token", "/users/invite", { authorization: `Bearer ${target.apiKey}` }],
    ["as a password", "/users/invite", { authorization: `Basic ${btoa(`x:${target.apiKey}`)}` }],
    ["in the URL", `/users/invite?x-api-key=${target.apiKey}&api_key=${target.apiKey}`, {}],
  ])("ignores an API key sent %s", async (_, path, headers) => {
    const answer = await send(`${target.baseUrl}${path}`, {
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(makeInvitation()),
    });
    expectProblem(answer, 401, "unauthenticated");
  });

  test("the header name is case-insensitive", async () => {
    const answer = await send(`${target.baseUrl}/users/invite`, {
      headers: { "content-type": "application/json", "X-API-KEY": target.apiKey },
      body: JSON.stringify(makeInvitation()),
    });
    expect(answer.status, answer.text).toBe(201);
  });
});

/** Everything in a 401 that a client can compare. */
function comparable(answer: Answer) {
  const { request_id: _, ...problem } = expectProblem(answer, 401, "unauthenticated");
  return { problem, headers: Object.keys(answer.headers).sort() };
}

describe.each(endpoints)("docs/errors.md: unauthenticated, %s", (path, call) => {
  const address = target.baseUrl + path.slice("POST ".length);

  test("the 401 for a missing key names the header and shows its form", async () => {
    const missing = await send(address, { headers: { "content-type": "application/json" }, body: "{}" });
    expect(expectProblem(missing, 401, "unauthenticated").detail).toMatch(/no x-api-key header.*`x-api-key: hb_…`/);
  });

  test.each(malformedKeys)("malformed and unknown keys get the same 401: %s", async (_, key) => {
    expect(comparable(await call(withKey(key)))).toEqual(comparable(await call(withKey(makeUnknownKey()))));
  });

  testLocally("an expired key gets the same 401", async () => {
    const end = Date.now() + 6_000;
    const { key } = await createKey("import", "--expires-at", new Date(end).toISOString());
    expect([200, 201]).toContain((await call(withKey(key))).status);
    await sleep(end + 1000 - Date.now());
    expect(comparable(await call(withKey(key)))).toEqual(comparable(await call(withKey(makeUnknownKey()))));
  });

  testLocally("a revoked key gets the same 401", async () => {
    const { id, key } = await createKey("import");
    expect([200, 201]).toContain((await call(withKey(key))).status);
    await local().command("key", "revoke", "--workspace", local().workspaceId, id);
    await sleep(1000);
    expect(comparable(await call(withKey(key)))).toEqual(comparable(await call(withKey(makeUnknownKey()))));
  });

  test("rejects before the body is read", async () => {
    const conversation = begin(address, {
      headers: { "content-type": "multipart/form-data; boundary=x", "content-length": "1000000" },
    });
    expectProblem(await conversation.answer, 401, "unauthenticated");
    conversation.cut();
  });

  test("rejects before the body is read, whatever its Content-Length", async () => {
    const conversation = begin(address, {
      headers: { "x-api-key": makeUnknownKey(), "content-length": String(2 ** 40) },
    });
    expectProblem(await conversation.answer, 401, "unauthenticated");
    conversation.cut();
  });

  test("with Expect: 100-continue the client never sends the body", async () => {
    const answer = await send(address, {
      headers: { "x-api-key": makeUnknownKey(), "content-type": "application/json" },
      body: "{}",
      expectContinue: true,
    });
    expectProblem(answer, 401, "unauthenticated");
    expect(answer.continued).toBe(false);
  });

  test("a client that sends a large body without Expect gets the 401", async () => {
    const answer = await send(address, {
      headers: { "x-api-key": makeUnknownKey(), "content-type": "multipart/form-data; boundary=x" },
      body: Buffer.alloc(8 * 1024 * 1024),
    });
    expectProblem(answer, 401, "unauthenticated");
  });

  testLocally("a key with the read scope gets 403", async () => {
    expectProblem(await call(withKey((await createKey("read")).key)), 403, "scope_missing");
  });
});

describe("docs/errors.md: authentication and scopes", () => {
  test("with Expect: 100-continue and a valid key the call is imported", async () => {
    const answer = await postCall(target, callParts(target), { expectContinue: true });
    expect([answer.status, answer.continued], answer.text).toEqual([200, true]);
  });

  testLocally("a key with the manage scope cannot import calls", async () => {
    const manager = withKey((await createKey("manage")).key);
    expectProblem(await postCall(manager, callParts(manager)), 403, "scope_missing");
  });

  testLocally("a key belongs to one workspace", async () => {
    const other = await anotherWorkspace();
    const mine = await importCall(other);
    expect(mine.agent.email).toBe(other.agentEmail);
    const strange = { ...other, agentEmail: target.agentEmail };
    expectProblem(await postCall(strange, callParts(strange)), 404, "agent_not_found");
  });

  test.each(["reviewer", "supervisor", "admin"])("an import key creates agents only, not a %s", async (role) => {
    const email = uniqueEmail(role);
    expectProblem(await postUser(target, { ...makeInvitation(), email, role }), 403, "scope_missing");
    const free = await postUser(target, { ...makeInvitation(), email });
    expect(free.status, "the refused request must not have taken the e-mail").toBe(201);
  });

  testLocally(
    "key format: hb_<cell>_<43 base62 characters of 256 random bits><6 of CRC32>, cell c0 by default",
    async () => {
      const { key } = await createKey("import");
      expect(key).toMatch(/^hb_c0_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);
      expect(key.slice(-6)).toBe(keyChecksum(key.slice(0, -6)));
      expect(key).not.toBe((await createKey("import")).key);
    },
  );

  testLocally("only the SHA-256 of a key is stored", async () => {
    const { key } = await createKey("import");
    expect(await tablesHolding(local(), key)).toEqual([]);
    const random = key.slice("hb_c0_".length, -6);
    expect(await tablesHolding(local(), random)).toEqual([]);
    const stored = await tablesHolding(local(), createHash("sha256").update(key).digest("hex"));
    expect(stored).toHaveLength(1);
  });

  testLocally("revocation takes effect within 1 s on every process", async () => {
    const [first, second] = await Promise.all([local().startApi(), local().startApi()]);
    const { id, key } = await createKey("import");
    const services = [first, second].map((api) => ({ ...withKey(key), baseUrl: api.baseUrl }));
    const statuses = async () => {
      const answers = await Promise.all(services.map((service) => postUser(service, {})));
      return answers.map((answer) => answer.status);
    };
    // Several requests, so that every cache holds this key.
    for (let round = 0; round < 3; round++) expect(await statuses()).toEqual([400, 400]);
    await local().command("key", "revoke", "--workspace", local().workspaceId, id);
    await sleep(1000);
    expect(await statuses()).toEqual([401, 401]);
    await Promise.all([first.stop(), second.stop()]);
  });
});
