import { describe, expect, test } from "vitest";
import { newApiKey } from "./access/keys/api-key.ts";
import { openApi } from "./api.ts";
import { openTestApp } from "./testing/test-app.ts";

const { app, api, key, log } = await openTestApp({
  LIMIT_ADDRESS_REQUESTS_PER_SECOND: "1",
  TRUSTED_PROXIES: "10.0.0.0/8",
});
/** The token bucket holds ten seconds' worth of requests. */
const burst = 10;

interface From {
  readonly remoteAddress: string;
  readonly headers?: Record<string, string>;
}

async function ask(count: number, url: string, from: From): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await api.inject({ url, ...from })).statusCode);
  return statuses;
}

const countRejected = (statuses: readonly number[]) => statuses.filter((status) => status === 429).length;

describe("requests without credentials", () => {
  test.each([
    ["/errors/internal", "192.0.2.1"],
    ["/nowhere", "192.0.2.2"],
    ["/session/options", "192.0.2.3"],
    ["/console/", "192.0.2.4"],
  ])("are limited by address: %s", async (url, remoteAddress) => {
    const from = { remoteAddress };
    const statuses = await ask(burst + 5, url, from);
    // On a slow machine the bucket refills during the test.
    expect(countRejected(statuses)).toBeGreaterThanOrEqual(3);
    expect(countRejected(statuses.slice(0, burst))).toBe(0);
    const answer = await api.inject({ url, ...from });
    expect(answer.json()).toMatchObject({ status: 429, code: "rate_exceeded", limit: "address_requests" });
    expect(answer.headers["retry-after"]).toBe("1");
    expect(countRejected(await ask(1, url, { remoteAddress: "198.51.100.7" }))).toBe(0);
  });

  test("from one IPv6 network share a limit", async () => {
    const statuses = [];
    for (let n = 0; n < burst + 5; n++) {
      statuses.push(...(await ask(1, "/errors/internal", { remoteAddress: `2001:db8:1:2::${n}` })));
    }
    expect(countRejected(statuses)).toBeGreaterThanOrEqual(3);
    expect(countRejected(await ask(1, "/errors/internal", { remoteAddress: "2001:db8:1:3::1" }))).toBe(0);
  });

  test("are limited by the X-Forwarded-For address only if it comes from a trusted proxy", async () => {
    const behind = (address: string, proxy: string) => ({
      remoteAddress: proxy,
      headers: { "x-forwarded-for": address },
    });
    for (let n = 0; n < burst + 5; n++) {
      expect(countRejected(await ask(1, "/errors/internal", behind(`203.0.113.${n}`, "10.1.2.3")))).toBe(0);
    }
    const statuses = [];
    for (let n = 0; n < burst + 5; n++) {
      statuses.push(...(await ask(1, "/errors/internal", behind(`203.0.113.${n}`, "192.0.2.200"))));
    }
    expect(countRejected(statuses)).toBeGreaterThanOrEqual(3);
    expect(log()).toContain("not in TRUSTED_PROXIES");
  });

  test.each(["/healthz", "/readyz", "/metrics"])("are not limited at %s", async (url) => {
    expect(countRejected(await ask(3 * burst, url, { remoteAddress: "192.0.2.99" }))).toBe(0);
  });
});

describe("requests with credentials", () => {
  test("are limited if the credentials are unknown, without affecting valid keys from the same address", async () => {
    const from = (apiKey: string) => ({ remoteAddress: "192.0.2.50", headers: { "x-api-key": apiKey } });
    const valid = await key("read");
    expect(await ask(1, "/limits", from(valid))).toEqual([200]);
    const statuses: number[] = [];
    for (let n = 0; n < burst + 5; n++) statuses.push(...(await ask(1, "/limits", from(newApiKey(app.config.cell)))));
    expect(statuses.slice(0, burst - 1)).toEqual(Array.from({ length: burst - 1 }, () => 401));
    expect(countRejected(statuses)).toBeGreaterThanOrEqual(3);
    // Longer than the cache TTL.
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await ask(20, "/limits", from(valid))).toEqual(Array.from({ length: 20 }, () => 200));
  });
});

test("without a limit, no request is rejected", async () => {
  const config = { ...app.config, limits: { ...app.config.limits, address: { requestsPerSecond: null } } };
  const another = await openApi({ ...app, config });
  const statuses = [];
  for (let n = 0; n < 30; n++) {
    statuses.push((await another.inject({ url: "/errors/internal", remoteAddress: "192.0.2.77" })).statusCode);
  }
  expect(countRejected(statuses)).toBe(0);
  await another.close();
});
