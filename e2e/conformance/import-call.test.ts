import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { expectPartsNamed, expectProblem } from "../support/expect-problem.ts";
import { multipart } from "../support/http.ts";
import { kept, storedSha256 } from "../support/kept.ts";
import { anAgent, anEmail, callParts, fileFirst, importCall, postCall, postUser } from "../support/service.ts";
import { aWav } from "../support/sounds.ts";
import { anotherWorkspace, local, target, testLocally } from "../support/target.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

describe("seed-interface: What the service does", () => {
  test("stores audio recordings in a campaign, together with a conversation timestamp, an agent and free-form metadata", async () => {
    const file = aWav();
    expect(await importCall(target, { file })).toMatchObject({
      campaign_id: target.campaignId,
      conversation_timestamp: 1714557600,
      agent: { email: target.agentEmail },
      metadata: [{ key: "site", value: "Lyon" }],
      recording: { sha256: sha256(file) },
    });
  });

  test("Each call is attributed to an agent, identified by the agent's e-mail address, not by metadata", async () => {
    const [ann, bob] = [await anAgent(target), await anAgent(target, "Bob Stone")];
    const metadata = JSON.stringify(["agent", "agent_email", "email"].map((key) => ({ key, value: bob.email })));
    const call = await importCall({ ...target, agentEmail: ann.email }, { metadata });
    expect(call.agent).toEqual({ id: ann.id, email: ann.email, name: ann.name });
  });

  test("Agents must exist before a call is imported for them", async () => {
    const service = { ...target, agentEmail: anEmail() };
    const parts = callParts(service);
    expectProblem(await postCall(service, parts), 404, "agent_not_found");
    await postUser(service, { email: service.agentEmail, name: "Ann Lee", role: "agent", send_invite_email: false });
    expect((await postCall(service, parts)).body.agent.email).toBe(service.agentEmail);
  });

  testLocally.each(["reviewer", "supervisor", "admin"])(
    'Agents are users with the role "agent": a %s is none',
    async (role) => {
      const { command, workspaceId } = local();
      const service = { ...target, agentEmail: anEmail(role) };
      const user = ["--email", service.agentEmail, "--name", "Rita Review", "--role", role, "--json"];
      await command("user", "create", "--workspace", workspaceId, ...user);
      expectProblem(await postCall(service, callParts(service)), 404, "agent_not_found");
    },
  );

  test("An agent can be created through the interface without an invitation e-mail being sent", async () => {
    expect((await anAgent(target)).invitation).toBe("not_requested");
  });
});

describe("seed-interface: Import a call", () => {
  test("Success, 200: the call has been imported", async () => {
    const answer = await postCall(target, callParts(target));
    expect([answer.status, answer.body.duplicate], answer.text).toEqual([200, false]);
  });

  test("Rule 1: The agent named by agent_email must exist before the call is imported", async () => {
    const service = { ...target, agentEmail: anEmail() };
    expectProblem(await postCall(service, callParts(service)), 404, "agent_not_found");
  });

  test("Rule 2: The agent is attributed through agent_email and not through a metadata entry", async () => {
    const metadata = JSON.stringify([{ key: "agent_email", value: target.agentEmail }]);
    const problem = expectProblem(
      await postCall(target, callParts(target, { agent_email: undefined, metadata })),
      400,
      "part_missing",
    );
    expectPartsNamed(problem, "agent_email");
  });

  test("Rule 3: The metadata part is sent as a JSON text (array of key/value objects)", async () => {
    const call = await importCall(target, { metadata: '[ {"value": "in", "key": "direction"} ]\n' });
    expect(call.metadata).toEqual([{ key: "direction", value: "in" }]);
  });

  test("campaign_id: identifier of an existing campaign", async () => {
    const service = { ...target, campaignId: "no-such-campaign" };
    expectProblem(await postCall(service, callParts(service)), 404, "campaign_not_found");
  });
});

describe("interface: Words", () => {
  test("recording: the bytes as they came, even if they look like the form around them", async () => {
    const file = aWav({ seconds: 1 });
    file.write("\r\n--\r\n------see\r\n------seen-\r\n------seen\r\n\r\n--", 1000, "latin1");
    const { body, contentType } = multipart(callParts(target, { file }), "----seen__");
    const answer = await postCall(target, [], { body, headers: { "content-type": contentType } });
    expect(answer.body.recording, answer.text).toMatchObject({ bytes: file.length, sha256: sha256(file) });
  });

  test("recording: the bytes as they came, one by one", async () => {
    const file = aWav({ seconds: 0.05 });
    const { body, contentType } = multipart(callParts(target, { file }));
    const bytes = Array.from(body, (byte) => Uint8Array.of(byte));
    const answer = await postCall(target, [], { body: bytes, headers: { "content-type": contentType } });
    expect(answer.body.recording, answer.text).toMatchObject({ bytes: file.length, sha256: sha256(file) });
  });

  test("recording: the bytes as they came, in a chunked body of some megabytes", async () => {
    const file = aWav({ seconds: 200, sampleRate: 16_000 });
    const answer = await postCall(target, callParts(target, { file }), { chunked: true });
    expect(answer.body.recording, answer.text).toMatchObject({ bytes: file.length, sha256: sha256(file) });
  });
});

