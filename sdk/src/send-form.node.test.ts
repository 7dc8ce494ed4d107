import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { FormProgress, Recording } from "./form.ts";
import { type ClientOptions, createClient, RecordingError, ServiceError } from "./index.ts";
import { recordingFile } from "./recording-file.ts";
import { httpServer, tcpServer } from "./testing/local-server.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hearback-sdk-"));
});
afterAll(() => rm(folder, { recursive: true }));

const small = new Uint8Array(100_000).fill(1);
const large = new Uint8Array(8 * 1024 * 1024).fill(2);
const okBody = JSON.stringify({ id: "1", agent: {}, recording: {} });
const sizes = [
  ["a small recording", small],
  ["a large recording", large],
] as const;

/** Imports a recording: resolves with the response or rejects with the failure. */
async function importTo(
  baseUrl: string,
  file: Recording,
  options: Partial<ClientOptions> & { signal?: AbortSignal; onProgress?: (progress: FormProgress) => void } = {},
) {
  const { signal, onProgress, ...client } = options;
  const { calls, close } = createClient({ baseUrl, apiKey: "key", retries: { attempts: 1 }, ...client });
  try {
    return await calls.import({
      file,
      signal,
      onProgress,
      campaignId: "support-fr",
      agentEmail: "ann@example.com",
      happenedAt: new Date(1_714_557_600_000),
      metadata: { site: "Zürich" },
    });
  } finally {
    close();
  }
}
const failureOf = (import_: Promise<unknown>): Promise<ServiceError> =>
  import_.then(
    () => Promise.reject(new Error("the import succeeded")),
    (error) => error,
  );

async function received(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const form = await new Response(Buffer.concat(chunks), {
    headers: { "content-type": request.headers["content-type"] ?? "" },
  }).formData();
  const fields = Object.fromEntries([...form].filter(([name]) => name !== "file"));
  const file = Buffer.from(await (form.get("file") as File).arrayBuffer());
  return { fields, sha256: createHash("sha256").update(file).digest("hex"), bytes: file.length };
}

const sources: [string, (bytes: Uint8Array) => Recording | Promise<Recording>][] = [
  ["bytes", (bytes) => bytes],
  ["a Blob", (bytes) => new Blob([bytes as BlobPart])],
  ["a stream", (bytes) => ({ bytes: bytes.length, stream: () => new Blob([bytes as BlobPart]).stream() })],
  [
    "a file",
    async (bytes) => {
      const path = join(folder, `${bytes.length}.wav`);
      await writeFile(path, bytes);
      return recordingFile(path);
    },
  ],
];

test.each(sizes.flatMap(([name, bytes]) => sources.map(([from, make]) => [name, from, bytes, make] as const)))(
  "sends %s from %s unmodified",
  async (_, __, bytes, make) => {
    let got: Awaited<ReturnType<typeof received>> | undefined;
    let expect100: string | undefined;
    await using server = await httpServer(async (request, response) => {
      expect100 = request.headers.expect;
      got = await received(request);
      response.end(okBody);
    });
    expect(await importTo(server.baseUrl, await make(bytes))).toMatchObject({ id: "1" });
    expect(got).toEqual({
      fields: {
        campaign_id: "support-fr",
        conversation_timestamp: "1714557600",
        agent_email: "ann@example.com",
        metadata: '[{"key":"site","value":"Zürich"}]',
      },
      sha256: createHash("sha256").update(bytes).digest("hex"),
      bytes: bytes.length,
    });
    expect(expect100).toBe(bytes === small ? undefined : "100-continue");
  },
);

