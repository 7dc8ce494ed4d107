import { describe, expect, test } from "vitest";
import { storedRows } from "../support/data/stored-rows.ts";
import { expectPartsNamed, expectProblem } from "../support/http/expect-problem.ts";
import { begin, multipart, type Part, send } from "../support/http/http.ts";
import {
  callParts,
  createAgent,
  fileFirst,
  partNames,
  postCall,
  postUser,
  uniqueEmail,
} from "../support/http/service.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { anotherWorkspace, local, target, testLocally } from "../support/stack/target.ts";

const address = `${target.baseUrl}/calls/audio`;
const key = { "x-api-key": target.apiKey };
const textNames = partNames.filter((name) => name !== "file");

async function archivedCampaign(): Promise<string> {
  const { command, workspaceId } = local();
  const campaign = ["--id", `old-${Date.now()}`, "--name", "Old", "--json"];
  const { id } = await command<{ id: string }>("campaign", "create", "--workspace", workspaceId, ...campaign);
  await command("campaign", "archive", "--workspace", workspaceId, id);
  return id;
}

describe("docs/errors.md: statuses", () => {
  test("200: the call is imported", async () => {
    expect((await postCall(target, callParts(target))).status).toBe(200);
  });
  test("400: malformed request", async () => {
    expectProblem(await postCall(target, callParts(target, { campaign_id: undefined })), 400);
  });
  test("401: invalid API key", async () => {
    expectProblem(await postCall({ ...target, apiKey: "invalid" }, callParts(target)), 401);
  });
  test("404: unknown agent", async () => {
    expectProblem(await postCall(target, callParts(target, { agent_email: uniqueEmail() })), 404);
  });
  test("404: unknown campaign", async () => {
    expectProblem(await postCall(target, callParts(target, { campaign_id: "no-such-campaign" })), 404);
  });
  test("409: the user already exists", async () => {
    const { email } = await createAgent(target);
    expectProblem(await postUser(target, { email, name: "Ann Lee", role: "agent" }), 409);
  });
  test("422: invalid value", async () => {
    expectProblem(await postCall(target, callParts(target, { conversation_timestamp: "noon" })), 422);
  });
});