describe("interface: POST /calls/audio", () => {
  test.each(["file", "campaign_id", "conversation_timestamp", "agent_email"])("Parts: %s required", async (name) => {
    for (const parts of [callParts(target, { [name]: undefined }), fileFirst(target, { [name]: undefined })]) {
      expectPartsNamed(expectProblem(await postCall(target, parts), 400, "part_missing"), name);
    }
  });

  test("all missing parts are named at once", async () => {
    const parts = callParts(target, { campaign_id: undefined, agent_email: undefined });
    const problem = expectProblem(await postCall(target, parts), 400, "part_missing");
    expectPartsNamed(problem, "agent_email", "campaign_id");
  });

  test("metadata optional ([])", async () => {
    expect((await importCall(target, { metadata: undefined })).metadata).toEqual([]);
  });

  test.each([
    ["a text at the end", [...callParts(target), { name: "colour", value: "blue" }]],
    ["a text at the beginning", [{ name: "colour", value: "blue" }, ...callParts(target)]],
    ["a file", [{ name: "colour", value: aWav(), filename: "b.wav" }, ...callParts(target)]],
    ["the same twice", [...fileFirst(target), { name: "colour", value: "a" }, { name: "colour", value: "b" }]],
  ])("A part we don't know is ignored and named in warnings: %s", async (_, parts) => {
    const { status, text, body } = await postCall(target, parts);
    expect(status, text).toBe(200);
    expect(body.warnings.length).toBeGreaterThan(0);
    for (const warning of body.warnings) {
      expect(warning).toMatchObject({ code: "unknown_part", detail: expect.stringContaining("colour") });
    }
    expect(body.metadata).toEqual([{ key: "site", value: "Lyon" }]);
  });

  test("every part we don't know is named", async () => {
    const parts = [...callParts(target), { name: "colour", value: "blue" }, { name: "shape", value: "round" }];
    const { body } = await postCall(target, parts);
    const told = body.warnings.map((warning) => warning.detail).join("\n");
    expect(told).toContain("colour");
    expect(told).toContain("shape");
  });

  test("The answer: id, status, duplicate, campaign_id, agent, conversation_timestamp, conversation_time, metadata, recording, warnings, created_at", async () => {
    const file = aWav({ seconds: 1.5, channels: 2, sampleRate: 16_000 });
    const agent = await anAgent(target, "Zoë Müller");
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

  test("States: received", async () => {
    const { status, failure } = await importCall(target);
    expect(target.local ? ["received"] : ["received", "ready"]).toContain(status);
    expect(failure ?? null).toBeNull();
  });
});

describe("interface: POST /calls/audio, the same call", () => {
  test("200 always, never 201: imported before, 200 with the stored call and duplicate true", async () => {
    const parts = callParts(target);
    const [first, second] = [await postCall(target, parts), await postCall(target, parts)];
    expect([first.status, second.status]).toEqual([200, 200]);
    const { status: _, ...stored } = first.body;
    expect(stored.duplicate).toBe(false);
    expect(second.body).toMatchObject({ ...stored, duplicate: true });
  });

  test("imported before: the stored call, whatever metadata, order, file name or type is sent now", async () => {
    const file = aWav();
    const first = await importCall(target, { file });
    const renamed = { name: "file", value: file, filename: "other.bin", type: "application/octet-stream" };
    const parts = fileFirst(target, { file: renamed, metadata: '[{"key":"site","value":"Nice"}]' });
    expect((await postCall(target, parts)).body).toMatchObject({
      id: first.id,
      duplicate: true,
      metadata: first.metadata,
    });
  });

  test("imported before: the agent is the same however the e-mail is spelled", async () => {
    const file = aWav();
    const first = await importCall(target, { file });
    const again = await importCall(target, { file, agent_email: ` ${target.agentEmail.toUpperCase()} ` });
    expect([again.id, again.duplicate]).toEqual([first.id, true]);
  });

  test("same agent, conversation time and bytes: another of any of them is another call", async () => {
    const file = aWav();
    const { email } = await anAgent(target);
    const calls = [
      await importCall(target, { file }),
      await importCall(target, { file, agent_email: email }),
      await importCall(target, { file, conversation_timestamp: "1714557601" }),
      await importCall(target, { file: aWav() }),
    ];
    expect(calls.map((call) => call.duplicate)).toEqual([false, false, false, false]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(4);
  });

  testLocally("same campaign: in another campaign it is another call", async () => {
    const { command, workspaceId } = local();
    const file = aWav();
    const campaign = ["--id", `c-${Date.now()}`, "--name", "Second", "--json"];
    const { id } = await command<{ id: string }>("campaign", "create", "--workspace", workspaceId, ...campaign);
    const [first, second] = [await importCall(target, { file }), await importCall(target, { file, campaign_id: id })];
    expect(second).toMatchObject({ duplicate: false, campaign_id: id });
    expect(second.id).not.toBe(first.id);
  });

  testLocally("same workspace: in another workspace it is another call", async () => {
    const other = await anotherWorkspace();
    const { email } = await anAgent(target);
    await postUser(other, { email, name: "Ann Lee", role: "agent", send_invite_email: false });
    const file = aWav();
    const first = await importCall({ ...target, agentEmail: email }, { file });
    const second = await importCall({ ...other, agentEmail: email }, { file });
    expect(second.duplicate).toBe(false);
    expect(second.id).not.toBe(first.id);
  });

  test("nothing is stored twice, however many requests race", async () => {
    const file = aWav({ seconds: 5 });
    const before = target.local && (await kept(target.local));
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
        .poll(async () => (await kept(stack)).objects.length, { timeout: 10_000 })
        .toBe(before.objects.length + 1);
      const after = await kept(stack);
      expect(after.calls).toBe(before.calls + 1);
      const added = after.objects.filter((name) => !before.objects.includes(name));
      expect(await Promise.all(added.map((name) => storedSha256(stack, name)))).toEqual([sha256(file)]);
    }
  });
});