const errorText = (status: string) => {
  const body = JSON.stringify({ code: "refused", detail: "No.", request_id: "r-1", status: 401 });
  return `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

const earlyResponses: [string, (socket: Socket) => void][] = [
  ["and continues reading", (socket) => void socket.resume().write(errorText("401 Unauthorized"))],
  ["and closes the connection", (socket) => void socket.resume().end(errorText("413 Payload Too Large"))],
  ["and stops reading", (socket) => void socket.write(errorText("401 Unauthorized"))],
  [
    "and resets the connection",
    (socket) => void socket.write(errorText("401 Unauthorized"), () => socket.resetAndDestroy()),
  ],
  [
    "without a length, and resets the connection",
    (socket) => void socket.write("HTTP/1.1 401 No\r\n\r\nno", () => socket.resetAndDestroy()),
  ],
];
test.each(sizes.flatMap(([name, bytes]) => earlyResponses.map(([how, answer]) => [name, how, bytes, answer] as const)))(
  "returns the response sent before %s is uploaded, from a server that responds %s",
  async (_, __, bytes, answer) => {
    for (const afterBytes of [0, 50_000]) {
      await using server = await tcpServer((socket) => {
        let receivedBytes = 0;
        const onData = (chunk: Buffer) => {
          // Send 100 Continue first if the rejection comes in the middle.
          if (receivedBytes === 0 && afterBytes > 0) socket.write("HTTP/1.1 100 Continue\r\n\r\n");
          receivedBytes += chunk.length;
          if (receivedBytes <= afterBytes) return;
          socket.off("data", onData).pause();
          answer(socket);
        };
        socket.on("data", onData);
      });
      const error = await failureOf(importTo(server.baseUrl, bytes, { idleTimeoutMs: 5_000 }));
      expect(error).toBeInstanceOf(ServiceError);
      expect([401, 413]).toContain(error.status);
    }
  },
);

test.each(sizes)("reports no response if the connection is reset during %s", async (_, bytes) => {
  await using server = await tcpServer((socket) => {
    socket.write("HTTP/1.1 100 Continue\r\n\r\n");
    socket.once("data", () => socket.resetAndDestroy());
  });
  const error = await failureOf(importTo(server.baseUrl, bytes));
  expect(error).toMatchObject({ name: "ServiceError", status: 0, code: "unreachable", attempts: 1 });
});

test("does not accept a truncated response", async () => {
  await using server = await tcpServer((socket) =>
    socket.once("data", () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"id":')),
  );
  expect(await failureOf(importTo(server.baseUrl, small))).toMatchObject({ status: 0, code: "unreachable" });
});

test.each(sizes)("gives up after the idle timeout while sending %s", async (_, bytes) => {
  await using server = await tcpServer((socket) => socket.once("data", () => socket.pause()));
  const error = await failureOf(importTo(server.baseUrl, bytes, { idleTimeoutMs: 300 }));
  expect(error).toMatchObject({ code: "unreachable", message: expect.stringContaining("no traffic for 0.3 s") });
});

test("sends the body to a server without support for 100 Continue", async () => {
  await using server = await tcpServer((socket) => {
    let receivedBytes = 0;
    socket.on("data", (chunk) => {
      receivedBytes += chunk.length;
      if (receivedBytes > large.length)
        socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${okBody.length}\r\n\r\n${okBody}`);
    });
  });
  expect(await importTo(server.baseUrl, large)).toMatchObject({ id: "1" });
});

test.each(sizes)("stops in the middle of %s when the signal is aborted", async (_, bytes) => {
  const abort = new AbortController();
  let receivedBytes = 0;
  await using server = await tcpServer((socket) => {
    socket.write("HTTP/1.1 100 Continue\r\n\r\n");
    socket.once("data", () => {
      socket.pause();
      setTimeout(() => abort.abort(new Error("enough")), 50);
      setTimeout(() => socket.on("data", (chunk) => (receivedBytes += chunk.length)).resume(), 100);
    });
    socket.on("end", () => socket.end());
  });
  const error = await failureOf(importTo(server.baseUrl, bytes, { signal: abort.signal, retries: { attempts: 5 } }));
  expect(error.message).toBe("enough");
  await vi.waitFor(() => expect(server.connections()).toBe(0));
  expect(receivedBytes).toBeLessThan(bytes.length);
});