describe("docs/errors.md: 400, malformed requests", () => {
  test.each([
    "application/json",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
    "audio/wav",
    "multipart/mixed; boundary=x",
  ])("wrong content type: %s", async (type) => {
    const { body } = multipart(callParts(target), "x");
    expectProblem(await send(address, { headers: { ...key, "content-type": type }, body }), 400, "content_type_wrong");
  });

  test("wrong content type: none at all", async () => {
    expectProblem(
      await send(address, { headers: key, body: multipart(callParts(target)).body }),
      400,
      "content_type_wrong",
    );
  });

  test("wrong content type: multipart/form-data without a boundary", async () => {
    const headers = { ...key, "content-type": "multipart/form-data" };
    const answer = await send(address, { headers, body: multipart(callParts(target)).body });
    expectProblem(answer, 400, "content_type_wrong", "body_malformed");
  });

  test.each([
    ["text that is not multipart", Buffer.from("campaign_id=support")],
    ["a different boundary than declared", multipart(callParts(target), "other").body],
    [
      "a part without a name",
      multipart([{ name: "", value: "x", headers: ["Content-Disposition: form-data"] }], "x").body,
    ],
    ["a part without headers", multipart([{ name: "", value: "x", headers: [] }, ...callParts(target)], "x").body],
    ["an unterminated header", Buffer.from(`--x\r\nContent-Disposition: form-data; name="${"a".repeat(100_000)}`)],
  ])("broken multipart: %s", async (_, body) => {
    const headers = { ...key, "content-type": "multipart/form-data; boundary=x" };
    expectProblem(await send(address, { headers, body }), 400, "body_malformed", "body_incomplete", "part_missing");
  });

  test("broken multipart: an empty body", async () => {
    const headers = { ...key, "content-type": "multipart/form-data; boundary=x" };
    expectProblem(await send(address, { headers, body: "" }), 400);
  });

  const form = (parts: readonly Part[]) => {
    const { body, contentType, pieces } = multipart(parts);
    return { body, headers: { ...key, "content-type": contentType }, last: pieces.at(-1)?.length ?? 0 };
  };

  test.each([
    ["before the closing boundary", (body: Buffer, last: number) => body.subarray(0, -last)],
    ["within the closing boundary", (body: Buffer, last: number) => body.subarray(0, 4 - last)],
    ["within the last part", (body: Buffer, last: number) => body.subarray(0, -last - 100)],
    ["in the middle", (body: Buffer) => body.subarray(0, body.length / 2)],
  ])("a truncated form with a matching Content-Length: %s", async (_, cut) => {
    for (const parts of [callParts(target), fileFirst(target)]) {
      const { body, headers, last } = form(parts);
      expectProblem(await send(address, { headers, body: cut(body, last) }), 400, "body_incomplete", "body_malformed");
    }
  });

  test.each([
    ["fields first", callParts],
    ["file first", fileFirst],
  ])("a body shorter than its Content-Length, %s", async (_, order) => {
    const { body, headers } = form(order(target));
    const conversation = begin(address, { headers: { ...headers, "content-length": String(body.length) } });
    await conversation.write(body.subarray(0, -50));
    conversation.hangUp();
    expectProblem(await conversation.answer, 400, "body_incomplete");
  });

  testLocally("an aborted connection: nothing is stored, and the request can be repeated", async () => {
    const before = await storedRows(local());
    for (const order of [callParts, fileFirst]) {
      const parts = order(target, { file: makeWav({ seconds: 60 }) });
      const { body, headers } = form(parts);
      const conversation = begin(address, { headers: { ...headers, "content-length": String(body.length) } });
      await conversation.write(body.subarray(0, body.length / 2));
      conversation.cut();
      await expect.poll(() => storedRows(local()), { timeout: 15_000 }).toEqual(before);
    }
    const parts = callParts(target, { file: makeWav({ seconds: 60 }) });
    expect((await postCall(target, parts)).body.duplicate).toBe(false);
  });

  test.each(["file", "campaign_id", "conversation_timestamp", "agent_email"])(
    "a missing required part: %s",
    async (name) => {
      const answer = await postCall(target, callParts(target, { [name]: undefined }));
      expectPartsNamed(expectProblem(answer, 400, "part_missing"), name);
    },
  );

  test("a missing required member", async () => {
    expectProblem(await postUser(target, { email: uniqueEmail(), role: "agent" }), 400, "member_missing");
  });

  test("malformed JSON", async () => {
    expectProblem(await postUser(target, '{"email":'), 400, "json_malformed");
  });

  test.each(partNames)("a repeated part: %s", async (name) => {
    for (const parts of [callParts(target), fileFirst(target)]) {
      const again = parts.filter((part) => part.name === name);
      const problem = expectProblem(await postCall(target, [...parts, ...again]), 400, "part_repeated");
      expectPartsNamed(problem, name);
    }
  });

  test("file sent as a text part", async () => {
    for (const order of [callParts, fileFirst]) {
      const parts = order(target, { file: { name: "file", value: "call.wav" } });
      expectPartsNamed(expectProblem(await postCall(target, parts), 400, "part_not_file"), "file");
    }
  });

  test.each(textNames)("a text part sent as a file: %s", async (name) => {
    for (const parts of [callParts(target), fileFirst(target)]) {
      const asFile = parts.map((part) => (part.name === name ? { ...part, filename: "value.txt" } : part));
      expectPartsNamed(expectProblem(await postCall(target, asFile), 400, "part_not_text"), name);
    }
  });

  test.each(["text/plain", "text/plain; charset=utf-8", "application/json"])(
    "a text part that declares a type (%s) is still a text part",
    async (type) => {
      const parts = callParts(target).map((part) => (part.name === "file" ? part : { ...part, type }));
      const answer = await postCall(target, parts);
      expect([answer.status, answer.body.metadata], answer.text).toEqual([200, [{ key: "site", value: "Lyon" }]]);
    },
  );
});

