import { createClient } from "@hearback/sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openAdaptiveConcurrency } from "./concurrency/adaptive-concurrency.ts";
import { type AgentFailure, createAgents, type NewAgent } from "./create-agents.ts";
import { type FakeService, openFakeService } from "./testing/fake-service.ts";

let service: FakeService;
beforeEach(async () => {
  service = await openFakeService();
});
afterEach(() => service.close());

const makeAgents = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ email: `agent-${at}@example.com`, name: `Agent ${at}` }));

async function create(agents: Iterable<{ email: string; name: string }>) {
  const failures: (AgentFailure & NewAgent)[] = [];
  const client = createClient({ baseUrl: service.url, apiKey: "key", retries: { attempts: 1 } });
  const onFailure = (failure: AgentFailure & NewAgent) => void failures.push(failure);
  return {
    counts: await createAgents({ client, agents, concurrency: openAdaptiveConcurrency(), onFailure }),
    failures,
  };
}

test("creates agents concurrently; existing agents are not a failure", async () => {
  service.agents.add("agent-3@example.com");
  service.hooks.fault = () => ({ kind: "slow", ms: 10 });
  const { counts, failures } = await create(makeAgents(50));
  expect([counts, failures]).toEqual([{ created: 49, present: 1, failed: new Map() }, []]);
  expect(service.agents.size).toBe(51);
  expect(service.counts.maxInFlight).toBeGreaterThan(1);
});

test("creates all agents despite connection failures", async () => {
  service.hooks.fault = (_, count) =>
    count % 7 === 0 ? { kind: "cutAfter" } : count % 11 === 0 ? { kind: "cut" } : undefined;
  const { counts, failures } = await create(makeAgents(30));
  expect([counts.created + counts.present, failures]).toEqual([30, []]);
  expect(service.agents.size).toBe(31);
});

test("reports a rejected agent", async () => {
  const { counts, failures } = await create([{ email: "wrong@Example.com", name: "Wrong" }, ...makeAgents(3)]);
  expect(counts.created).toBe(3);
  expect(failures).toMatchObject([{ email: "wrong@Example.com", name: "Wrong", code: "fields_invalid" }]);
  expect([...counts.failed]).toEqual([["wrong@example.com", failures[0]?.reason]]);
});

test("an email address of a user who is not an agent is a failure, with the way out", async () => {
  const { counts, failures } = await create([{ email: "reviewer@example.com", name: "Rita" }, ...makeAgents(1)]);
  expect([counts.created, counts.present]).toEqual([1, 0]);
  expect(failures).toMatchObject([{ code: "user_exists", reason: expect.stringContaining("not an agent") }]);
});

test("a rejected key stops the creation", async () => {
  service.hooks.fault = () => ({ kind: "answer", status: 403, code: "scope_missing" });
  await expect(create(makeAgents(30))).rejects.toMatchObject({ exitCode: 3 });
  expect(service.requests.length).toBeLessThan(17);
});