test.each(sizes)("reports the upload progress of %s", async (_, bytes) => {
  await using server = await httpServer((request, response) => request.resume().on("end", () => response.end(okBody)));
  const reported: FormProgress[] = [];
  await importTo(server.baseUrl, await recordingFileOf(bytes), { onProgress: (progress) => reported.push(progress) });
  const sent = reported.map(({ sentBytes }) => sentBytes);
  expect(sent).toEqual(sent.toSorted((a, b) => a - b));
  expect(reported.at(-1)?.sentBytes).toBe(reported.at(-1)?.totalBytes);
  expect(reported.length).toBeGreaterThan(bytes === small ? 0 : 20);
});

async function recordingFileOf(bytes: Uint8Array) {
  const path = join(folder, "progress.wav");
  await writeFile(path, bytes);
  return recordingFile(path);
}

test.each([
  ["shrank", (path: string) => truncate(path, 10)],
  ["is gone", (path: string) => rm(path)],
])("throws a RecordingError without retrying if the file %s", async (_, damage) => {
  let requests = 0;
  await using server = await httpServer((request, response) => {
    requests++;
    request.resume().on("end", () => response.end(okBody));
  });
  for (const bytes of [small, large]) {
    const path = join(folder, "damaged.wav");
    await writeFile(path, bytes);
    const file = await recordingFile(path);
    await damage(path);
    const error = await failureOf(importTo(server.baseUrl, file, { retries: { attempts: 3 } }));
    expect(error).toBeInstanceOf(RecordingError);
  }
  expect(requests).toBeLessThan(3);
});

test("reuses connections between uploads and closes them on close()", async () => {
  const ports = new Set<number | undefined>();
  await using server = await httpServer((request, response) => {
    ports.add(request.socket.remotePort);
    request.resume().on("end", () => response.end(okBody));
  });
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key" });
  const call = { campaignId: "c", agentEmail: "ann@example.com", happenedAt: 1_714_557_600 };
  for (let count = 0; count < 5; count++) await client.calls.import({ ...call, file: small });
  await client.calls.import({ ...call, file: large });
  expect([ports.size, server.connections()]).toEqual([1, 1]);
  client.close();
  await vi.waitFor(() => expect(server.connections()).toBe(0));
});

test("opens a new connection if the server has just closed the kept-alive one", async () => {
  let answered = 0;
  await using server = await tcpServer((socket) => {
    let mine = 0;
    socket.on("data", (chunk) => {
      if (mine++ > 0 && answered === 1) return socket.resetAndDestroy();
      if (!chunk.includes("--\r\n")) return;
      answered++;
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${okBody.length}\r\n\r\n${okBody}`);
    });
  });
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key", retries: { attempts: 1 } });
  const file = new Uint8Array(10);
  const call = { file, campaignId: "c", agentEmail: "ann@example.com", happenedAt: 1_714_557_600 };
  await client.calls.import(call);
  await sleep(20);
  await client.calls.import(call);
  expect(answered).toBe(2);
  client.close();
});

test("an upload of 200 MB needs no more memory than one of 10 MB", async () => {
  await using server = await httpServer((request, response) => request.resume().on("end", () => response.end(okBody)));
  const paths = [10, 200].map((megabytes) => ({ path: join(folder, `${megabytes}mb.wav`), megabytes }));
  for (const { path, megabytes } of paths) {
    await writeFile(path, "");
    await truncate(path, megabytes * 1024 * 1024);
  }
  const script = join(import.meta.dirname, "testing/upload-with-little-memory.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [
    // On a busy machine, the young generation alone could grow by this much.
    "--max-semi-space-size=1",
    script,
    server.baseUrl,
    ...paths.map(({ path }) => path),
  ]);
  expect(Number(stdout)).toBeLessThan(60);
});
