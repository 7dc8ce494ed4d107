import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendExport } from "./send-export.ts";

const api = Fastify();
let chunks: () => AsyncGenerator<string>;
let confirm = async () => {};
api.decorateRequest("confirmCaller", () => confirm());
api.get("/", (_, reply) => sendExport(reply, { name: "things", format: "csv" }, chunks()));
beforeAll(() => api.listen({ port: 0 }));
afterAll(() => api.close());

async function ask(): Promise<IncomingMessage> {
  const { port } = api.server.address() as AddressInfo;
  const asked = request({ port }).on("error", () => {});
  asked.end();
  const [response] = await once(asked, "response");
  return response;
}

async function read(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  return text;
}

const megabyte = "x".repeat(1024 * 1024);

test("a file comes whole, with its name and kind", async () => {
  chunks = async function* () {
    yield "ä,";
    yield "b\r\n";
  };
  const response = await ask();
  expect(response.headers).toMatchObject({
    "content-type": "text/csv; charset=utf-8; header=present",
    "transfer-encoding": "chunked",
    "cache-control": "private, no-store",
  });
  expect(await read(response)).toBe("ä,b\r\n");
});

test("what fails before the first byte is an error", async () => {
  chunks = async function* () {
    yield* [];
    throw new Error("no database");
  };
  expect((await ask()).statusCode).toBe(500);
});

test("what fails later is cut off and does not end like a whole file", async () => {
  chunks = async function* () {
    yield "a\r\n";
    throw new Error("the database went away");
  };
  const response = await ask();
  await expect(read(response)).rejects.toThrow(/aborted/);
  expect(response.complete).toBe(false);
});

test("what is made for a caller who may not have it any more is cut off, too", async () => {
  let asked = 0;
  confirm = async () => {
    if (++asked > 3) throw new Error("the session has ended");
  };
  chunks = async function* () {
    for (let made = 0; made < 1000; made++) yield "a\r\n";
  };
  const response = await ask();
  await expect(read(response)).rejects.toThrow(/aborted/);
  confirm = async () => {};
});

test("no more is made than the client takes, and nothing after it has gone", async () => {
  let made = 0;
  const ended = Promise.withResolvers<void>();
  chunks = async function* () {
    try {
      for (; made < 1000; made++) yield megabyte;
    } finally {
      ended.resolve();
    }
  };
  const response = await ask();
  await once(response, "readable");
  // Long enough for all of it, if nothing held it back.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(made).toBeLessThan(50);
  response.destroy();
  await ended.promise;
  expect(made).toBeLessThan(50);
});
