import { describe, expect, test } from "vitest";
import { expectProblem } from "../support/http/expect-problem.ts";
import { callParts, partNames, postCall, uniqueEmail } from "../support/http/service.ts";
import { makeWav } from "../support/recordings/sounds.ts";
import { target } from "../support/stack/target.ts";

const orders = (names: readonly string[]): string[][] =>
  names.length === 0
    ? [[]]
    : names.flatMap((first) => orders(names.filter((name) => name !== first)).map((rest) => [first, ...rest]));

const all = orders(partNames).map((order) => [order.join(", "), order] as const);

describe("docs/integrating.md: parts in any order", () => {
  test("five parts have 120 orders", () => {
    expect(new Set(all.map(([name]) => name)).size).toBe(120);
  });

  test.each(all)("%s", async (_, order) => {
    const file = makeWav();
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

  test("one call sent in all 120 orders is stored once", async () => {
    const file = makeWav();
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
      const changes = { agent_email: uniqueEmail() };
      const parts = callParts(target, changes, ["conversation_timestamp", ...order]);
      expectProblem(await postCall(target, parts), 404, "agent_not_found");
    },
  );
});
