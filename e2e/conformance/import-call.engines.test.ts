import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { storedRows, storedSha256 } from "../support/data/stored-rows.ts";
import { expectPartsNamed, expectProblem } from "../support/http/expect-problem.ts";
import { multipart } from "../support/http/http.ts";
import {
  callParts,
  createAgent,
  fileFirst,
  importCall,
  postCall,
  postUser,
  uniqueEmail,
} from "../support/http/service.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { anotherWorkspace, local, target, testLocally } from "../support/stack/target.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

describe("docs/integrating.md: agents first", () => {
  test("stores a recording with its campaign, conversation timestamp, agent and metadata", async () => {
    const file = makeWav();
    expect(await importCall(target, { file })).toMatchObject({
      campaign_id: target.campaignId,
      conversation_timestamp: 1714557600,
      agent: { email: target.agentEmail },
      metadata: [{ key: "site", value: "Lyon" }],
      recording: { sha256: sha256(file) },
    });
  });

  test("attributes a call to the agent with this email address", async () => {
    const [ann, bob] = [await createAgent(target), await createAgent(target, "Bob Stone")];
    const metadata = JSON.stringify(["agent", "agent_email", "email"].map((key) => ({ key, value: bob.email })));
    const call = await importCall({ ...target, agentEmail: ann.email }, { metadata });
    expect(call.agent).toEqual({ id: ann.id, email: ann.email, name: ann.name });
  });

  test("an agent must exist before a call is imported", async () => {
    const service = { ...target, agentEmail: uniqueEmail() };
    const parts = callParts(service);
    expectProblem(await postCall(service, parts), 404, "agent_not_found");
    await postUser(service, { email: service.agentEmail, name: "Ann Lee", role: "agent", send_invite_email: false });
    expect((await postCall(service, parts)).body.agent.email).toBe(service.agentEmail);
  });

  testLocally.each(["reviewer", "supervisor", "admin"])(
    'Agents are users with the role "agent": a %s is none',
    async (role) => {
      const { command, workspaceId } = local();
      const service = { ...target, agentEmail: uniqueEmail(role) };
      const user = ["--email", service.agentEmail, "--name", "Rita Review", "--role", role, "--json"];
      await command("user", "create", "--workspace", workspaceId, ...user);
      expectProblem(await postCall(service, callParts(service)), 404, "user_not_agent");
    },
  );

  test("an agent can be created without an invitation email", async () => {
    expect((await createAgent(target)).invitation).toBe("not_requested");
  });
});

describe("docs/integrating.md: then calls", () => {
  test("200: the call is imported", async () => {
    const answer = await postCall(target, callParts(target));
    expect([answer.status, answer.body.duplicate], answer.text).toEqual([200, false]);
  });

  test("agent_email must be an existing agent", async () => {
    const service = { ...target, agentEmail: uniqueEmail() };
    expectProblem(await postCall(service, callParts(service)), 404, "agent_not_found");
  });

  test("the agent comes from agent_email, not from metadata", async () => {
    const metadata = JSON.stringify([{ key: "agent_email", value: target.agentEmail }]);
    const problem = expectProblem(
      await postCall(target, callParts(target, { agent_email: undefined, metadata })),
      400,
      "part_missing",
    );
    expectPartsNamed(problem, "agent_email");
  });

  test("metadata is a JSON array of key/value objects", async () => {
    const call = await importCall(target, { metadata: '[ {"value": "in", "key": "direction"} ]\n' });
    expect(call.metadata).toEqual([{ key: "direction", value: "in" }]);
  });

  test("campaign_id must be an existing campaign", async () => {
    const service = { ...target, campaignId: "no-such-campaign" };
    expectProblem(await postCall(service, callParts(service)), 404, "campaign_not_found");
  });
});

