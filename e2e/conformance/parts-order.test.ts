import { describe, expect, test } from "vitest";
import { expectProblem } from "../support/expect-problem.ts";
import { anEmail, callParts, partNames, postCall } from "../support/service.ts";
import { aWav } from "../support/sounds.ts";
import { target } from "../support/target.ts";

const orders = (names: readonly string[]): string[][] =>
  names.length === 0
    ? [[]]
    : names.flatMap((first) => orders(names.filter((name) => name !== first)).map((rest) => [first, ...rest]));

const all = orders(partNames).map((order) => [order.join(", "), order] as const);

describe("interface: POST /calls/audio: They come in any order, the file first included", () => {
  test("there are 120 orders of the five parts", () => {
    expect(new Set(all.map(([name]) => name)).size).toBe(120);
  });

  test.each(all)("%s", async (_, order) => {
    const file = aWav();
    const answer = await postCall(target, callParts(target, { file }, order));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      duplicate: false,
      campaign_id: target.campaignId,
      agent: { email: target.agentEmail },
      conversation_timestamp: 1714557600,
      metadata: [{ key: "site", value: "Lyon" }],
      recording: { bytes: file.length },
      warnings: [],
    });
  });

  test("one call sent in all 120 orders is one call", async () => {
    const file = aWav();
    const ids = new Set<string>();
    let firsts = 0;
    for (const [, order] of all) {
      const { body } = await postCall(target, callParts(target, { file }, order));
      ids.add(body.id);
      if (!body.duplicate) firsts++;
    }
    expect([ids.size, firsts]).toEqual([1, 1]);
  });

  test.each(orders(["campaign_id", "agent_email", "file"]).map((order) => [order.join(", "), order] as const))(
    "an unknown agent is 404 in any order: %s",
    async (_, order) => {
      const changes = { agent_email: anEmail() };
      const parts = callParts(target, changes, ["conversation_timestamp", ...order]);
      expectProblem(await postCall(target, parts), 404, "agent_not_found");
    },
  );
});
