import { describe, expect, test } from "vitest";
import { expectPartsNamed, expectProblem } from "../support/expect-problem.ts";
import { begin, multipart, type Part, send } from "../support/http.ts";
import { kept } from "../support/kept.ts";
import { anUnknownKey } from "../support/keys.ts";
import { anEmail, callParts, fileFirst, type PartChanges, postCall } from "../support/service.ts";
import { aWav } from "../support/sounds.ts";
import { aKey, local, target, testLocally } from "../support/target.ts";

const address = (baseUrl = target.baseUrl) => `${baseUrl}/calls/audio`;
const notAudio = Buffer.from("no audio");

describe("interface: They are tested in this order: 401, 403, 413, 400, 422 of fields, 404 (campaign, then agent), 422 of the recording", () => {
  test.each([
    ["413 and 400", { "content-length": String(2 ** 40), "content-type": "text/plain" }],
    ["400", { "content-length": "10", "content-type": "text/plain" }],
  ])("401 before %s", async (_, headers) => {
    const conversation = begin(address(), { headers: { ...headers, "x-api-key": anUnknownKey() } });
    expectProblem(await conversation.answer, 401, "unauthenticated");
    conversation.cut();
  });

  test.each([
    ["422 of fields", { conversation_timestamp: "noon" }],
    ["404", { campaign_id: "no-such-campaign" }],
    ["422 of the recording", { file: notAudio }],
  ])("401 before %s", async (_, changes: PartChanges) => {
    expectProblem(await postCall({ ...target, apiKey: anUnknownKey() }, callParts(target, changes)), 401);
  });

  testLocally("403 before 413 and 400", async () => {
    const { key } = await aKey("read");
    const conversation = begin(address(), {
      headers: { "x-api-key": key, "content-length": String(2 ** 40), "content-type": "text/plain" },
    });
    expectProblem(await conversation.answer, 403, "scope_missing");
    conversation.cut();
  });

  testLocally("403 before 422 and 404", async () => {
    const reader = { ...target, apiKey: (await aKey("read")).key };
    const wrong = { conversation_timestamp: "noon", campaign_id: "no-such-campaign", file: notAudio };
    expectProblem(await postCall(reader, callParts(reader, wrong)), 403, "scope_missing");
  });

  testLocally("413 before 400", async () => {
    const api = await local().startApi({ env: { MAX_RECORDING_BYTES: "200000" } });
    const told = await send(address(api.baseUrl), {
      headers: { "x-api-key": target.apiKey, "content-type": "text/plain" },
      body: Buffer.alloc(2_000_000),
    });
    expectProblem(told, 413, "recording_too_large");
    await api.stop();
  });

  testLocally("413 before 422 of fields and 404", async () => {
    const api = await local().startApi({ env: { MAX_RECORDING_BYTES: "200000" } });
    const service = { ...target, baseUrl: api.baseUrl };
    const wrong = { conversation_timestamp: "noon", campaign_id: "no-such-campaign", file: aWav({ seconds: 300 }) };
    expectProblem(await postCall(service, callParts(service, wrong)), 413, "recording_too_large");
    expectProblem(await postCall(service, fileFirst(service, wrong)), 413, "recording_too_large");
    await api.stop();
  });

  const without = { agent_email: undefined, conversation_timestamp: "noon", campaign_id: "no-such-campaign" };

  test("400 before 422 of fields, 404 and 422 of the recording: a part missing", async () => {
    const problem = expectProblem(
      await postCall(target, fileFirst(target, { ...without, file: notAudio })),
      400,
      "part_missing",
    );
    expectPartsNamed(problem, "agent_email");
  });

  test("400 before 422 of fields, 404 and 422 of the recording: a part repeated", async () => {
    const wrong = { conversation_timestamp: "noon", campaign_id: "no-such-campaign", file: notAudio };
    const parts = fileFirst(target, wrong);
    const again = { name: "agent_email", value: target.agentEmail };
    expectProblem(await postCall(target, [...parts, again]), 400, "part_repeated");
  });

  test("400 before 422 of fields, 404 and 422 of the recording: a body that ends early", async () => {
    const wrong = { conversation_timestamp: "noon", campaign_id: "no-such-campaign", file: notAudio };
    const { body, contentType } = multipart(fileFirst(target, wrong));
    const headers = { "x-api-key": target.apiKey, "content-type": contentType };
    expectProblem(
      await send(address(), { headers, body: body.subarray(0, -10) }),
      400,
      "body_incomplete",
      "body_malformed",
    );
  });

  const orders: [string, (changes: PartChanges) => Part[]][] = [
    ["the fields first", (changes) => callParts(target, changes)],
    ["the file first", (changes) => fileFirst(target, changes)],
  ];

  describe.each(orders)("%s", (_, parts) => {
    test("422 of fields before 404 and 422 of the recording", async () => {
      const wrong = {
        conversation_timestamp: "noon",
        campaign_id: "no-such-campaign",
        agent_email: anEmail(),
        file: notAudio,
      };
      const problem = expectProblem(await postCall(target, parts(wrong)), 422, "fields_invalid");
      expectPartsNamed(problem, "conversation_timestamp");
    });

    test("404: campaign, then agent", async () => {
      const wrong = { campaign_id: "no-such-campaign", agent_email: anEmail() };
      expectProblem(await postCall(target, parts(wrong)), 404, "campaign_not_found");
    });

    test.each([
      ["campaign", { campaign_id: "no-such-campaign" }, "campaign_not_found"],
      ["agent", { agent_email: anEmail() }, "agent_not_found"],
    ])("404 before 422 of the recording: %s", async (_, wrong, code) => {
      for (const file of [notAudio, Buffer.alloc(0), aWav({ seconds: 2 }).subarray(0, 1000)]) {
        expectProblem(await postCall(target, parts({ ...wrong, file })), 404, code);
      }
    });
  });
});

