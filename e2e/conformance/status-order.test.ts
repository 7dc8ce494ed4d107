import { describe, expect, test } from "vitest";
import { storedRows } from "../support/data/stored-rows.ts";
import { expectPartsNamed, expectProblem } from "../support/http/expect-problem.ts";
import { begin, multipart, type Part, send } from "../support/http/http.ts";
import { makeUnknownKey } from "../support/http/keys.ts";
import { callParts, fileFirst, type PartChanges, postCall, uniqueEmail } from "../support/http/service.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { createKey, local, target, testLocally } from "../support/stack/target.ts";

const address = (baseUrl = target.baseUrl) => `${baseUrl}/calls/audio`;
const notAudio = Buffer.from("no audio");

describe("docs/errors.md: order of checks: 401, 403, 413, 400, 422 (fields), 404 (campaign, then agent), 422 (recording)", () => {
  test.each([
    ["413 and 400", { "content-length": String(2 ** 40), "content-type": "text/plain" }],
    ["400", { "content-length": "10", "content-type": "text/plain" }],
  ])("401 before %s", async (_, headers) => {
    const conversation = begin(address(), { headers: { ...headers, "x-api-key": makeUnknownKey() } });
    expectProblem(await conversation.answer, 401, "unauthenticated");
    conversation.cut();
  });

  test.each([
    ["422 of fields", { conversation_timestamp: "noon" }],
    ["404", { campaign_id: "no-such-campaign" }],
    ["422 of the recording", { file: notAudio }],
  ])("401 before %s", async (_, changes: PartChanges) => {
    expectProblem(await postCall({ ...target, apiKey: makeUnknownKey() }, callParts(target, changes)), 401);
  });

  testLocally("403 before 413 and 400", async () => {
    const { key } = await createKey("read");
    const conversation = begin(address(), {
      headers: { "x-api-key": key, "content-length": String(2 ** 40), "content-type": "text/plain" },
    });
    expectProblem(await conversation.answer, 403, "scope_missing");
    conversation.cut();
  });

  testLocally("403 before 422 and 404", async () => {
    const reader = { ...target, apiKey: (await createKey("read")).key };
    const wrong = { conversation_timestamp: "noon", campaign_id: "no-such-campaign", file: notAudio };
    expectProblem(await postCall(reader, callParts(reader, wrong)), 403, "scope_missing");
  });

  testLocally("413 before 400", async () => {
    const api = await local().startApi({ env: { MAX_RECORDING_BYTES: "200000" } });
    const response = await send(address(api.baseUrl), {
      headers: { "x-api-key": target.apiKey, "content-type": "text/plain" },
      body: Buffer.alloc(2_000_000),
    });
    expectProblem(response, 413, "recording_too_large");
    await api.stop();
  });

  testLocally("413 before 422 (fields) and 404", async () => {
    const api = await local().startApi({ env: { MAX_RECORDING_BYTES: "200000" } });
    const service = { ...target, baseUrl: api.baseUrl };
    const wrong = { conversation_timestamp: "noon", campaign_id: "no-such-campaign", file: makeWav({ seconds: 300 }) };
    expectProblem(await postCall(service, callParts(service, wrong)), 413, "recording_too_large");
    expectProblem(await postCall(service, fileFirst(service, wrong)), 413, "recording_too_large");
    // A clean stop would wait 30 s for the rejected upload.
    await api.kill();
  });

  const without = { agent_email: undefined, conversation_timestamp: "noon", campaign_id: "no-such-campaign" };

  test("400 before 422 and 404: a missing part", async () => {
    const problem = expectProblem(
      await postCall(target, fileFirst(target, { ...without, file: notAudio })),
      400,
      "part_missing",
    );
    expectPartsNamed(problem, "agent_email", "conversation_timestamp");
  });

  test("400 before 422 and 404: a repeated part", async () => {
    const wrong = { conversation_timestamp: "noon", campaign_id: "no-such-campaign", file: notAudio };
    const parts = fileFirst(target, wrong);
    const again = { name: "agent_email", value: target.agentEmail };
    expectProblem(await postCall(target, [...parts, again]), 400, "part_repeated");
  });

  test("400 before 422 and 404: a truncated body", async () => {
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
    ["fields first", (changes) => callParts(target, changes)],
    ["file first", (changes) => fileFirst(target, changes)],
  ];

  describe.each(orders)("%s", (_, parts) => {
    test("422 (fields) before 404 and 422 (recording)", async () => {
      const wrong = {
        conversation_timestamp: "noon",
        campaign_id: "no-such-campaign",
        agent_email: uniqueEmail(),
        file: notAudio,
      };
      const problem = expectProblem(await postCall(target, parts(wrong)), 422, "fields_invalid");
      expectPartsNamed(problem, "conversation_timestamp");
    });

    test("404: campaign, then agent", async () => {
      const wrong = { campaign_id: "no-such-campaign", agent_email: uniqueEmail() };
      expectProblem(await postCall(target, parts(wrong)), 404, "campaign_not_found");
    });

    test.each([
      ["campaign", { campaign_id: "no-such-campaign" }, "campaign_not_found"],
      ["agent", { agent_email: uniqueEmail() }, "agent_not_found"],
    ])("404 before 422 of the recording: %s", async (_, wrong, code) => {
      for (const file of [notAudio, Buffer.alloc(0), makeWav({ seconds: 2 }).subarray(0, 1000)]) {
        expectProblem(await postCall(target, parts({ ...wrong, file })), 404, code);
      }
    });
  });
});

/** Sends the fields and the first bytes of the file, then stalls and waits for the response. */
async function stallInTheFile(changes: PartChanges) {
  const { pieces, contentType } = multipart(callParts(target, { ...changes, file: makeWav({ seconds: 60 }) }));
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

describe("docs/errors.md: invalid fields before the file are reported without waiting for the file", () => {
  test.each([
    ["the timestamp", { conversation_timestamp: "noon" }, 422, "fields_invalid"],
    ["the metadata", { metadata: "{" }, 422, "fields_invalid"],
    ["the e-mail", { agent_email: "no address" }, 422, "fields_invalid"],
    ["the campaign does not exist", { campaign_id: "no-such-campaign" }, 404, "campaign_not_found"],
    ["the agent does not exist", { agent_email: uniqueEmail() }, 404, "agent_not_found"],
  ] as [string, PartChanges, number, string][])("%s", { timeout: 10_000 }, async (_, changes, status, code) => {
    expectProblem(await stallInTheFile(changes), status, code);
  });

  test("the early response lists all invalid values", { timeout: 10_000 }, async () => {
    const wrong = { conversation_timestamp: "noon", agent_email: "no address", metadata: "{" };
    const problem = expectProblem(await stallInTheFile(wrong), 422, "fields_invalid");
    expectPartsNamed(problem, "agent_email", "conversation_timestamp", "metadata");
  });

  test("a client that keeps sending a large file gets the response", async () => {
    const changes = { conversation_timestamp: "noon", file: makeWav({ seconds: 600, sampleRate: 16_000 }) };
    const { body, contentType } = multipart(callParts(target, changes));
    const headers = { "x-api-key": target.apiKey, "content-type": contentType, "content-length": String(body.length) };
    const conversation = begin(address(), { headers });
    for (let at = 0; at < body.length; at += 65_536) await conversation.write(body.subarray(at, at + 65_536));
    conversation.end();
    expectProblem(await conversation.answer, 422, "fields_invalid");
  });

  testLocally("the early response leaves nothing behind", async () => {
    const before = await storedRows(local());
    await stallInTheFile({ conversation_timestamp: "noon" });
    await expect.poll(() => storedRows(local()), { timeout: 10_000 }).toEqual(before);
  });
});
