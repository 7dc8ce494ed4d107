import { randomBytes } from "node:crypto";
import http, { type IncomingHttpHeaders } from "node:http";
import https from "node:https";

export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The text, parsed, where the answer says that it is JSON; `undefined` otherwise. */
  readonly body: Body;
  /** Whether the server asked for the body with "100 Continue". */
  readonly continued: boolean;
}

/** A request that is under way: the test decides when each byte is sent and whether it ends well. */
export interface Conversation<Body = unknown> {
  readonly answer: Promise<Answer<Body>>;
  /** Whether the server said "100 Continue"; settles with the first thing that the server says. */
  readonly continued: Promise<boolean>;
  /** Sends some of the body. Settles when the bytes have left, or when an answer makes them pointless. */
  write(bytes: Uint8Array | string): Promise<void>;
  /** Ends the body properly. */
  end(): void;
  /** Says that nothing more will come (FIN), whatever was announced; the answer can still be read. */
  hangUp(): void;
  /** Tears the connection down. */
  cut(): void;
}

export interface Opening {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the head of a request on a connection of its own. The body is chunked unless `content-length` is given. */
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
  // After an answer this changes nothing: a server that has answered may close before it has read everything.
  request.on("error", (error) => {
    invited.resolve(false);
    answered.reject(error);
    agent.destroy();
  });
  // Whoever tears down a connection does not wait for its answer.
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
  /** A whole body, or its chunks. Chunks go out one by one, framed as chunked unless `content-length` is given. */
  readonly body?: string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Frames a whole body as chunked, too. */
  readonly chunked?: boolean;
  /** Asks first (`Expect: 100-continue`) and sends the body only if the server wants it. */
  readonly expectContinue?: boolean;
}

/** Sends a request and gives the answer; stops sending as soon as the answer is there. */
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

/** One part of a form. With `filename` it is a file; without, a text. */
export interface Part {
  readonly name: string;
  readonly value: string | Uint8Array;
  readonly filename?: string;
  readonly type?: string;
  /** The part's header lines, instead of those made from the above. */
  readonly headers?: readonly string[];
}

export interface Form {
  readonly contentType: string;
  readonly body: Buffer;
  /** The same body, one piece for each part and a last one that ends the form. */
  readonly pieces: readonly Buffer[];
}

/** Builds a multipart/form-data body by hand: exactly these parts, in exactly this order. */
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
