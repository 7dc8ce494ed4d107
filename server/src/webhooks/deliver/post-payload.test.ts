import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { openAddressRules } from "../endpoint/address-rules.ts";
import { postPayload } from "./post-payload.ts";

const local = openAddressRules([{ address: "127.0.0.1", prefix: 32, family: "ipv4" }]);
const strict = openAddressRules([]);
const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** Starts a server on 127.0.0.1 that counts its connections. */
async function aServer(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  servers.push(server);
  let connections = 0;
  server.on("connection", () => connections++);
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

const post = (url: string, more: Partial<Parameters<typeof postPayload>[1]> = {}) =>
  postPayload(url, { headers: { "x-test": "1" }, body: '{"a":"é"}', rules: local, ...more });
const forbidden = { error: "address_unreachable", cause: "address_forbidden" };
const fixed = (...addresses: string[]) =>
  Promise.resolve(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));

test("sends the body unchanged and returns the status", async () => {
  let seen = "";
  const { port } = await aServer(async (request, response) => {
    for await (const chunk of request) seen += chunk;
    response.writeHead(202).end("thanks");
  });
  expect(await post(`http://127.0.0.1:${port}/a?b=c`)).toEqual({
    status: 202,
    error: null,
    cause: null,
    retryAfter: undefined,
  });
  expect(seen).toBe('{"a":"é"}');
});

test("returns redirects without following them", async () => {
  const canary = await aServer((_, response) => response.end());
  const { port } = await aServer((_, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${canary.port}/` }).end();
  });
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 307 });
  expect(canary.connections()).toBe(0);
});

test("does not connect to a name that resolves to a private address", async () => {
  const canary = await aServer((_, response) => response.end());
  for (const addresses of [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::1"], ["::ffff:127.0.0.1"]]) {
    const answer = await post(`https://public.example:${canary.port}/`, {
      rules: strict,
      resolve: () => fixed(...addresses),
    });
    expect(answer).toEqual({ status: null, ...forbidden, retryAfter: undefined });
  }
  expect(canary.connections()).toBe(0);
});

test("http to a host name is allowed only for the operator's networks", async () => {
  const canary = await aServer((_, response) => response.end());
  const url = `http://public.example:${canary.port}/`;
  expect(await post(url, { resolve: () => fixed("8.8.8.8") })).toMatchObject(forbidden);
  expect(await post(url, { resolve: () => fixed("127.0.0.1") })).toMatchObject({ status: 200 });
});

test("resolves a name once and connects to the address that was checked", async () => {
  const good = await aServer((_, response) => response.writeHead(204).end());
  // The resolver's second answer differs. A separate check before the connection would consume the first one.
  let lookups = 0;
  const resolve = () => fixed(lookups++ === 0 ? "127.0.0.1" : "127.0.0.2");
  expect(await post(`http://rebinding.example:${good.port}/`, { resolve })).toMatchObject({ status: 204 });
  expect(lookups).toBe(1);

  const canary = await aServer((_, response) => response.end());
  let turn = 0;
  const rebinding = () => fixed(turn++ % 2 === 0 ? "127.0.0.2" : "127.0.0.1");
  for (let attempt = 0; attempt < 10; attempt++) {
    const answer = await post(`https://rebinding.example:${canary.port}/`, { rules: strict, resolve: rebinding });
    expect(answer).toMatchObject(forbidden);
  }
  expect(canary.connections()).toBe(0);
});

test("names that do not resolve give the same error as forbidden addresses", async () => {
  const { error } = forbidden;
  expect(await post("https://x.example/", { resolve: () => fixed() })).toMatchObject({ error, cause: "enotfound" });
  const failing = () => Promise.reject(Object.assign(new Error("getaddrinfo x.example"), { code: "EAI_AGAIN" }));
  expect(await post("https://x.example/", { resolve: failing })).toMatchObject({ error, cause: "eai_again" });
});

test("reads at most 64 KB of an endless response", async () => {
  let written = 0;
  const { port } = await aServer((_, response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(16 * 1024);
    const more = () => {
      while (response.writable && response.write(chunk)) written += chunk.length;
    };
    response.on("drain", more).on("error", () => {});
    more();
  });
  expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 200 });
  expect(written).toBeLessThan(50 * 1024 * 1024);
});

test("times out if the receiver never responds or its response never ends", async () => {
  const silent = await aServer(() => {});
  expect(await post(`http://127.0.0.1:${silent.port}/`, { timeoutMs: 200 })).toMatchObject({ error: "timeout" });
  const drip = await aServer((_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("."), 20);
    response.on("close", () => clearInterval(timer));
  });
  expect(await post(`http://127.0.0.1:${drip.port}/`, { timeoutMs: 200 })).toMatchObject({ status: 200, error: null });
});

test("a closed connection, a protocol upgrade and a non-HTTP response count as no response", async () => {
  for (const words of ["", "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n", "SSH-2.0-x\r\n"]) {
    const { port } = await aServer((request) => void request.socket.end(words));
    expect(await post(`http://127.0.0.1:${port}/`, { timeoutMs: 2_000 })).toMatchObject({
      status: null,
      error: expect.stringMatching(/^(econnreset|connection_failed|hpe_invalid_\w+)$/),
    });
  }
});

test("every request uses a new connection", async () => {
  const { port, connections } = await aServer((_, response) => response.end());
  for (let count = 0; count < 3; count++) await post(`http://127.0.0.1:${port}/`);
  expect(connections()).toBe(3);
});

test.each(["not a url", "ftp://127.0.0.1/", "http://a:b@127.0.0.1/"])(
  "%s is rejected without a connection",
  async (url) => {
    expect(await post(url)).toMatchObject({ error: "url_malformed" });
  },
);
