import { describe, expect, test } from "vitest";
import { detailsOf, expectProblem } from "../support/http/expect-problem.ts";
import { type Answer, send } from "../support/http/http.ts";
import { makeUnknownKey } from "../support/http/keys.ts";
import { callParts, createAgent, importCall, postCall, postUser, uniqueEmail } from "../support/http/service.ts";
import { createKey, local, target, testLocally } from "../support/stack/target.ts";

const email = uniqueEmail();
const failures: [number, string, () => Promise<Answer>][] = [
  [400, "content_type_wrong", () => postUser(target, {}, { headers: { "content-type": "application/xml" } })],
  [400, "json_malformed", () => postUser(target, "{")],
  [400, "member_missing", () => postUser(target, {})],
  [400, "part_missing", () => postCall(target, [])],
  [400, "part_repeated", () => postCall(target, [...callParts(target), ...callParts(target)])],
  [400, "part_not_file", () => postCall(target, callParts(target, { file: { name: "file", value: "x" } }))],
  [
    400,
    "part_not_text",
    () => postCall(target, callParts(target, { metadata: { name: "metadata", value: "[]", filename: "m.json" } })),
  ],
  [400, "body_malformed", () => postCall(target, [], { body: "no form" })],
  [401, "unauthenticated", () => postUser({ ...target, apiKey: makeUnknownKey() }, {})],
  [403, "scope_missing", () => postUser(target, { email: uniqueEmail(), name: "Ann Lee", role: "admin" })],
  [404, "campaign_not_found", () => postCall(target, callParts(target, { campaign_id: "no-such-campaign" }))],
  [404, "agent_not_found", () => postCall(target, callParts(target, { agent_email: email }))],
  [404, "not_found", () => send(`${target.baseUrl}/no/such/route`, { headers: { "x-api-key": target.apiKey } })],
  [409, "user_exists", () => postUser(target, { email: target.agentEmail, name: "Ann Lee", role: "agent" })],
  [422, "fields_invalid", () => postCall(target, callParts(target, { conversation_timestamp: "noon" }))],
  [422, "recording_empty", () => postCall(target, callParts(target, { file: Buffer.alloc(0) }))],
  [422, "recording_not_audio", () => postCall(target, callParts(target, { file: Buffer.from("no audio") }))],
];

describe("docs/errors.md: problem details (RFC 9457)", () => {
  test.each(failures)("%i %s", async (status, code, fail) => {
    // expectProblem asserts every member.
    expectProblem(await fail(), status, code);
  });

  test.each(failures)("type is a page on the service that explains the code: %i %s", async (status, code, fail) => {
    const { type } = expectProblem(await fail(), status, code);
    const page = await send(target.baseUrl + type, { method: "GET", headers: { "x-api-key": target.apiKey } });
    expect(page.status, page.text).toBe(200);
    expect(page.text).toContain(code);
  });

  test.each(["recording_too_large", "body_incomplete", "campaign_archived", "recording_truncated"])(
    "/errors/<code> explains the code: %s",
    async (code) => {
      const address = `${target.baseUrl}/errors/${code}`;
      const page = await send(address, { method: "GET", headers: { "x-api-key": target.apiKey } });
      expect(page.status, page.text).toBe(200);
      expect(page.text).toContain(code);
    },
  );

  test.each(failures.filter(([status]) => status === 400 || status === 422))(
    "400 and 422 list errors: %i %s",
    async (status, code, fail) => {
      const problem = expectProblem(await fail(), status, code);
      expect(problem.errors, JSON.stringify(problem)).toBeInstanceOf(Array);
    },
  );

  test("the same failure has the same code and title", async () => {
    const first = expectProblem(await postCall(target, callParts(target, { agent_email: uniqueEmail() })), 404);
    const second = expectProblem(await postCall(target, callParts(target, { agent_email: uniqueEmail() })), 404);
    expect([second.code, second.title, second.type]).toEqual([first.code, first.title, first.type]);
  });

  test("detail says what was sent and how to fix it: an unknown agent", async () => {
    const { detail } = expectProblem(await postCall(target, callParts(target, { agent_email: email })), 404);
    expect(detail).toContain(email);
    expect(detail).toContain("/users/invite");
  });

  test.each([
    ["an unknown campaign", { campaign_id: "no-such-campaign" }, "no-such-campaign"],
    ["a missing part", { agent_email: undefined }, "agent_email"],
    ["a text part sent as a file", { metadata: { name: "metadata", value: "[]", filename: "m.json" } }, "metadata"],
    ["a wrong timestamp", { conversation_timestamp: "half past nine" }, "half past nine"],
  ])("detail says what was sent and how to fix it: %s", async (_, changes, mentioned) => {
    const answer = await postCall(target, callParts(target, changes));
    expect(detailsOf(expectProblem(answer, answer.status))).toContain(mentioned);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });

  test("request_id is unique and equals the x-request-id header", async () => {
    const [first, second] = await Promise.all([postUser(target, {}), postUser(target, {})]);
    expect(expectProblem(first, 400).request_id).not.toBe(expectProblem(second, 400).request_id);
  });

  test("errors has one entry for each invalid part", async () => {
    const wrong = { conversation_timestamp: "noon", metadata: "{" };
    const problem = expectProblem(await postCall(target, callParts(target, wrong)), 422, "fields_invalid");
    expect(problem.errors?.map((error) => error.part).sort()).toEqual(["conversation_timestamp", "metadata"]);
  });
});

describe("docs/errors.md: content of errors", () => {
  testLocally("metadata values, email addresses and keys never appear in the log", async () => {
    const api = await local().startApi({ env: { LOG_LEVEL: "trace" } });
    const service = { ...target, baseUrl: api.baseUrl };
    const { key } = await createKey("read");
    const [agent, stranger, unknown] = [await createAgent(service), uniqueEmail("stranger"), makeUnknownKey()];
    const secret = "the-metadata-value-of-this-test";
    const metadata = JSON.stringify([{ key: "note", value: secret }]);

    await importCall({ ...service, agentEmail: agent.email }, { metadata });
    for (const changes of [
      { metadata, agent_email: stranger },
      { metadata: metadata.slice(0, -1) },
      { metadata, campaign_id: "no-such-campaign" },
      { metadata, file: Buffer.from("no audio") },
      { metadata, conversation_timestamp: "noon" },
    ]) {
      expect((await postCall(service, callParts(service, changes))).status).toBeGreaterThanOrEqual(400);
    }
    expectProblem(await postUser({ ...service, apiKey: unknown }, {}), 401);
    expectProblem(await postUser({ ...service, apiKey: key }, {}), 403);
    expectProblem(await postUser(service, { email: agent.email, name: "Ann Lee", role: "agent" }), 409);
    await api.stop();

    expect(api.log(), "a log that says nothing proves nothing").not.toBe("");
    for (const hidden of [secret, agent.email, stranger, service.agentEmail, service.apiKey, key, unknown]) {
      expect(api.log()).not.toContain(hidden);
    }
  });
});