/** Sends the fields and the first bytes of the file, then nothing more, and waits for the answer. */
async function stallInTheFile(changes: PartChanges) {
  const { pieces, contentType } = multipart(callParts(target, { ...changes, file: aWav({ seconds: 60 }) }));
  const conversation = begin(address(), {
    headers: {
      "x-api-key": target.apiKey,
      "content-type": contentType,
      "content-length": String(pieces.reduce((sum, piece) => sum + piece.length, 0)),
    },
  });
  for (const piece of pieces.slice(0, -2)) await conversation.write(piece);
  await conversation.write(pieces.at(-2)?.subarray(0, 2000) ?? "");
  const answer = await conversation.answer;
  conversation.cut();
  return answer;
}

describe("interface: Where the fields come before the file and are already wrong, the answer comes without waiting for the file", () => {
  test.each([
    ["the timestamp", { conversation_timestamp: "noon" }, 422, "fields_invalid"],
    ["the metadata", { metadata: "{" }, 422, "fields_invalid"],
    ["the e-mail", { agent_email: "no address" }, 422, "fields_invalid"],
    ["the campaign does not exist", { campaign_id: "no-such-campaign" }, 404, "campaign_not_found"],
    ["the agent does not exist", { agent_email: anEmail() }, 404, "agent_not_found"],
  ] as [string, PartChanges, number, string][])("%s", { timeout: 10_000 }, async (_, changes, status, code) => {
    expectProblem(await stallInTheFile(changes), status, code);
  });

  test("all wrong values are named in the early answer, too", { timeout: 10_000 }, async () => {
    const wrong = { conversation_timestamp: "noon", agent_email: "no address", metadata: "{" };
    const problem = expectProblem(await stallInTheFile(wrong), 422, "fields_invalid");
    expectPartsNamed(problem, "agent_email", "conversation_timestamp", "metadata");
  });

  test("a client that goes on sending a large file still gets the answer", async () => {
    const changes = { conversation_timestamp: "noon", file: aWav({ seconds: 600, sampleRate: 16_000 }) };
    const { body, contentType } = multipart(callParts(target, changes));
    const headers = { "x-api-key": target.apiKey, "content-type": contentType, "content-length": String(body.length) };
    const conversation = begin(address(), { headers });
    for (let at = 0; at < body.length; at += 65_536) await conversation.write(body.subarray(at, at + 65_536));
    conversation.end();
    expectProblem(await conversation.answer, 422, "fields_invalid");
  });

  testLocally("the early answer leaves nothing behind", async () => {
    const before = await kept(local());
    await stallInTheFile({ conversation_timestamp: "noon" });
    await expect.poll(() => kept(local()), { timeout: 10_000 }).toEqual(before);
  });
});
