import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** What a transcription server answers to one stretch. */
export type Answer = (response: ServerResponse, seconds: number) => unknown;

export interface TranscriptionServer {
  readonly url: string;
  /** Seconds of sound in each request. */
  readonly received: number[];
  /** Answers the next requests in this order, then as before. */
  next(...answers: Answer[]): void;
  /** Answers every request from now on. */
  always(answer: Answer): void;
}

/** Words spread evenly over the sound, in OpenAI's format. */
export const says =
  (text: string): Answer =>
  (response, seconds) => {
    const parts = text.split(" ");
    const each = seconds / parts.length;
    const words = parts.map((word, index) => ({ word, start: index * each, end: (index + 0.8) * each }));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text, words }));
  };

export const answers =
  (status: number, body: string): Answer =>
  (response) =>
    response.writeHead(status).end(body);

/** A server in the shape of OpenAI's that answers as a test says. Injects faults; real speech is for real engines. */
export async function openTranscriptionServer(): Promise<TranscriptionServer> {
  const received: number[] = [];
  let queued: Answer[] = [];
  let usual = says("Hello there");
  const server = createServer(async (request, response) => {
    const seconds = await readSeconds(request);
    received.push(seconds);
    (queued.shift() ?? usual)(response, seconds);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    next: (...answers) => {
      queued = answers;
    },
    always: (answer) => {
      usual = answer;
    },
  };
}

async function readSeconds(request: IncomingMessage): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const data = body.indexOf("data", body.indexOf("RIFF"));
  return body.readUInt32LE(data + 4) / 2 / 16_000;
}
