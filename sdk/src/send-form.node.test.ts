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
const anAnswer = JSON.stringify({ id: "1", agent: {}, recording: {} });
const sizes = [
  ["a small recording", small],
  ["a large recording", large],
] as const;

/** How the import ends: with the answer's id or with what went wrong. */
async function importTo(
  baseUrl: string,
  file: Recording,
  options: Partial<ClientOptions> & { signal?: AbortSignal; onProgress?: (progress: FormProgress) => void } = {},
) {
  const { signal, onProgress, ...client } = options;
  const { calls, close } = createClient({ baseUrl, apiKey: "key", retries: { attempts: 1 }, ...client });
  try {
    return await calls.import({
      ...{ file, signal, onProgress },
      ...{ campaignId: "support-fr", agentEmail: "ann@example.com", happenedAt: new Date(1_714_557_600_000) },
      metadata: { site: "Zürich" },
    });
  } finally {
    close();
  }
}
const failureOf = (import_: Promise<unknown>): Promise<ServiceError> =>
  import_.then(
    () => Promise.reject(new Error("it was imported")),
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
  "sends %s from %s as it is",
  async (_, __, bytes, make) => {
    let got: Awaited<ReturnType<typeof received>> | undefined;
    let expect100: string | undefined;
    await using server = await httpServer(async (request, answer) => {
      expect100 = request.headers.expect;
      got = await received(request);
      answer.end(anAnswer);
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

const refusal = (status: string) => {
  const body = JSON.stringify({ code: "refused", detail: "No.", request_id: "r-1", status: 401 });
  return `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

const early: [string, (socket: Socket) => void][] = [
  ["and goes on reading", (socket) => void socket.resume().write(refusal("401 Unauthorized"))],
  ["and ends", (socket) => void socket.resume().end(refusal("413 Payload Too Large"))],
  ["and reads no further", (socket) => void socket.write(refusal("401 Unauthorized"))],
  [
    "and cuts the connection",
    (socket) => void socket.write(refusal("401 Unauthorized"), () => socket.resetAndDestroy()),
  ],
  [
    "without telling its length, and cuts the connection",
    (socket) => void socket.write("HTTP/1.1 401 No\r\n\r\nno", () => socket.resetAndDestroy()),
  ],
];
test.each(sizes.flatMap(([name, bytes]) => early.map(([how, answer]) => [name, how, bytes, answer] as const)))(
  "gives the answer that comes before %s is sent, from a server that answers %s",
  async (_, __, bytes, answer) => {
    for (const afterBytes of [0, 50_000]) {
      await using server = await tcpServer((socket) => {
        let came = 0;
        const look = (chunk: Buffer) => {
          // Goes ahead first where the refusal comes in the middle.
          if (came === 0 && afterBytes > 0) socket.write("HTTP/1.1 100 Continue\r\n\r\n");
          came += chunk.length;
          if (came <= afterBytes) return;
          socket.off("data", look).pause();
          answer(socket);
        };
        socket.on("data", look);
      });
      const error = await failureOf(importTo(server.baseUrl, bytes, { silenceMs: 5_000 }));
      expect(error).toBeInstanceOf(ServiceError);
      expect([401, 413]).toContain(error.status);
    }
  },
);

test.each(sizes)("tells that there was no answer if the connection is cut in the middle of %s", async (_, bytes) => {
  await using server = await tcpServer((socket) => {
    socket.write("HTTP/1.1 100 Continue\r\n\r\n");
    socket.once("data", () => socket.resetAndDestroy());
  });
  const error = await failureOf(importTo(server.baseUrl, bytes));
  expect(error).toMatchObject({ name: "ServiceError", status: 0, code: "unreachable", attempts: 1 });
});

test("does not take half an answer for an import", async () => {
  await using server = await tcpServer((socket) =>
    socket.once("data", () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"id":')),
  );
  expect(await failureOf(importTo(server.baseUrl, small))).toMatchObject({ status: 0, code: "unreachable" });
});

test.each(sizes)("gives up when nothing moves any more while it sends %s", async (_, bytes) => {
  await using server = await tcpServer((socket) => socket.once("data", () => socket.pause()));
  const error = await failureOf(importTo(server.baseUrl, bytes, { silenceMs: 300 }));
  expect(error).toMatchObject({ code: "unreachable", message: expect.stringContaining("nothing moved for 0.3 s") });
});

test("sends the body to a server that knows nothing of asking first", async () => {
  await using server = await tcpServer((socket) => {
    let came = 0;
    socket.on("data", (chunk) => {
      came += chunk.length;
      if (came > large.length) socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${anAnswer.length}\r\n\r\n${anAnswer}`);
    });
  });
  expect(await importTo(server.baseUrl, large)).toMatchObject({ id: "1" });
});

