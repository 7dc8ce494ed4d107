import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guardSlowReaders } from "./slow-reader-guard.ts";

const graceMs = 600;
const minBytesPerSecond = 100_000;
/** Larger than the kernel's socket buffers on both ends. */
const large = Buffer.alloc(64 * 1024 * 1024);

let answer: (response: ServerResponse) => void;
const server = createServer((_, response) => answer(response));
guardSlowReaders(server, { graceMs, minBytesPerSecond });
beforeAll(() => once(server.listen(0), "listening"));
afterAll(() => server.close());

async function ask(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port);
  await once(socket, "connect");
  socket.on("error", () => {}).pause();
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  return socket;
}

/** Time until the server closes the response, up to `maxMs`. */
async function closedAfter(maxMs: number, client: (socket: Socket) => void): Promise<number | "open"> {
  const closed = Promise.withResolvers<void>();
  const previous = answer;
  answer = (response) => {
    response.once("close", closed.resolve);
    previous(response);
  };
  const socket = await ask();
  client(socket);
  const began = performance.now();
  const outcome = await Promise.race([closed.promise, sleep(maxMs, "open" as const)]);
  answer = previous;
  socket.destroy();
  return outcome === "open" ? outcome : performance.now() - began;
}

test("disconnects a client that reads nothing after the grace period", async () => {
  answer = (response) => response.end(large);
  const ms = await closedAfter(5_000, () => {});
  expect(ms).toBeGreaterThanOrEqual(graceMs * 0.9);
  expect(ms).not.toBe("open");
});

test("disconnects a client that reads too little", async () => {
  answer = (response) => response.end(large);
  const ms = await closedAfter(6_000, (socket) => {
    const timer = setInterval(() => socket.read(1_000), 100);
    socket.once("close", () => clearInterval(timer));
  });
  expect(ms).not.toBe("open");
});

test("serves a client that reads slowly but above the minimum rate", async () => {
  const bytes = 16 * 1024 * 1024;
  answer = (response) => response.end(large.subarray(0, bytes));
  const socket = await ask();
  const began = performance.now();
  let got = 0;
  let sinceRest = 0;
  socket.on("data", (chunk) => {
    got += chunk.length;
    sinceRest += chunk.length;
    if (sinceRest < 512 * 1024) return;
    sinceRest = 0;
    socket.pause();
    setTimeout(() => socket.resume(), 80);
  });
  socket.resume();
  await expect.poll(() => got, { timeout: 15_000 }).toBeGreaterThanOrEqual(bytes);
  socket.destroy();
  expect(performance.now() - began).toBeGreaterThan(3 * graceMs);
}, 20_000);

test("does not disconnect slow responses of the server or idle connections", async () => {
  answer = (response) => {
    response.write("first ");
    setTimeout(() => response.end("last"), 3 * graceMs);
  };
  const socket = await ask();
  let text = "";
  socket
    .setEncoding("utf8")
    .on("data", (more) => (text += more))
    .resume();
  await expect.poll(() => text, { timeout: 5_000 }).toContain("last");
  await sleep(2 * graceMs);
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});