describe("docs/integrating.md: the recording is stored unchanged", () => {
  test("even if its bytes look like multipart boundaries", async () => {
    const file = makeWav({ seconds: 1 });
    file.write("\r\n--\r\n------see\r\n------seen-\r\n------seen\r\n\r\n--", 1000, "latin1");
    const { body, contentType } = multipart(callParts(target, { file }), "----seen__");
    const answer = await postCall(target, [], { body, headers: { "content-type": contentType } });
    expect(answer.body.recording, answer.text).toMatchObject({ bytes: file.length, sha256: sha256(file) });
  });

  test("if it arrives byte by byte", async () => {
    const file = makeWav({ seconds: 0.05 });
    const { body, contentType } = multipart(callParts(target, { file }));
    const bytes = Array.from(body, (byte) => Uint8Array.of(byte));
    const answer = await postCall(target, [], { body: bytes, headers: { "content-type": contentType } });
    expect(answer.body.recording, answer.text).toMatchObject({ bytes: file.length, sha256: sha256(file) });
  });

  test("in a chunked body of several megabytes", async () => {
    const file = makeWav({ seconds: 200, sampleRate: 16_000 });
    const answer = await postCall(target, callParts(target, { file }), { chunked: true });
    expect(answer.body.recording, answer.text).toMatchObject({ bytes: file.length, sha256: sha256(file) });
  });
});

describe("docs/integrating.md: parts and response of POST /calls/audio", () => {
  test.each(["file", "campaign_id", "conversation_timestamp", "agent_email"])("%s is required", async (name) => {
    for (const parts of [callParts(target, { [name]: undefined }), fileFirst(target, { [name]: undefined })]) {
      expectPartsNamed(expectProblem(await postCall(target, parts), 400, "part_missing"), name);
    }
  });

  test("lists all missing parts", async () => {
    const parts = callParts(target, { campaign_id: undefined, agent_email: undefined });
    const problem = expectProblem(await postCall(target, parts), 400, "part_missing");
    expectPartsNamed(problem, "agent_email", "campaign_id");
  });

  test("metadata is optional", async () => {
    expect((await importCall(target, { metadata: undefined })).metadata).toEqual([]);
  });

  test.each([
    ["a text part at the end", [...callParts(target), { name: "colour", value: "blue" }]],
    ["a text part at the beginning", [{ name: "colour", value: "blue" }, ...callParts(target)]],
    ["a file", [{ name: "colour", value: makeWav(), filename: "b.wav" }, ...callParts(target)]],
    ["the same part twice", [...fileFirst(target), { name: "colour", value: "a" }, { name: "colour", value: "b" }]],
  ])("ignores an unknown part with a warning: %s", async (_, parts) => {
    const { status, text, body } = await postCall(target, parts);
    expect(status, text).toBe(200);
    expect(body.warnings.length).toBeGreaterThan(0);
    for (const warning of body.warnings) {
      expect(warning).toMatchObject({ code: "unknown_part", detail: expect.stringContaining("colour") });
    }
    expect(body.metadata).toEqual([{ key: "site", value: "Lyon" }]);
  });

  test("warns about every unknown part", async () => {
    const parts = [...callParts(target), { name: "colour", value: "blue" }, { name: "shape", value: "round" }];
    const { body } = await postCall(target, parts);
    const details = body.warnings.map((warning) => warning.detail).join("\n");
    expect(details).toContain("colour");
    expect(details).toContain("shape");
  });

  test("the response has id, status, duplicate, campaign_id, agent, conversation_timestamp, conversation_time, metadata, recording, warnings, created_at", async () => {
    const file = makeWav({ seconds: 1.5, channels: 2, sampleRate: 16_000 });
    const agent = await createAgent(target, "Zoë Müller");
    const service = { ...target, agentEmail: agent.email };
    const answer = await postCall(service, callParts(service, { file, conversation_timestamp: "1700000001" }));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers["content-type"]).toMatch(/^application\/json\b/);
    expect(answer.body).toMatchObject({
      id: expect.stringMatching(/\S/),
      status: expect.stringMatching(/^(received|ready)$/),
      duplicate: false,
      campaign_id: target.campaignId,
      agent: { id: agent.id, email: agent.email, name: agent.name },
      conversation_timestamp: 1700000001,
      metadata: [{ key: "site", value: "Lyon" }],
      recording: {
        format: expect.stringMatching(/wav/i),
        bytes: file.length,
        sha256: sha256(file),
        codec: expect.stringMatching(/pcm/i),
        channels: 2,
        sample_rate: 16_000,
        duration_ms: 1500,
      },
      warnings: [],
      created_at: expect.stringMatching(rfc3339),
    });
    expect(answer.body.conversation_time, "RFC 3339, UTC").toMatch(/^2023-11-14T22:13:21(\.0+)?(Z|\+00:00)$/);
    expect(Math.abs(Date.parse(answer.body.created_at) - Date.now())).toBeLessThan(5 * 60_000);
  });

  test("the status is received", async () => {
    const { status, failure } = await importCall(target);
    expect(target.local ? ["received"] : ["received", "ready"]).toContain(status);
    expect(failure ?? null).toBeNull();
  });
});

