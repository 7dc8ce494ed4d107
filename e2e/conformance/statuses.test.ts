import { describe, expect, test } from "vitest";
import { expectPartsNamed, expectProblem } from "../support/expect-problem.ts";
import { begin, multipart, type Part, send } from "../support/http.ts";
import { kept } from "../support/kept.ts";
import { anAgent, anEmail, callParts, fileFirst, partNames, postCall, postUser } from "../support/service.ts";
import { aWav } from "../support/sounds.ts";
import { anotherWorkspace, local, target, testLocally } from "../support/target.ts";

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

describe("seed-interface: Errors", () => {
  test("200: The call has been imported", async () => {
    expect((await postCall(target, callParts(target))).status).toBe(200);
  });
  test("400: Bad request: the parameters provided are to be checked", async () => {
    expectProblem(await postCall(target, callParts(target, { campaign_id: undefined })), 400);
  });
  test("401: Unauthorized: the API key is invalid", async () => {
    expectProblem(await postCall({ ...target, apiKey: "invalid" }, callParts(target)), 401);
  });
  test("404: The specified agent does not exist", async () => {
    expectProblem(await postCall(target, callParts(target, { agent_email: anEmail() })), 404);
  });
  test("404: The specified campaign does not exist", async () => {
    expectProblem(await postCall(target, callParts(target, { campaign_id: "no-such-campaign" })), 404);
  });
  test("409: Conflict: the user already exists. This belongs to agent creation", async () => {
    const { email } = await anAgent(target);
    expectProblem(await postUser(target, { email, name: "Ann Lee", role: "agent" }), 409);
  });
  test("422: Validation error: the data format is invalid", async () => {
    expectProblem(await postCall(target, callParts(target, { conversation_timestamp: "noon" })), 422);
  });
});

