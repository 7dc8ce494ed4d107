import { randomBytes } from "node:crypto";
import http, { type IncomingHttpHeaders } from "node:http";
import https from "node:https";

export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Parsed JSON; undefined for other content types. */
  readonly body: Body;
  /** Whether the server sent "100 Continue". */
  readonly continued: boolean;
}

/** A request in progress. The test controls when each byte is sent and how it ends. */
export interface Conversation<Body = unknown> {
  readonly answer: Promise<Answer<Body>>;
  /** Whether the server sent "100 Continue"; resolves with the first response. */
  readonly continued: Promise<boolean>;
  /** Sends part of the body. Resolves when it is flushed, or when a response has arrived. */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Ends the body. */
  end(): void;
  /** Half-closes the connection (FIN); the response can still be read. */
  hangUp(): void;
  /** Destroys the connection. */
  cut(): void;
}

export interface Opening {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the head of a request on a new connection. The body is chunked unless `content-length` is given. */
export function begin<Body = unknown>(url: string, opening: Opening = {}): Conversation<Body> {
  const { Agent, request: open } = url.startsWith("https:") ? https : http;
  const agent = new Agent({ keepAlive: true });
  const request = open(url, { agent, method: opening.method ?? "POST", headers: opening.headers });
  const invited = Promise.withResolvers<boolean>();
  const answered = Promise.withResolvers<Answer<Body>>();
  let continued = false;

  request.on("continue", () => {
    continued = true;
    invited.resolve(true);
  });
  request.on("response", async (response) => {
    invited.resolve(false);
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      const { headers, statusCode: status = 0 } = response;
      const json = /\bjson\b/.test(headers["content-type"] ?? "") && text !== "";
      answered.resolve({ status, headers, text, body: (json ? JSON.parse(text) : undefined) as Body, continued });
    } catch (error) {
      answered.reject(error);
    } finally {
      agent.destroy();
    }
  });
  // No effect after a response: the server may close before it has read the whole body.
  request.on("error", (error) => {
    invited.resolve(false);
    answered.reject(error);
    agent.destroy();
  });
  // A destroyed connection has no response: ignore the rejection.
  answered.promise.catch(() => {});
  request.flushHeaders();

  return {
    answer: answered.promise,
    continued: invited.promise,
    async write(bytes) {
      const left = new Promise<void>((resolve) => request.write(bytes, () => resolve()));
      await Promise.race([left, answered.promise.catch(() => {})]);
    },
    end: () => void request.end(),
    hangUp: () => void request.socket?.end(),
    cut: () => void request.destroy(new Error("cut by the test")),
  };
}

export interface Sending extends Opening {
  /** The body, or its chunks, sent one by one; chunked unless `content-length` is given. */
  readonly body?: string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Sends a single body as chunked, too. */
  readonly chunked?: boolean;
  /** Sends `Expect: 100-continue`, and the body only after "100 Continue". */
  readonly expectContinue?: boolean;
}

/** Sends a request and returns the response. Stops sending when the response arrives. */
export async function send<Body = unknown>(url: string, sending: Sending = {}): Promise<Answer<Body>> {
  const { body = "", chunked = false, expectContinue = false } = sending;
  const whole = typeof body === "string" || body instanceof Uint8Array;
  const conversation = begin<Body>(url, {
    ...sending,
    headers: {
      ...(whole && !chunked && { "content-length": String(Buffer.byteLength(body)) }),
      ...(expectContinue && { expect: "100-continue" }),
      ...sending.headers,
    },
  });
  let over = false;
  const end = () => {
    over = true;
  };
  conversation.answer.then(end, end);
  if (expectContinue && !(await conversation.continued)) return conversation.answer;
  for await (const chunk of whole ? (body.length > 0 ? [body] : []) : body) {
    if (over) break;
    await conversation.write(chunk);
  }
  if (!over) conversation.end();
  return conversation.answer;
}

/** A part of a form: a file if it has a `filename`, otherwise text. */
export interface Part {
  readonly name: string;
  readonly value: string | Uint8Array;
  readonly filename?: string;
  readonly type?: string;
  /** Overrides the part's header lines. */
  readonly headers?: readonly string[];
}

export interface Form {
  readonly contentType: string;
  readonly body: Buffer;
  /** The same body as one piece per part plus the closing boundary. */
  readonly pieces: readonly Buffer[];
}

/** Builds a multipart/form-data body with exactly these parts in this order. */
export function multipart(
  parts: readonly Part[],
  boundary = `----conformance${randomBytes(12).toString("hex")}`,
): Form {
  const piece = ({ name, value, filename, type, headers }: Part) => {
    const lines = headers ?? [
      `Content-Disposition: form-data; name="${name}"${filename === undefined ? "" : `; filename="${filename}"`}`,
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ];
    return Buffer.concat([
      Buffer.from(`--${boundary}\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`),
      Buffer.from(value as Uint8Array),
      Buffer.from("\r\n"),
    ]);
  };
  const pieces = [...parts.map(piece), Buffer.from(`--${boundary}--\r\n`)];
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(pieces), pieces };
}