describe("docs/integrating.md: retrying", () => {
  test("a repeated import returns 200 with the stored call and duplicate true", async () => {
    const parts = callParts(target);
    const [first, second] = [await postCall(target, parts), await postCall(target, parts)];
    expect([first.status, second.status]).toEqual([200, 200]);
    const { status: _, ...stored } = first.body;
    expect(stored.duplicate).toBe(false);
    expect(second.body).toMatchObject({ ...stored, duplicate: true });
  });

  test("metadata, part order, file name and type do not matter", async () => {
    const file = makeWav();
    const first = await importCall(target, { file });
    const renamed = { name: "file", value: file, filename: "other.bin", type: "application/octet-stream" };
    const parts = fileFirst(target, { file: renamed, metadata: '[{"key":"site","value":"Nice"}]' });
    expect((await postCall(target, parts)).body).toMatchObject({
      id: first.id,
      duplicate: true,
      metadata: first.metadata,
    });
  });

  test("the spelling of the email address does not matter", async () => {
    const file = makeWav();
    const first = await importCall(target, { file });
    const again = await importCall(target, { file, agent_email: ` ${target.agentEmail.toUpperCase()} ` });
    expect([again.id, again.duplicate]).toEqual([first.id, true]);
  });

  test("a different agent, time or recording is a different call", async () => {
    const file = makeWav();
    const { email } = await createAgent(target);
    const calls = [
      await importCall(target, { file }),
      await importCall(target, { file, agent_email: email }),
      await importCall(target, { file, conversation_timestamp: "1714557601" }),
      await importCall(target, { file: makeWav() }),
    ];
    expect(calls.map((call) => call.duplicate)).toEqual([false, false, false, false]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(4);
  });

  testLocally("the same recording in another campaign is a different call", async () => {
    const { command, workspaceId } = local();
    const file = makeWav();
    const campaign = ["--id", `c-${Date.now()}`, "--name", "Second", "--json"];
    const { id } = await command<{ id: string }>("campaign", "create", "--workspace", workspaceId, ...campaign);
    const [first, second] = [await importCall(target, { file }), await importCall(target, { file, campaign_id: id })];
    expect(second).toMatchObject({ duplicate: false, campaign_id: id });
    expect(second.id).not.toBe(first.id);
  });

  testLocally("the same recording in another workspace is a different call", async () => {
    const other = await anotherWorkspace();
    const { email } = await createAgent(target);
    await postUser(other, { email, name: "Ann Lee", role: "agent", send_invite_email: false });
    const file = makeWav();
    const first = await importCall({ ...target, agentEmail: email }, { file });
    const second = await importCall({ ...other, agentEmail: email }, { file });
    expect(second.duplicate).toBe(false);
    expect(second.id).not.toBe(first.id);
  });

  test("concurrent requests store the call once", async () => {
    const file = makeWav({ seconds: 5 });
    const before = target.local && (await storedRows(target.local));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        postCall(target, n % 2 ? fileFirst(target, { file }) : callParts(target, { file })),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(answers.filter((answer) => !answer.body.duplicate)).toHaveLength(1);
    if (target.local && before) {
      const stack = target.local;
      await expect
        .poll(async () => (await storedRows(stack)).objects.length, { timeout: 10_000 })
        .toBe(before.objects.length + 1);
      const after = await storedRows(stack);
      expect(after.calls).toBe(before.calls + 1);
      const added = after.objects.filter((name) => !before.objects.includes(name));
      expect(await Promise.all(added.map((name) => storedSha256(stack, name)))).toEqual([sha256(file)]);
    }
  });
});
