import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect } from "vitest";
import { storedRows } from "../support/data/stored-rows.ts";
import { expectProblem } from "../support/http/expect-problem.ts";
import { begin, multipart } from "../support/http/http.ts";
import { callParts, postCall, postUser, uniqueEmail } from "../support/http/service.ts";
import { anotherWorkspace, createKey, local, target, testLocally } from "../support/stack/target.ts";

const address = `${target.baseUrl}/calls/audio`;

describe("docs/limits.md: 429 over the rate limit of a key", () => {
  const limitedKey = async (...limits: string[]) => {
    const { id, key: apiKey } = await createKey("import");
    await local().command("key", "limits", id, "--workspace", local().workspaceId, ...limits, "--json");
    return { ...target, apiKey };
  };

  testLocally("Retry-After and the RateLimit headers tell when to retry", async () => {
    const before = await storedRows(local());
    const service = await limitedKey("--requests-per-second", "2");
    const wrong = callParts(service, { conversation_timestamp: "noon" });
    const answers = await Promise.all(Array.from({ length: 6 }, () => postCall(service, wrong)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(3);
    for (const answer of refused) {
      expect(expectProblem(answer, 429, "rate_exceeded").detail).toContain("2 requests per second");
      expect(answer.headers["retry-after"]).toBe("1");
      expect(answer.headers["ratelimit-policy"]).toContain('"key_requests";q=2;w=1');
      expect(answer.headers.ratelimit).toContain('"key_requests";r=0;t=1');
    }
    expect(await storedRows(local())).toEqual(before);
    await sleep(1_000);
    expect((await postCall(service, callParts(service))).status).toBe(200);
  });

  testLocally("with Expect: 100-continue the body is never sent", async () => {
    const service = await limitedKey("--requests-per-second", "1");
    const parts = callParts(service);
    const answers = await Promise.all([1, 2, 3].map(() => postCall(service, parts, { expectContinue: true })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.map(({ continued }) => continued)).not.toContain(true);
  });

  testLocally("concurrent uploads over the limit get 429 until one ends", async () => {
    const service = await limitedKey("--uploads-at-once", "1");
    const form = multipart(callParts(service));
    const headers = { "x-api-key": service.apiKey, "content-type": form.contentType };
    const first = begin(address, { headers: { ...headers, "content-length": String(form.body.length) } });
    await first.write(form.body.subarray(0, 100));
    await expect.poll(async () => (await postCall(service, callParts(service))).status).toBe(429);
    expectProblem(await postCall(service, callParts(service)), 429, "too_many_uploads");
    first.cut();
    await expect.poll(async () => (await postCall(service, callParts(service))).status).toBe(200);
  });

  testLocally("the daily quota resets at midnight", async () => {
    const other = await anotherWorkspace();
    const workspace = other.workspaceId;
    await local().command("workspace", "limits", workspace, "--calls-per-day", "1", "--json");
    expect((await postCall(other, callParts(other))).status).toBe(200);
    const answer = await postCall(other, callParts(other));
    expectProblem(answer, 429, "quota_exceeded");
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    expect(Number(answer.headers["retry-after"])).toBeLessThanOrEqual(24 * 3600);
    expect((await postUser(other, { email: uniqueEmail(), name: "Ann Lee", role: "agent" })).status).toBe(201);
  });
});