describe("interface: Which status, 400: the request cannot be taken apart", () => {
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
    ["a text that is no form", Buffer.from("campaign_id=support")],
    ["another boundary than announced", multipart(callParts(target), "other").body],
    [
      "a part without a name",
      multipart([{ name: "", value: "x", headers: ["Content-Disposition: form-data"] }], "x").body,
    ],
    ["a part without headers", multipart([{ name: "", value: "x", headers: [] }, ...callParts(target)], "x").body],
    ["a header that never ends", Buffer.from(`--x\r\nContent-Disposition: form-data; name="${"a".repeat(100_000)}`)],
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
  ])("a body that ends early, though as long as announced: %s", async (_, cut) => {
    for (const parts of [callParts(target), fileFirst(target)]) {
      const { body, headers, last } = form(parts);
      expectProblem(await send(address, { headers, body: cut(body, last) }), 400, "body_incomplete", "body_malformed");
    }
  });

  test.each([
    ["the fields first", callParts],
    ["the file first", fileFirst],
  ])("a body that ends early: less than its Content-Length, %s", async (_, order) => {
    const { body, headers } = form(order(target));
    const conversation = begin(address, { headers: { ...headers, "content-length": String(body.length) } });
    await conversation.write(body.subarray(0, -50));
    conversation.hangUp();
    expectProblem(await conversation.answer, 400, "body_incomplete");
  });

  testLocally(
    "a body that ends early: the connection is torn down; nothing is kept, and it can be sent again",
    async () => {
      const before = await kept(local());
      for (const order of [callParts, fileFirst]) {
        const parts = order(target, { file: aWav({ seconds: 60 }) });
        const { body, headers } = form(parts);
        const conversation = begin(address, { headers: { ...headers, "content-length": String(body.length) } });
        await conversation.write(body.subarray(0, body.length / 2));
        conversation.cut();
        await expect.poll(() => kept(local()), { timeout: 15_000 }).toEqual(before);
      }
      const parts = callParts(target, { file: aWav({ seconds: 60 }) });
      expect((await postCall(target, parts)).body.duplicate).toBe(false);
    },
  );

  test.each(["file", "campaign_id", "conversation_timestamp", "agent_email"])(
    "a required part missing: %s",
    async (name) => {
      const answer = await postCall(target, callParts(target, { [name]: undefined }));
      expectPartsNamed(expectProblem(answer, 400, "part_missing"), name);
    },
  );

  test("a required member missing", async () => {
    expectProblem(await postUser(target, { email: anEmail(), role: "agent" }), 400, "member_missing");
  });

  test("broken JSON", async () => {
    expectProblem(await postUser(target, '{"email":'), 400, "json_malformed");
  });

  test.each(partNames)("a single part sent twice: %s", async (name) => {
    for (const parts of [callParts(target), fileFirst(target)]) {
      const again = parts.filter((part) => part.name === name);
      const problem = expectProblem(await postCall(target, [...parts, ...again]), 400, "part_repeated");
      expectPartsNamed(problem, name);
    }
  });

  test("file sent as text", async () => {
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

describe("interface: Which status, 404: the campaign or the agent does not exist in this workspace", () => {
  test.each([
    ["the campaign", { campaign_id: "no-such-campaign" }, "campaign_not_found"],
    ["the agent", { agent_email: anEmail() }, "agent_not_found"],
  ])("%s does not exist; nothing is kept", async (_, changes, code) => {
    const before = target.local && (await kept(target.local));
    expectProblem(await postCall(target, callParts(target, changes)), 404, code);
    expectProblem(await postCall(target, fileFirst(target, changes)), 404, code);
    const stack = target.local;
    if (stack) await expect.poll(() => kept(stack), { timeout: 10_000 }).toEqual(before);
  });

  testLocally("in this workspace: what another workspace has does not exist", async () => {
    const other = await anotherWorkspace();
    const { command, workspaceId } = local();
    const campaign = ["--id", `mine-${Date.now()}`, "--name", "Mine", "--json"];
    const { id } = await command<{ id: string }>("campaign", "create", "--workspace", workspaceId, ...campaign);
    expectProblem(await postCall(other, callParts(other, { campaign_id: id })), 404, "campaign_not_found");
    const { email } = await anAgent(target);
    expectProblem(await postCall(other, callParts(other, { agent_email: email })), 404, "agent_not_found");
  });

  testLocally("a campaign that is archived, too: campaign_archived", async () => {
    const campaign_id = await archivedCampaign();
    expectProblem(await postCall(target, callParts(target, { campaign_id })), 404, "campaign_archived");
    expectProblem(await postCall(target, fileFirst(target, { campaign_id })), 404, "campaign_archived");
  });
});

describe("interface: Which status, 422: the request is complete and a value is wrong", () => {
  test("all wrong values are named at once", async () => {
    const wrong = { conversation_timestamp: "noon", agent_email: "no address", metadata: "{" };
    for (const parts of [callParts(target, wrong), fileFirst(target, wrong)]) {
      const problem = expectProblem(await postCall(target, parts), 422, "fields_invalid");
      expectPartsNamed(problem, "agent_email", "conversation_timestamp", "metadata");
    }
  });

  test.each(["no address", "@example.com", "ann@", "ann lee@example.com", ""])(
    "a value is wrong: agent_email %j",
    async (agent_email) => {
      const answer = await postCall(target, callParts(target, { agent_email }));
      expectPartsNamed(expectProblem(answer, 422, "fields_invalid"), "agent_email");
    },
  );
});

describe("interface: What a 200 promises", () => {
  testLocally("Anything else than a 200 imported nothing", async () => {
    const before = await kept(local());
    const text = { name: "file", value: "call.wav" };
    const refusals = [
      { campaign_id: undefined },
      { file: undefined },
      { file: text },
      { conversation_timestamp: "noon" },
      { metadata: "{" },
      { campaign_id: "no-such-campaign" },
      { agent_email: anEmail() },
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
    await expect.poll(() => kept(local()), { timeout: 15_000 }).toEqual(before);
  });
});
