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
  const outgoing = request({ port }).on("error", () => {});
  outgoing.end();
  const [response] = await once(outgoing, "response");
  return response;
}

async function read(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  return text;
}

const megabyte = "x".repeat(1024 * 1024);

test("sends the complete file with its name and type", async () => {
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

test("a failure before the first byte results in an error response", async () => {
  chunks = async function* () {
    yield* [];
    throw new Error("no database");
  };
  expect((await ask()).statusCode).toBe(500);
});

test("a later failure aborts the response", async () => {
  chunks = async function* () {
    yield "a\r\n";
    throw new Error("the database went away");
  };
  const response = await ask();
  await expect(read(response)).rejects.toThrow(/aborted/);
  expect(response.complete).toBe(false);
});

test("aborts the response when the caller is no longer authorized", async () => {
  let checks = 0;
  confirm = async () => {
    if (++checks > 3) throw new Error("the session has ended");
  };
  chunks = async function* () {
    for (let made = 0; made < 1000; made++) yield "a\r\n";
  };
  const response = await ask();
  await expect(read(response)).rejects.toThrow(/aborted/);
  confirm = async () => {};
});

test("applies backpressure and stops when the client disconnects", async () => {
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
  // Long enough to generate everything if there were no backpressure.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(made).toBeLessThan(50);
  response.destroy();
  await ended.promise;
  expect(made).toBeLessThan(50);
});
