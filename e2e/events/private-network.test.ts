import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EventClient, eventClient } from "../support/http/event-client.ts";
import { openConnectionCounter, openReceiver } from "../support/servers/webhook-receiver.ts";
import { type ApiProcess, openStack, type Stack, unlimited } from "../support/stack/stack.ts";
import { say, until } from "../support/waiting.ts";

/*
 * docs/webhooks.md, "Receivers inside your network": deliveries never reach the private network (SSRF). The test of DNS
 * rebinding needs its own resolver: server/src/webhooks/deliver/post-payload.test.ts.
 */

let stack: Stack;
let api: ApiProcess;
let client: EventClient;
let canaries: Awaited<ReturnType<typeof openConnectionCounter>>[];
let port: number;

beforeAll(async () => {
  // One allowed address, for a receiver that redirects.
  stack = await openStack(undefined, {
    ...unlimited,
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.2/32",
    WEBHOOK_RETRY_FACTOR: "0.001",
  });
  api = await stack.startApi();
  client = await eventClient(stack, api.baseUrl);
  // On every other address of this machine.
  const first = await openConnectionCounter("127.0.0.1");
  port = first.port;
  const others = ["127.0.0.3", "127.1.1.1", "::1"].map((host) =>
    openConnectionCounter(host, port).catch(() => undefined),
  );
  canaries = [first, ...(await Promise.all(others)).filter((canary) => canary !== undefined)];
  await stack.startWorker();
}, 120_000);
afterAll(async () => {
  for (const canary of canaries ?? []) canary.close();
  await stack?.stop();
});

const visits = () => canaries.reduce((sum, canary) => sum + canary.connections(), 0);

/** IP addresses in every notation. */
const literals = [
  ...["127.0.0.1", "127.0.0.3", "127.1.1.1", "127.1", "127.0.1", "0", "0.0.0.0", "2130706433", "017700000001"],
  ...[
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "0x7f.0x0.0x0.0x1",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "１２７.0.0.1",
    "127。0。0。1",
  ],
  ...[
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.2]",
  ],
  ...["[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2001:0:7f00:1::]", "[fe80::1]", "[fd00::1]"],
  ...["169.254.169.254", "2852039166", "0xa9fea9fe", "[::ffff:169.254.169.254]", "[fd00:ec2::254]", "10.0.0.1"],
  ...["172.16.0.1", "192.168.0.1", "100.64.0.1", "224.0.0.1", "255.255.255.255"],
];
/** Host names that resolve to one. */
const names = ["localhost", "LOCALHOST", "localhost.", "ip6-localhost", "a.localhost", hostname()];

test("rejects a forbidden address when a webhook is created or changed", async () => {
  const { id } = await client.createWebhook("https://example.com/");
  for (const host of literals) {
    for (const scheme of ["https", "http"]) {
      const url = `${scheme}://${host}:${port}/`;
      for (const answer of [
        await client.ask<{ errors: { part: string; code: string }[] }>("POST", "/webhooks", { url }),
        await client.ask<{ errors: { part: string; code: string }[] }>("PATCH", `/webhooks/${id}`, { url }),
      ]) {
        expect([url, answer.status]).toEqual([url, 422]);
        expect(answer.body.errors[0]).toMatchObject({ part: "url", code: "address_forbidden" });
      }
    }
  }
  for (const url of [
    "http://8.8.8.8/",
    "ftp://127.0.0.2/",
    `http://u:p@127.0.0.2:${port}/`,
    "gopher://127.0.0.1/",
    "//x",
  ]) {
    expect([url, (await client.ask("POST", "/webhooks", { url })).status]).toEqual([url, 422]);
  }
  await client.ask("DELETE", `/webhooks/${id}`);
  say(`${literals.length} addresses rejected, with https and http`);
  expect(visits()).toBe(0);
});

/** Sends a delivery to a URL, bypassing the API's validation; returns the error of the first attempt. */
async function tryUrl(url: string): Promise<string | null> {
  const { id } = await client.createWebhook("https://example.com/");
  await stack.adminDb.query("update webhook_endpoint set url = $1 where id = $2", [url, id]);
  await client.ask("POST", `/webhooks/${id}/test`);
  const attempts = await until(
    `${url} was tried twice`,
    60_000,
    async () => {
      const [delivery] = await client.deliveries(id);
      return (delivery?.attempts.length ?? 0) >= 2 ? delivery?.attempts : undefined;
    },
    50,
  );
  await client.ask("DELETE", `/webhooks/${id}`);
  expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => null));
  return attempts[0]?.error ?? null;
}

test("never connects to a forbidden address, even if it is in the database", { timeout: 600_000 }, async () => {
  const urls = [...literals, ...names].flatMap((host) => [`https://${host}:${port}/`, `http://${host}:${port}/`]);
  const outcomes = new Map<string, number>();
  const queue = [...urls];
  await Promise.all(
    Array.from({ length: 12 }, async () => {
      for (let url = queue.pop(); url; url = queue.pop()) {
        const error = (await tryUrl(url)) ?? "none";
        outcomes.set(error, (outcomes.get(error) ?? 0) + 1);
      }
    }),
  );
  say(`${urls.length} URLs, ${visits()} connections; ${JSON.stringify(Object.fromEntries(outcomes))}`);
  expect(visits()).toBe(0);
  // A forbidden address and an unknown host name give the same error.
  expect([...outcomes]).toEqual([["address_unreachable", urls.length]]);
});

test("an allowed receiver cannot redirect to a forbidden address", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    const headers = {
      location: `http://127.0.0.1:${port}/${randomUUID()}`,
      refresh: `0; url=http://127.0.0.1:${port}/`,
    };
    const redirecting = await openReceiver(() => ({ status, headers }), "127.0.0.2");
    const { id } = await client.createWebhook(redirecting.url);
    await client.ask("POST", `/webhooks/${id}/test`);
    await until("two attempts", 30_000, () => redirecting.received.length >= 2);
    await client.ask("DELETE", `/webhooks/${id}`);
    await redirecting.close();
  }
  expect(visits()).toBe(0);
});

test("proxy environment variables have no effect", async () => {
  const proxy = {
    HTTP_PROXY: `http://127.0.0.1:${port}`,
    HTTPS_PROXY: `http://127.0.0.1:${port}`,
    NODE_USE_ENV_PROXY: "1",
  };
  const worker = await stack.startWorker(proxy);
  const allowed = await openReceiver(() => 200, "127.0.0.2");
  const { id } = await client.createWebhook(allowed.url);
  for (let count = 0; count < 20; count++) await client.ask("POST", `/webhooks/${id}/test`);
  await until("all test events arrive", 30_000, () => allowed.taken().size === 20);
  await worker.stop();
  await allowed.close();
  expect(visits()).toBe(0);
});

test("the canary detects connections", async () => {
  await fetch(`http://127.0.0.1:${port}/`).catch(() => {});
  expect(visits()).toBe(1);
});