test.each(sizes)("stops in the middle of %s when it is told to", async (_, bytes) => {
  const abort = new AbortController();
  let came = 0;
  await using server = await tcpServer((socket) => {
    socket.write("HTTP/1.1 100 Continue\r\n\r\n");
    socket.once("data", () => {
      socket.pause();
      setTimeout(() => abort.abort(new Error("enough")), 50);
      setTimeout(() => socket.on("data", (chunk) => (came += chunk.length)).resume(), 100);
    });
    socket.on("end", () => socket.end());
  });
  const started = performance.now();
  const error = await failureOf(importTo(server.baseUrl, bytes, { signal: abort.signal, retries: { attempts: 5 } }));
  expect(error.message).toBe("enough");
  expect(performance.now() - started).toBeLessThan(2_000);
  await vi.waitFor(() => expect(server.connections()).toBe(0));
  expect(came).toBeLessThan(bytes.length);
});

test.each(sizes)("tells how much of %s is sent", async (_, bytes) => {
  await using server = await httpServer((request, answer) => request.resume().on("end", () => answer.end(anAnswer)));
  const told: FormProgress[] = [];
  await importTo(server.baseUrl, await recordingFileOf(bytes), { onProgress: (progress) => told.push(progress) });
  const sent = told.map(({ sentBytes }) => sentBytes);
  expect(sent).toEqual(sent.toSorted((a, b) => a - b));
  expect(told.at(-1)?.sentBytes).toBe(told.at(-1)?.totalBytes);
  expect(told.length).toBeGreaterThan(bytes === small ? 0 : 20);
});

async function recordingFileOf(bytes: Uint8Array) {
  const path = join(folder, "progress.wav");
  await writeFile(path, bytes);
  return recordingFile(path);
}

test.each([
  ["shrank", (path: string) => truncate(path, 10)],
  ["is gone", (path: string) => rm(path)],
])("says that it is the file if it %s, and does not try again", async (_, spoil) => {
  let requests = 0;
  await using server = await httpServer((request, answer) => {
    requests++;
    request.resume().on("end", () => answer.end(anAnswer));
  });
  for (const bytes of [small, large]) {
    const path = join(folder, "spoilt.wav");
    await writeFile(path, bytes);
    const file = await recordingFile(path);
    await spoil(path);
    const error = await failureOf(importTo(server.baseUrl, file, { retries: { attempts: 3 } }));
    expect(error).toBeInstanceOf(RecordingError);
  }
  expect(requests).toBeLessThan(3);
});

test("keeps its connections for the next upload, and closes them when it is closed", async () => {
  const ports = new Set<number | undefined>();
  await using server = await httpServer((request, answer) => {
    ports.add(request.socket.remotePort);
    request.resume().on("end", () => answer.end(anAnswer));
  });
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "key" });
  const call = { campaignId: "c", agentEmail: "ann@example.com", happenedAt: 1_714_557_600 };
  for (let count = 0; count < 5; count++) await client.calls.import({ ...call, file: small });
  await client.calls.import({ ...call, file: large });
  expect([ports.size, server.connections()]).toEqual([1, 1]);
  client.close();
  await vi.waitFor(() => expect(server.connections()).toBe(0));
});

test("takes another connection at once if the kept one was closed just now", async () => {
  let answered = 0;
  await using server = await tcpServer((socket) => {
    let mine = 0;
    socket.on("data", (chunk) => {
      if (mine++ > 0 && answered === 1) return socket.resetAndDestroy();
      if (!chunk.includes("--\r\n")) return;
      answered++;
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${anAnswer.length}\r\n\r\n${anAnswer}`);
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

test("needs no more memory for 200 MB than for 10", async () => {
  await using server = await httpServer((request, answer) => request.resume().on("end", () => answer.end(anAnswer)));
  const paths = [10, 200].map((megabytes) => ({ path: join(folder, `${megabytes}mb.wav`), megabytes }));
  for (const { path, megabytes } of paths) {
    await writeFile(path, "");
    await truncate(path, megabytes * 1024 * 1024);
  }
  const script = join(import.meta.dirname, "testing/upload-with-little-memory.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [
    // On a busy machine young garbage alone would grow to as much.
    "--max-semi-space-size=1",
    script,
    server.baseUrl,
    ...paths.map(({ path }) => path),
  ]);
  expect(Number(stdout)).toBeLessThan(60);
});