describe("docs/errors.md: 404, unknown campaign or agent", () => {
  test.each([
    ["the campaign", { campaign_id: "no-such-campaign" }, "campaign_not_found"],
    ["the agent", { agent_email: uniqueEmail() }, "agent_not_found"],
  ])("%s does not exist; nothing is stored", async (_, changes, code) => {
    const before = target.local && (await storedRows(target.local));
    expectProblem(await postCall(target, callParts(target, changes)), 404, code);
    expectProblem(await postCall(target, fileFirst(target, changes)), 404, code);
    const stack = target.local;
    if (stack) await expect.poll(() => storedRows(stack), { timeout: 10_000 }).toEqual(before);
  });

  testLocally("a campaign or agent of another workspace does not exist", async () => {
    const other = await anotherWorkspace();
    const { command, workspaceId } = local();
    const campaign = ["--id", `mine-${Date.now()}`, "--name", "Mine", "--json"];
    const { id } = await command<{ id: string }>("campaign", "create", "--workspace", workspaceId, ...campaign);
    expectProblem(await postCall(other, callParts(other, { campaign_id: id })), 404, "campaign_not_found");
    const { email } = await createAgent(target);
    expectProblem(await postCall(other, callParts(other, { agent_email: email })), 404, "agent_not_found");
  });

  testLocally("an archived campaign: campaign_archived", async () => {
    const campaign_id = await archivedCampaign();
    expectProblem(await postCall(target, callParts(target, { campaign_id })), 404, "campaign_archived");
    expectProblem(await postCall(target, fileFirst(target, { campaign_id })), 404, "campaign_archived");
  });
});

describe("docs/errors.md: 422, invalid values", () => {
  test("lists all invalid values", async () => {
    const wrong = { conversation_timestamp: "noon", agent_email: "no address", metadata: "{" };
    for (const parts of [callParts(target, wrong), fileFirst(target, wrong)]) {
      const problem = expectProblem(await postCall(target, parts), 422, "fields_invalid");
      expectPartsNamed(problem, "agent_email", "conversation_timestamp", "metadata");
    }
  });

  test.each(["no address", "@example.com", "ann@", "ann lee@example.com", ""])(
    "invalid agent_email %j",
    async (agent_email) => {
      const answer = await postCall(target, callParts(target, { agent_email }));
      expectPartsNamed(expectProblem(answer, 422, "fields_invalid"), "agent_email");
    },
  );
});

describe("docs/integrating.md: what you get back with a 200", () => {
  testLocally("any other status imports nothing", async () => {
    const before = await storedRows(local());
    const text = { name: "file", value: "call.wav" };
    const refusals = [
      { campaign_id: undefined },
      { file: undefined },
      { file: text },
      { conversation_timestamp: "noon" },
      { metadata: "{" },
      { campaign_id: "no-such-campaign" },
      { agent_email: uniqueEmail() },
      { file: Buffer.alloc(0) },
      { file: Buffer.from("no audio") },
    ];
    for (const changes of refusals) {
      for (const parts of [callParts(target, changes), fileFirst(target, changes)]) {
        const { status } = await postCall(target, parts);
        expect([400, 404, 422]).toContain(status);
      }
    }
    const form = multipart(fileFirst(target));
    const headers = { ...key, "content-type": form.contentType };
    expectProblem(await send(address, { headers, body: form.body.subarray(0, -30) }), 400);
    await expect.poll(() => storedRows(local()), { timeout: 15_000 }).toEqual(before);
  });
});
